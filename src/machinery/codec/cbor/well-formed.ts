// Upstream: github.com/fxamacker/cbor/v2/valid.go
import { DecodeError } from '../decode-error.ts';
import { depthLimit, shallow } from '../json/depth.ts';
import type { Head } from './head.ts';
import { breakCode, floatAt, indefinite, major, majorNames, readHead } from './head.ts';

const maxArrayItems = 2_147_483_647n;
const maxMapPairs = 2_097_152n;
const maxInt64 = 2n ** 63n - 1n;

/** Throws DecodeError unless the bytes are exactly one well-formed data item that holds nothing upstream refuses outright. */
export function checkWellFormed(bytes: Buffer): void {
  if (bytes.length === 0) throw new DecodeError('EOF');
  const end = endOfDocument(bytes);
  if (end !== bytes.length) throw new DecodeError(`cbor: ${bytes.length - end} bytes of extraneous data starting at index ${end}`);
}

function endOfDocument(bytes: Buffer): number {
  try {
    return endOfItem(bytes, 0, shallow);
  } catch (error) {
    if (!(error instanceof TooDeepError)) throw error;
    return endOfItem(bytes, 0, depthLimit(bytes.length));
  }
}

/** Where the item at `at` ends; `levels` are those that may still open in it. */
export function endOfItem(bytes: Buffer, at: number, levels: number): number {
  const first = bytes[at];
  // Small numbers and short strings: most of what there is, and without a head for each.
  if (first !== undefined && (first & 31) < 24) {
    const type = first >> 5;
    if (type <= major.negative) return at + 1;
    if (type <= major.text && bytes.length - at > (first & 31)) return at + 1 + (first & 31);
  }
  const head = checkedHead(bytes, at);
  switch (head.major) {
    case major.bytes:
    case major.text:
      return endOfString(bytes, head, levels);
    case major.array:
    case major.map:
      if (levels === 0) throw new TooDeepError();
      return endOfCollection(bytes, head, levels - 1);
    case major.tag:
      return endOfTagged(bytes, head, levels);
    default:
      return head.end;
  }
}

function endOfString(bytes: Buffer, head: Head, levels: number): number {
  const name = majorNames[head.major]!;
  if (head.info !== indefinite) {
    if (head.argument > maxInt64) throw new DecodeError(`cbor: ${name} length ${head.argument} is too large, causing integer overflow`);
    if (bytes.length - head.end < head.argument) throw unexpectedEnd();
    return head.end + Number(head.argument);
  }
  let at = head.end;
  for (;;) {
    if (at >= bytes.length) throw unexpectedEnd();
    const first = bytes[at]!;
    if (first === breakCode) return at + 1;
    if (first >> 5 !== head.major)
      throw new DecodeError(`cbor: wrong element type ${majorNames[first >> 5]} for indefinite-length ${name}`);
    if ((first & 31) === indefinite) throw new DecodeError(`cbor: indefinite-length ${name} chunk is not definite-length`);
    at = endOfItem(bytes, at, levels);
  }
}

function endOfCollection(bytes: Buffer, head: Head, levels: number): number {
  const isMap = head.major === major.map;
  const tooMany = (): DecodeError =>
    new DecodeError(
      isMap
        ? `cbor: exceeded max number of key-value pairs ${maxMapPairs} for CBOR map`
        : `cbor: exceeded max number of elements ${maxArrayItems} for CBOR array`,
    );
  let at = head.end;
  if (head.info === indefinite) {
    let items = 0;
    for (; ; items++) {
      if (at >= bytes.length) throw unexpectedEnd();
      if (bytes[at] === breakCode) break;
      at = endOfItem(bytes, at, levels);
    }
    if (isMap && items % 2 === 1) throw unexpectedBreak();
    if (isMap && BigInt(items / 2) > maxMapPairs) throw tooMany();
    return at + 1;
  }
  if (head.argument > maxInt64) {
    throw new DecodeError(`cbor: ${majorNames[head.major]} length ${head.argument} is too large, it would cause integer overflow`);
  }
  if (head.argument > (isMap ? maxMapPairs : maxArrayItems)) throw tooMany();
  // every item takes a byte at least, so a length that lies ends here and not in an allocation
  for (let left = Number(head.argument) * (isMap ? 2 : 1); left > 0; left--) at = endOfItem(bytes, at, levels);
  return at;
}

function endOfTagged(bytes: Buffer, first: Head, outer: number): number {
  let head = first;
  let levels = outer;
  for (;;) {
    if (head.end >= bytes.length) throw unexpectedEnd();
    if (head.argument === 2 || head.argument === 3 || head.argument === 2n || head.argument === 3n) throw unacceptable(major.tag, 'bignum');
    if (bytes[head.end]! >> 5 !== major.tag) return endOfItem(bytes, head.end, levels);
    head = checkedHead(bytes, head.end);
    if (--levels < 0) throw new TooDeepError();
  }
}

function checkedHead(bytes: Buffer, at: number): Head {
  if (at >= bytes.length) throw unexpectedEnd();
  const first = bytes[at]!;
  const [type, info] = [first >> 5, first & 31];
  if (info >= 24 && info <= 27) {
    if (bytes.length - at - 1 < 1 << (info - 24)) throw unexpectedEnd();
    if (type === major.simple) checkSimple(bytes, at + 1, info);
  } else if (info === indefinite) {
    if (type === major.simple) throw unexpectedBreak();
    if (type === major.unsigned || type === major.negative || type === major.tag) throw badInfo(type, info);
  } else if (info > 27) {
    throw badInfo(type, info);
  }
  return readHead(bytes, at);
}

function checkSimple(bytes: Buffer, at: number, info: number): void {
  if (info === 24) {
    const value = bytes[at]!;
    if (value < 32) throw new DecodeError(`cbor: invalid simple value ${value} for type primitives`);
    return;
  }
  const value = floatAt(bytes, at, info);
  if (Number.isNaN(value)) throw unacceptable(major.simple, 'floating-point NaN');
  if (!Number.isFinite(value)) throw unacceptable(major.simple, 'floating-point infinity');
}

export function unacceptable(type: number, message: string): DecodeError {
  return new DecodeError(`cbor: data item of cbor type ${majorNames[type]} is not accepted by protocol: ${message}`);
}

function badInfo(type: number, info: number): DecodeError {
  return new DecodeError(`cbor: invalid additional information ${info} for type ${majorNames[type]}`);
}

function unexpectedBreak(): DecodeError {
  return new DecodeError('cbor: unexpected "break" code');
}

function unexpectedEnd(): DecodeError {
  return new DecodeError('unexpected EOF');
}

class TooDeepError extends DecodeError {
  constructor() {
    super('cbor: exceeded max nested level 10000');
  }
}
