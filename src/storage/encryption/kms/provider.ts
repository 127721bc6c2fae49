import type { Clock } from '../../../base/clock.ts';

/** A KMS plugin as health sees it. */
export interface KmsProvider extends Disposable {
  /** Rejects when the plugin is not well. */
  check(): Promise<void>;
}

const positiveTtlMs = 20_000;
const negativeTtlMs = 3000;

/** A failed check: what it says now, and what it says while it is remembered. */
export class CheckError extends Error {
  constructor(what: string, cause: unknown) {
    super(`${what}, error: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** Asks a plugin at most once in a while; those who ask at the same time share the question. */
export class RememberedCheck {
  readonly #ask: () => Promise<void>;
  readonly #clock: Clock;
  #last: { readonly error: unknown; readonly until: number } | undefined;
  #asking: Promise<void> | undefined;

  constructor(ask: () => Promise<void>, clock: Clock) {
    this.#ask = ask;
    this.#clock = clock;
  }

  async check(): Promise<void> {
    if (this.#last !== undefined && this.#clock.elapsed() < this.#last.until) {
      if (this.#last.error !== undefined) throw this.#last.error;
      return;
    }
    this.#asking ??= this.#once().finally(() => {
      this.#asking = undefined;
    });
    await this.#asking;
  }

  async #once(): Promise<void> {
    try {
      await this.#ask();
      this.#last = { error: undefined, until: this.#clock.elapsed() + positiveTtlMs };
    } catch (error) {
      // Quirk: while it is remembered, a failed call is shown bare.
      this.#last = { error: error instanceof CheckError ? error.cause : error, until: this.#clock.elapsed() + negativeTtlMs };
      throw error;
    }
  }
}
