/** The bytes in memory of their own, for those that are kept: node cuts small buffers from 64 KB that stay for as long as one of them does. */
export function ownBytes(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes;
  const own = Buffer.allocUnsafeSlow(bytes.length);
  own.set(bytes);
  return own;
}
