/** The first key after all that start with `prefix`; etcd's range ends are exclusive. All bytes 0xff (or none): to the very end. */
export function prefixEnd(prefix: Buffer): Buffer {
  for (let i = prefix.length - 1; i >= 0; i--) {
    const byte = prefix[i] as number;
    if (byte < 0xff) {
      const end = Buffer.from(prefix.subarray(0, i + 1));
      end[i] = byte + 1;
      return end;
    }
  }
  return everything;
}

/** As a range end: up to the last key. As a start: from the first one, since etcd takes no empty key. */
export const everything: Buffer = Buffer.from([0]);

/** Translates between the keys that callers use and those in etcd, which may sit below one more prefix. */
export interface KeyCodec {
  encode(key: string): Buffer;
  decode(bytes: Buffer): string;
}

export function keyCodec(root: string): KeyCodec {
  const skip = Buffer.byteLength(root);
  return {
    encode: (key) => Buffer.from(root + key),
    decode: (bytes) => bytes.toString('utf8', skip),
  };
}
