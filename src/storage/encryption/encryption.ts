// Upstream: k8s.io/apiserver/pkg/server/options/encryptionconfig/{config.go,controller/controller.go}
import { createHash } from 'node:crypto';
import { readRegularFile } from '../../base/regular-file.ts';
import { WatchedFile } from '../../base/watched-text.ts';
import type { Clock } from '../../base/clock.ts';
import { systemClock } from '../../base/clock.ts';
import { aggregateMessage, aggregateMessages } from '../../machinery/field.ts';
import { goQuote } from '../../machinery/go-format.ts';
import { parseEncryptionConfiguration } from './configuration.ts';
import { identityTransformer } from './ciphers/identity.ts';
import type { EncryptionMetrics } from './metrics/encryption-metrics.ts';
import type { KmsService } from './kms/service.ts';
import { connectKms } from './kms/service.ts';
import type { BuiltProviders } from './providers.ts';
import { buildProviders, resourceName } from './providers.ts';
import type { GroupResource, Transformer } from './ciphers/transformer.ts';
import { validateEncryptionConfiguration } from './validation.ts';

export interface EncryptionOptions {
  /** `--encryption-provider-config` */
  readonly file: string;
  /** `--encryption-provider-config-automatic-reload` */
  readonly reload: boolean;
  readonly pollIntervalMs?: number;
  readonly clock?: Clock;
  /** undefined: not counted */
  readonly metrics?: EncryptionMetrics;
  readonly connectKms?: (endpoint: string, timeoutMs: number) => KmsService;
  /** feature KMSv1 */
  readonly allowsKmsV1?: boolean;
  /** after every attempt to take a changed file: the error says why the old one stays in force */
  readonly onReload?: (error: Error | undefined) => void;
}

export interface HealthCheck {
  readonly name: string;
  check(): Promise<void>;
}

interface Loaded extends BuiltProviders {
  readonly contentHash: string;
}

const healthCheckName = 'kms-providers';
const minHealthyWithinMs = 10_000;
const healthPollMs = 100;
const firstRetryMs = 1000;

/** Reads the file and starts what it names. Rejects with one line that says what is wrong with it. */
export async function loadEncryption(options: EncryptionOptions): Promise<Encryption> {
  const content = await readConfiguration(options.file).catch(prefixed('error while parsing file: error while loading file'));
  return new Encryption(await load(content, options, options.reload), options);
}

/** How each resource's values look at rest, by the file in force. */
export class Encryption implements Disposable {
  readonly #options: EncryptionOptions;
  readonly #clock: Clock;
  readonly #retired = new Set<{ readonly loaded: Loaded; readonly timer: Disposable }>();
  #current: Loaded;
  #era = 0;
  #timer: Disposable | undefined;
  #watched: Disposable | undefined;
  #polling: Promise<void> | undefined;
  #retryMs = firstRetryMs;
  #closed = false;

