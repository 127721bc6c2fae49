// Upstream: k8s.io/apimachinery/pkg/runtime/serializer/json/json.go#Encode
// Encode ends what it writes with a line break.
import type { Transformer } from '../../storage/encryption/ciphers/transformer.ts';

const newline = 0x0a;

/** JSON values that others read and write too: at rest they end with a line break. */
export const jsonLine: Transformer = Object.freeze({
  toStorage: (value: Buffer): Buffer => Buffer.concat([value, Buffer.of(newline)]),
  fromStorage: (value: Buffer) => (value.at(-1) === newline ? { value: value.subarray(0, -1), stale: false } : { value, stale: true }),
});
