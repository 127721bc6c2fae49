/**
 * The bytes of a text that are to be kept. `Buffer.from` makes them a part of a slab of 64 KB, which would be kept with them, and with it the
 * bytes of requests and responses that share it.
 */
export function keptBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

/** The same bytes in memory of their own, unless they have it. */
export function ownBytes(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes;
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  return own;
}
