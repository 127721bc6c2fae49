// Upstream: k8s.io/apiserver/pkg/storage/value/transformer.go
import { aggregateMessages } from '../../machinery/field.ts';
import { startsWith } from './ciphers/identity.ts';
import type { Transformed, Transformer } from './ciphers/transformer.ts';
import { TransformError, transformError } from './ciphers/transformer.ts';
import type { EncryptionMetrics } from './metrics/encryption-metrics.ts';

/** A value that is read: where it is, and since when. */
interface Reading {
  readonly key: string;
  readonly resource: string;
  readonly began: number;
}

export interface PrefixedTransformer {
  readonly prefix: Buffer;
  readonly transformer: Transformer;
}

/**
 * Picks the transformer by the prefix of the stored value; writes with the first one. Values that another one wrote are stale.
 * Several may share a prefix (keys being rotated), so a failure lets the next match try.
 */
export class PrefixTransformer implements Transformer {
  readonly #transformers: readonly [PrefixedTransformer, ...PrefixedTransformer[]];
  readonly #noMatchMessage: string;
  readonly #metrics: EncryptionMetrics | undefined;

  constructor(transformers: readonly [PrefixedTransformer, ...PrefixedTransformer[]], noMatchMessage: string, metrics?: EncryptionMetrics) {
    this.#transformers = transformers;
    this.#noMatchMessage = noMatchMessage;
    this.#metrics = metrics;
  }

  fromStorage(value: Buffer, key: string, resource = ''): Transformed | Promise<Transformed> {
    return this.#try(0, [], value, { key, resource, began: performance.now() });
  }

  toStorage(value: Buffer, key: string, resource = ''): Buffer | Promise<Buffer> {
    const { prefix, transformer } = this.#transformers[0];
    const began = performance.now();
    const ended = (failure?: { readonly error: unknown }): void =>
      this.#metrics?.transformed(resource, 'to_storage', prefix.toString(), began, failure);
    const prefixed = (body: Buffer): Buffer => {
      ended();
      return prefix.length === 0 ? body : Buffer.concat([prefix, body]);
    };
    const failed = (error: unknown): never => {
      ended({ error });
      throw error;
    };
    let result: Buffer | Promise<Buffer>;
    try {
      result = transformer.toStorage(value, key, resource);
    } catch (error) {
      return failed(error);
    }
    return result instanceof Promise ? result.then(prefixed, failed) : prefixed(result);
  }

  #try(first: number, errors: Error[], value: Buffer, of: Reading): Transformed | Promise<Transformed> {
    const { key, resource, began } = of;
    for (let i = first; i < this.#transformers.length; i++) {
      const { prefix, transformer } = this.#transformers[i] as PrefixedTransformer;
      if (!startsWith(value, prefix)) continue;
      const ended = (failure?: { readonly error: unknown }): void =>
        this.#metrics?.transformed(resource, 'from_storage', prefix.length === 0 ? 'identity' : prefix.toString(), began, failure);
      const note = (error: unknown): void => {
        // Identity in front of an encrypting provider meets encrypted values as a matter of course.
        if (prefix.length === 0) return;
        ended({ error });
        errors.push(error as Error);
      };
      const done = (transformed: Transformed): Transformed => {
        ended();
        return marked(transformed, i);
      };
      try {
        const result = transformer.fromStorage(value.subarray(prefix.length), key, resource);
        if (!(result instanceof Promise)) return done(result);
        return result.then(done, (error: unknown) => {
          note(error);
          return this.#try(i + 1, errors, value, of);
        });
      } catch (error) {
        note(error);
      }
    }
    const failure = this.#failure(errors, value);
    if (errors.length === 0) this.#metrics?.transformed(resource, 'from_storage', 'unknown', began, { error: failure });
    throw failure;
  }

  #failure(errors: readonly Error[], value: Buffer): TransformError {
    if (errors.length === 0) return transformError(this.#noMatchMessage, value);
    return transformError(aggregateMessages(errors.map((error) => error.message)), value, errors[0]);
  }
}

function marked(result: Transformed, index: number): Transformed {
  return index === 0 || result.stale ? result : { value: result.value, stale: true };
}
