// Upstream: k8s.io/apiserver/pkg/storage/value/transformer.go

/**
 * How values of a resource look at rest. The storage key is authenticated where the cipher can, so that a value copied to another key
 * does not decrypt. Local ciphers return at once; a promise comes only when a key service must be asked. The resource is for metrics.
 */
export interface Transformer {
  fromStorage(value: Buffer, key: string, resource?: string): Transformed | Promise<Transformed>;
  toStorage(value: Buffer, key: string, resource?: string): Buffer | Promise<Buffer>;
}

export interface Transformed {
  readonly value: Buffer;
  /** written in another way than new values are: the next update must write, even when nothing changed */
  readonly stale: boolean;
}

/** Which resource a value belongs to; the group is empty for the core group. */
export interface GroupResource {
  readonly group: string;
  readonly resource: string;
}

/** A value that could not be read or written. `message` is upstream's; what to look for in the configuration is beside it. */
export class TransformError extends Error {
  /** as the value names it: aescbc, aesgcm, secretbox, kms; undefined for values that are not encrypted */
  readonly provider: string | undefined;
  /** name of the key, or of the KMS plugin, that the value was written with */
  readonly keyName: string | undefined;

  constructor(message: string, options: { provider?: string | undefined; keyName?: string | undefined; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'TransformError';
    this.provider = options.provider;
    this.keyName = options.keyName;
  }

  /** One line for the log, with provider and key. */
  describe(): string {
    if (this.provider === undefined) return this.message;
    return `${this.message} (the value was written with provider ${this.provider}, key ${JSON.stringify(this.keyName ?? '')})`;
  }
}

/** An error of `value` as stored, naming the provider and key that the value itself names. */
export function transformError(message: string, value: Buffer, cause?: unknown): TransformError {
  const header = /^k8s:enc:([^:]+):v\d+:([^:]+):/.exec(value.toString('latin1', 0, 512));
  return new TransformError(message, { provider: header?.[1], keyName: header?.[2], cause });
}
