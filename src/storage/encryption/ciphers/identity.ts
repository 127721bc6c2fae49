// Upstream: k8s.io/apiserver/pkg/storage/value/encrypt/identity/identity.go
import type { Transformer } from './transformer.ts';
import { transformError } from './transformer.ts';

/** JSON starts with `{`, protobuf with `k8s\0`; this prefix is reserved for encrypted values. */
const encryptedPrefix = Buffer.from('k8s:enc:');

/** Values as they are. Refuses to hand out encrypted ones as if they were plain. */
export const identityTransformer: Transformer = Object.freeze({
  fromStorage(value: Buffer) {
    if (startsWith(value, encryptedPrefix)) throw transformError('identity transformer tried to read encrypted data', value);
    return { value, stale: false };
  },
  toStorage: (value: Buffer) => value,
});

export function startsWith(value: Buffer, prefix: Buffer): boolean {
  return value.length >= prefix.length && value.compare(prefix, 0, prefix.length, 0, prefix.length) === 0;
}