  constructor(loaded: Loaded, options: EncryptionOptions) {
    this.#current = loaded;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  /** From now on the file is read again when its folder tells of a change, and once in a while. */
  follow(): void {
    this.#pollAfter(this.#pollIntervalMs);
    const { file } = this.#options;
    const onChange = async (text: string): Promise<void> => {
      // It may be at what the file had before.
      await this.#polling;
      await this.#poll(Buffer.from(text));
    };
    // What is wrong with the file is found, and said, where it is read.
    this.#watched = new WatchedFile({ file, text: '', clock: this.#clock, onChange, onError: () => void this.#poll() });
  }

  /** Hash of the file in force, `sha256:...`. */
  get contentHash(): string {
    return this.#current.contentHash;
  }

  /** How often keys were replaced: what could be read in another era may not be readable in this one. */
  get era(): number {
    return this.#era;
  }

  /** Stays valid across reloads. */
  transformerFor(resource: GroupResource): Transformer {
    const own = resourceName(resource);
    const names = [own, resourceName({ group: resource.group, resource: '*' }), '*.*'];
    const current = (): Transformer => {
      const { transformers } = this.#current;
      for (const name of names) {
        const transformer = transformers.get(name);
        if (transformer !== undefined) return transformer;
      }
      return identityTransformer;
    };
    return {
      fromStorage: (value, key) => current().fromStorage(value, key, own),
      toStorage: (value, key) => current().toStorage(value, key, own),
    };
  }

  /** One check for all plugins, there even while the file names none, with automatic reload; else one each when KMS v1 is used. */
  get healthChecks(): readonly HealthCheck[] {
    const { plugins, usesKmsV1 } = this.#current;
    if (this.#options.reload || (plugins.length > 0 && !usesKmsV1))
      return [{ name: healthCheckName, check: () => checkPlugins(this.#current) }];
    return plugins.map((plugin, index) => ({ name: `kms-provider-${index}`, check: () => plugin.check() }));
  }

  /** Whether the file in force has a plugin of the deprecated KMS v1. */
  get usesKmsV1(): boolean {
    return this.#current.usesKmsV1;
  }

  /** Takes the file, whose content may be `known`, if it has changed; resolves to whether it did. Rejects, and keeps the old one, when that is no good. */
  async reload(known?: Buffer): Promise<boolean> {
    const { file } = this.#options;
    const content = known === undefined ? await readConfiguration(file) : requireContent(known, file);
    if (hashOf(content) === this.#current.contentHash) return false;
    const loaded = await load(content, this.#options, true);
    if (this.#closed) {
      close(loaded);
      return false;
    }
    try {
      await this.#becomesHealthy(loaded);
    } catch (error) {
      close(loaded);
      throw error;
    }
    this.#retire(this.#current);
    this.#current = loaded;
    this.#era++;
    return true;
  }

  [Symbol.dispose](): void {
    this.#closed = true;
    this.#timer?.[Symbol.dispose]();
    this.#watched?.[Symbol.dispose]();
    for (const { loaded, timer } of this.#retired) {
      timer[Symbol.dispose]();
      close(loaded);
    }
    close(this.#current);
  }

  get #pollIntervalMs(): number {
    return this.#options.pollIntervalMs ?? 60_000;
  }

  #pollAfter(ms: number): void {
    this.#timer?.[Symbol.dispose]();
    if (this.#closed) return;
    this.#timer = this.#clock.setTimeout(() => void this.#poll(), ms);
  }

  /** One at a time: a plugin may take long to become healthy. */
  #poll(known?: Buffer): Promise<void> {
    return (this.#polling ??= this.#pollOnce(known).finally(() => (this.#polling = undefined)));
  }

  async #pollOnce(known: Buffer | undefined): Promise<void> {
    try {
      const changed = await this.reload(known);
      this.#retryMs = firstRetryMs;
      if (changed) this.#options.onReload?.(undefined);
      this.#pollAfter(this.#pollIntervalMs);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#options.onReload?.(new Error(`error processing encryption config file ${this.#options.file}: ${reason}`, { cause: error }));
      this.#pollAfter(Math.min(this.#retryMs, this.#pollIntervalMs));
      this.#retryMs *= 2;
    }
  }

  async #becomesHealthy(loaded: Loaded): Promise<void> {
    const deadline = this.#clock.elapsed() + Math.max(minHealthyWithinMs, 2 * loaded.kmsTimeoutSumMs);
    for (;;) {
      try {
        await checkPlugins(loaded);
        return;
      } catch (error) {
        if (this.#closed || this.#clock.elapsed() >= deadline) {
          const reason = error instanceof Error ? error.message : String(error);
          throw new Error(`health check for new transformers failed, polling error context deadline exceeded: ${reason}`, { cause: error });
        }
      }
      await new Promise<void>((resolve) => void this.#clock.setTimeout(resolve, healthPollMs));
    }
  }

  /** Calls that are under way may still need the old plugins. */
  #retire(loaded: Loaded): void {
    const timer = this.#clock.setTimeout(() => {
      this.#retired.delete(entry);
      close(loaded);
    }, 2 * loaded.kmsTimeoutSumMs);
    const entry = { loaded, timer };
    this.#retired.add(entry);
  }
}

function close(loaded: Loaded): void {
  for (const plugin of loaded.plugins) plugin[Symbol.dispose]();
}

async function checkPlugins(loaded: Loaded): Promise<void> {
  const problems: string[] = [];
  for (const [i, plugin] of loaded.plugins.entries()) {
    await plugin.check().catch((error: unknown) => {
      problems.push(`kms-provider-${i}: ${error instanceof Error ? error.message : String(error)}`);
    });
  }
  if (problems.length > 0) throw new Error(aggregateMessages(problems));
}

function hashOf(content: Buffer): string {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`;
}

async function readConfiguration(file: string): Promise<Buffer> {
  let content: Buffer;
  try {
    content = await readRegularFile(file);
  } catch (error) {
    const reason =
      (error as NodeJS.ErrnoException).code === 'ENOENT' ? `open ${file}: no such file or directory` : (error as Error).message;
    throw new Error(`error reading encryption provider configuration file ${goQuote(file)}: ${reason}`, { cause: error });
  }
  return requireContent(content, file);
}

function requireContent(content: Buffer, file: string): Buffer {
  if (content.length === 0) throw new Error(`encryption provider configuration file ${goQuote(file)} is empty`);
  return content;
}

const parseConfiguration = async (text: string) => parseEncryptionConfiguration(text);

const prefixed = (prefix: string) => (error: unknown) => {
  throw new Error(`${prefix}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
};

async function load(content: Buffer, options: EncryptionOptions, reload: boolean): Promise<Loaded> {
  const configuration = await parseConfiguration(content.toString()).catch(
    prefixed(`error while parsing file: error decoding encryption provider configuration file ${goQuote(options.file)}`),
  );
  const problems = validateEncryptionConfiguration(configuration, reload);
  if (problems.length > 0) throw new Error(`error while parsing file: ${aggregateMessage(problems)}`);
  const context = {
    clock: options.clock ?? systemClock,
    connectKms: options.connectKms ?? connectKms,
    allowsKmsV1: options.allowsKmsV1 ?? false,
    metrics: options.metrics,
  };
  const built = await buildProviders(configuration, context).catch(prefixed('error while building transformers'));
  return { ...built, contentHash: hashOf(content) };
}
