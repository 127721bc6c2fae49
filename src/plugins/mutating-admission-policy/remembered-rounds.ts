// Upstream: apiserver/pkg/admission/plugin/policy/mutating/reinvocationcontext.go
import { deepCopy } from '../../machinery/deep-copy.ts';
import { deepEqual } from '../../machinery/deep-equal.ts';
import type { Rounds } from '../../server/admission/admission.ts';
import type { KubeObject } from '../../server/registry/definition.ts';

/** What policies did in the first round, to know which to apply again in the second. */
export class PolicyRounds {
  #lastOutput: KubeObject | undefined;
  #applied = new Set<string>();
  readonly #again = new Set<string>();

  /** Whether somebody else changed the object since policies were done with it. */
  isChangedSince(object: KubeObject | undefined): boolean {
    return !deepEqual(this.#lastOutput, object);
  }

  finished(object: KubeObject | undefined): void {
    this.#lastOutput = object && deepCopy(object);
  }

  /** A policy that is to see later changes was applied. */
  applied(key: string): void {
    this.#applied.add(key);
  }

  /** Those that were applied so far have to see what has changed since. */
  changed(): void {
    for (const key of this.#applied) this.#again.add(key);
    this.#applied = new Set();
  }

  isDue(key: string): boolean {
    return this.#again.has(key);
  }
}

/** One record for each request that makes its rounds. */
export class RememberedRounds {
  readonly #known = new WeakMap<Rounds, PolicyRounds>();

  of(rounds: Rounds): PolicyRounds {
    let known = this.#known.get(rounds);
    if (known === undefined) this.#known.set(rounds, (known = new PolicyRounds()));
    return known;
  }
}
