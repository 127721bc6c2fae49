// Upstream: k8s.io/apiserver/pkg/storage/value/transformer.go
import { aggregateMessages } from '../../machinery/field.ts';
import { startsWith } from './ciphers/identity.ts';
import type { Transformed, Transformer } from './ciphers/transformer.ts';
import { TransformError, transformError } from './ciphers/transformer.ts';

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

  constructor(transformers: readonly [PrefixedTransformer, ...PrefixedTransformer[]], noMatchMessage: string) {
    this.#transformers = transformers;
    this.#noMatchMessage = noMatchMessage;
  }

  fromStorage(value: Buffer, key: string): Transformed | Promise<Transformed> {
    return this.#try(0, [], value, key);
  }

  toStorage(value: Buffer, key: string): Buffer | Promise<Buffer> {
    const { prefix, transformer } = this.#transformers[0];
    const result = transformer.toStorage(value, key);
    const prefixed = (body: Buffer): Buffer => (prefix.length === 0 ? body : Buffer.concat([prefix, body]));
    return result instanceof Promise ? result.then(prefixed) : prefixed(result);
  }

  #try(first: number, errors: Error[], value: Buffer, key: string): Transformed | Promise<Transformed> {
    for (let i = first; i < this.#transformers.length; i++) {
      const { prefix, transformer } = this.#transformers[i] as PrefixedTransformer;
      if (!startsWith(value, prefix)) continue;
      const note = (error: unknown): void => {
        // Identity in front of an encrypting provider meets encrypted values as a matter of course.
        if (prefix.length > 0) errors.push(error as Error);
      };
      try {
        const result = transformer.fromStorage(value.subarray(prefix.length), key);
        if (!(result instanceof Promise)) return marked(result, i);
        return result.then(
          (transformed) => marked(transformed, i),
          (error: unknown) => {
            note(error);
            return this.#try(i + 1, errors, value, key);
          },
        );
      } catch (error) {
        note(error);
      }
    }
    throw this.#failure(errors, value);
  }

  #failure(errors: readonly Error[], value: Buffer): TransformError {
    if (errors.length === 0) return transformError(this.#noMatchMessage, value);
    return transformError(aggregateMessages(errors.map((error) => error.message)), value, errors[0]);
  }
}

function marked(result: Transformed, index: number): Transformed {
  return index === 0 || result.stale ? result : { value: result.value, stale: true };
}
