// Upstream: golang.org/x/crypto/cryptobyte/asn1.go

export const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectIdentifier: 0x06,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

/** `[n]` of a primitive type. */
export const contextTag = (number: number): number => 0x80 | number;
/** `[n]` of a constructed type. */
export const constructedTag = (number: number): number => 0xa0 | number;

export interface DerElement {
  readonly tag: number;
  readonly content: Buffer;
  /** with tag and length */
  readonly whole: Buffer;
}

/** Bytes are not what they should be; the message says where. */
export class MalformedError extends Error {
  override readonly name = 'MalformedError';
}

/**
 * Reads DER elements one after another. As strict as Go: lengths in their shortest form, tags below 31. Every method throws `what` when the
 * next element is not what is asked for.
 */
export class DerReader {
  readonly #bytes: Buffer;
  readonly #what: string;
  #at = 0;

  constructor(bytes: Buffer, what: string) {
    this.#bytes = bytes;
    this.#what = what;
  }

  get isEmpty(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** Whether the next element has this tag. */
  isNext(tag: number): boolean {
    return this.#bytes[this.#at] === tag;
  }

  any(): DerElement {
    const bytes = this.#bytes;
    const start = this.#at;
    const [tag, first] = [bytes[start], bytes[start + 1]];
    if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f) throw this.malformed();
    let head = start + 2;
    let length = first;
    if (first >= 0x80) {
      const size = first & 0x7f;
      head += size;
      if (size === 0 || size > 4 || head > bytes.length) throw this.malformed();
      length = bytes.readUIntBE(start + 2, size);
      if (length < 0x80 || bytes[start + 2] === 0) throw this.malformed();
    }
    const end = head + length;
    if (end > bytes.length) throw this.malformed();
    this.#at = end;
    return { tag, content: bytes.subarray(head, end), whole: bytes.subarray(start, end) };
  }

  element(tag: number): DerElement {
    if (!this.isNext(tag)) throw this.malformed();
    return this.any();
  }

  content(tag: number): Buffer {
    return this.element(tag).content;
  }

  /** What is inside the next element, to be read in turn. */
  inside(tag: number): DerReader {
    return new DerReader(this.content(tag), this.#what);
  }

  sequence(): DerReader {
    return this.inside(tags.sequence);
  }

  optional(tag: number): Buffer | undefined {
    return this.isNext(tag) ? this.any().content : undefined;
  }

  /** Hexadecimal content, which tells identifiers apart as well as their numbers do. */
  identifier(): string {
    const content = this.content(tags.objectIdentifier);
    if (!isIdentifier(content)) throw this.malformed();
    return content.toString('hex');
  }

  boolean(): boolean {
    const content = this.content(tags.boolean);
    if (content.length !== 1 || (content[0] !== 0 && content[0] !== 0xff)) throw this.malformed();
    return content[0] === 0xff;
  }

  /** The bytes of an integer in their shortest form. */
  integer(tag: number = tags.integer): Buffer {
    const content = this.content(tag);
    const [first, second = 0] = content;
    const isPadded = content.length > 1 && ((first === 0 && second < 0x80) || (first === 0xff && second >= 0x80));
    if (first === undefined || isPadded) throw this.malformed();
    return content;
  }

  /** An integer of at most 48 bits. */
  number(tag: number = tags.integer): number {
    const content = this.integer(tag);
    if (content.length > 6) throw this.malformed();
    return content.readIntBE(0, content.length);
  }

  bitString(): { readonly bytes: Buffer; readonly unusedBits: number } {
    const content = this.content(tags.bitString);
    const [unusedBits, last] = [content[0], content.at(-1)];
    if (unusedBits === undefined || last === undefined || unusedBits > 7) throw this.malformed();
    if (content.length === 1 ? unusedBits !== 0 : (last & ((1 << unusedBits) - 1)) !== 0) throw this.malformed();
    return { bytes: content.subarray(1), unusedBits };
  }

  /** The bytes of a bit string that has no bits to spare, which Go would shift out: nothing that is valid has any. */
  wholeBytes(): Buffer {
    const { bytes, unusedBits } = this.bitString();
    if (unusedBits !== 0) throw this.malformed();
    return bytes;
  }

  malformed(): MalformedError {
    return new MalformedError(this.#what);
  }
}

/** Numbers in their shortest form, below 2^31, none of them cut short. */
function isIdentifier(content: Buffer): boolean {
  let value = 0;
  let isFirst = true;
  for (const byte of content) {
    if ((isFirst && byte === 0x80) || value >= 1 << 24) return false;
    value = (value << 7) | (byte & 0x7f);
    isFirst = byte < 0x80;
    if (isFirst) value = 0;
  }
  return content.length > 0 && isFirst;
}
