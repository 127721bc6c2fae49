// Upstream: std/time
// As its errors reach clients.

export class TimeError extends Error {
  override readonly name = 'TimeError';
}

/** As Go's time package quotes: everything outside printable ASCII as bytes. */
export function quoteBytes(text: string): string {
  const quoted = text
    .replace(/["\\]/g, '\\$&')
    .replace(/[^ -\x7f]+/gu, (run) => Array.from(Buffer.from(run), (byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join(''));
  return `"${quoted}"`;
}
