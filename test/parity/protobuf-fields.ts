export type ProtobufField = readonly [number: number, value: unknown];

/** A protobuf message without its schema, in the order of the wire. Throws on what is none. */
export function decodeFields(bytes: Buffer): ProtobufField[] {
  const fields: ProtobufField[] = [];
  let at = 0;
  const varint = (): bigint => {
    let result = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++];
      if (byte === undefined || shift > 63n) throw new Error('not a varint');
      result |= BigInt(byte & 127) << shift;
      if (byte < 128) return result;
    }
  };
  const take = (length: number): Buffer => {
    if (at + length > bytes.length) throw new Error('cut short');
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const number = tag >>> 3;
    if (number === 0 || number > 4096) throw new Error('not a field');
    fields.push([number, valueOf(tag & 7, varint, take)]);
  }
  return fields;
}

function valueOf(wireType: number, varint: () => bigint, take: (length: number) => Buffer): unknown {
  switch (wireType) {
    case 0: {
      const value = varint();
      return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : `varint:${value}`;
    }
    case 1:
      return `f64:${take(8).toString('hex')}`;
    case 2:
      return decodeBytes(take(Number(varint())));
    case 5:
      return `f32:${take(4).toString('hex')}`;
    default:
      throw new Error('not a wire type');
  }
}

/** Text, a message within, or neither. */
export function decodeBytes(bytes: Buffer): unknown {
  if (bytes.length === 0) return '';
  const text = bytes.toString();
  if (!text.includes('�') && !/[\x00-\x08\x0b\x0c\x0e-\x1f]/.test(text) && bytes[0] !== 0x0a) return text;
  try {
    return decodeFields(bytes);
  } catch {
    return `base64:${bytes.toString('base64')}`;
  }
}
