// Upstream: k8s.io/kube-openapi/pkg/builder/parameters.go#base64Hash
import { escapeForHtml } from '../machinery/html-escape.ts';

const prime = 0x100000001b3n;
const offset = 0xcbf29ce484222325n;
const mask = (1n << 64n) - 1n;

/** The first six bytes of the 64-bit FNV-1 of a JSON text as Go writes it, in eight letters. */
export function parameterHash(json: string): string {
  let hash = offset;
  for (const byte of Buffer.from(escapeForHtml(json))) hash = ((hash * prime) & mask) ^ BigInt(byte);
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(hash);
  return bytes.subarray(0, 6).toString('base64url');
}
