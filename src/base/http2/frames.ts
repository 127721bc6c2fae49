// RFC 9113, section 4.1 and 6, 7: the numbers of frames, flags, settings and errors.

export const frameType = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goaway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

export const flag = { ack: 0x1, endStream: 0x1, endHeaders: 0x4, padded: 0x8, priority: 0x20 } as const;

export const errorCode = {
  none: 0,
  protocol: 1,
  internal: 2,
  flowControl: 3,
  streamClosed: 5,
  frameSize: 6,
  refusedStream: 7,
  cancel: 8,
  compression: 9,
  calm: 11,
} as const;

export const setting = {
  headerTableSize: 1,
  enablePush: 2,
  maxConcurrentStreams: 3,
  initialWindowSize: 4,
  maxFrameSize: 5,
  maxHeaderListSize: 6,
} as const;

export const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
export const frameHeaderSize = 9;
/** of both sides, until they say something else */
export const defaultWindow = 65_535;
export const defaultFrameSize = 16_384;
export const largestFrameSize = 0xff_ffff;
export const largestWindow = 0x7fff_ffff;

/** Returns the offset after it. */
export function writeFrameHeader(target: Buffer, at: number, length: number, type: number, flags: number, stream: number): number {
  target[at] = length >>> 16;
  target[at + 1] = length >>> 8;
  target[at + 2] = length;
  target[at + 3] = type;
  target[at + 4] = flags;
  return writeUint32(target, at + 5, stream);
}

/** Returns the offset after it. */
export function writeUint32(target: Buffer, at: number, value: number): number {
  target[at] = value >>> 24;
  target[at + 1] = value >>> 16;
  target[at + 2] = value >>> 8;
  target[at + 3] = value;
  return at + 4;
}

/** A number of 31 bits; the bit before them is reserved, and ignored. */
export function readUint31(bytes: Buffer, at: number): number {
  const upper = (((bytes[at] as number) & 0x7f) << 8) | (bytes[at + 1] as number);
  return (upper << 16) | ((bytes[at + 2] as number) << 8) | (bytes[at + 3] as number);
}
