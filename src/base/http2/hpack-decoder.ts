// RFC 7541. Upstream: golang.org/x/net/http2/hpack/hpack.go#Decoder
import { HeaderField, isFieldName, isFieldValue } from './header-field.ts';
import { HeaderTable } from './header-table.ts';
import { decodeHuffman, longestDecoded } from './huffman.ts';
import { defaultTableSize, fieldOverhead, staticFields } from './static-table.ts';

const staticTable = staticFields.map(([name, value]) => new HeaderField(name, value, true));
const nothing = Buffer.alloc(0);

/** What is not HPACK: the connection cannot go on. */
export class CompressionError extends Error {
  override name = 'CompressionError';
}

/** The rest of a field has not come. */
const incomplete = -1;

/**
 * Reads the header blocks of one connection, piece by piece. A list that grows beyond `maxListSize` while it is read is `oversized`: what
 * follows is read for the sake of the table, and not kept.
 */
export class HpackDecoder {
  /** names and values in turn, of the block that is being read */
  lines: string[] = [];
  oversized = false;
  /** a field of the list has characters that it may not have */
  malformed = false;
  readonly #maxListSize: number;
  readonly #tableSize: number;
  readonly #table: HeaderTable;
  #left: number;
  /** sizes of the table come first in a block */
  #hasFields = false;
  /** the beginning of a field whose end has not come */
  #saved: Buffer = nothing;
  #savedLength = 0;
  #bytes: Buffer = nothing;
  #at = 0;
  #end = 0;
  /** of the last string that was read */
  #text = '';
  #valid = true;

  /** `tableSize`: what the peer may use */
  constructor(maxListSize: number, tableSize = defaultTableSize) {
    this.#maxListSize = this.#left = maxListSize;
    this.#tableSize = tableSize;
    this.#table = new HeaderTable(tableSize);
  }

  begin(): void {
    this.lines = [];
    this.oversized = this.malformed = this.#hasFields = false;
    this.#left = this.#maxListSize;
  }

  /** Reads a piece of a block. Throws a CompressionError. */
  write(bytes: Buffer, start = 0, end = bytes.length): void {
    if (this.#savedLength === 0) {
      this.#bytes = bytes;
      this.#at = start;
      this.#end = end;
    } else {
      this.#save(bytes, start, end);
      this.#bytes = this.#saved;
      this.#at = 0;
      this.#end = this.#savedLength;
    }
    while (this.#at < this.#end) {
      const first = this.#at;
      if (this.#field()) continue;
      this.#keep(first);
      return;
    }
    this.#savedLength = 0;
    this.#bytes = this.#saved = nothing;
  }

  /** The block is at its end. */
  finish(): void {
    if (this.#savedLength > 0) throw new CompressionError('a header block ends within a field');
  }

  #keep(start: number): void {
    const rest = this.#bytes.subarray(start, this.#end);
    if (this.#bytes !== this.#saved || start > 0) {
      this.#saved = Buffer.from(rest);
      this.#savedLength = rest.length;
    }
    this.#bytes = nothing;
  }

  #save(bytes: Buffer, start: number, end: number): void {
    const length = this.#savedLength + end - start;
    if (length > this.#saved.length) {
      const larger = Buffer.allocUnsafe(Math.max(length, 2 * this.#saved.length));
      this.#saved.copy(larger, 0, 0, this.#savedLength);
      this.#saved = larger;
    }
    bytes.copy(this.#saved, this.#savedLength, start, end);
    this.#savedLength = length;
  }

  /** False: it has not come as a whole. */
  #field(): boolean {
    const first = this.#bytes[this.#at] as number;
    if (first >= 0x80) {
      const index = this.#integer(7);
      if (index === incomplete) return false;
      this.#emit(this.#fieldAt(index));
    } else if (first >= 0x40) {
      const field = this.#literal(6);
      if (field === undefined) return false;
      this.#table.add(field);
      this.#emit(field);
    } else if (first >= 0x20) {
      const size = this.#integer(5);
      if (size === incomplete) return false;
      if (this.#hasFields || size > this.#tableSize) throw new CompressionError('the size of the table changes where it may not');
      this.#table.resize(size);
      return true;
    } else {
      const field = this.#literal(4);
      if (field === undefined) return false;
      this.#emit(field);
    }
    this.#hasFields = true;
    return true;
  }

  #literal(prefix: number): HeaderField | undefined {
    const index = this.#integer(prefix);
    if (index === incomplete) return undefined;
    let name: string;
    let valid: boolean;
    if (index === 0) {
      if (!this.#string(true)) return undefined;
      name = this.#text;
      valid = this.#valid;
    } else {
      ({ name, valid } = this.#fieldAt(index));
    }
    if (!this.#string(false)) return undefined;
    return new HeaderField(name, this.#text, valid && this.#valid);
  }

  #fieldAt(index: number): HeaderField {
    const field = index <= staticTable.length ? staticTable[index - 1] : this.#table.at(index - staticTable.length - 1);
    if (field === undefined) throw new CompressionError('no such entry of the table');
    return field;
  }

  #emit(field: HeaderField): void {
    this.#left -= field.name.length + field.value.length + fieldOverhead;
    if (this.#left < 0) {
      this.#left = 0;
      this.oversized = true;
    }
    if (this.oversized) return;
    if (!field.valid) this.malformed = true;
    this.lines.push(field.name, field.value);
  }

  #integer(prefix: number): number {
    const most = 2 ** prefix - 1;
    let value = (this.#bytes[this.#at] as number) & most;
    let at = this.#at + 1;
    if (value === most) {
      for (let shift = 0; ; shift += 7) {
        if (at >= this.#end) return incomplete;
        if (shift > 28) throw new CompressionError('an integer is too large');
        const byte = this.#bytes[at++] as number;
        value += (byte & 0x7f) * 2 ** shift;
        if (byte < 0x80) break;
      }
    }
    this.#at = at;
    return value;
  }

  /** False: it has not come as a whole. */
  #string(isName: boolean): boolean {
    if (this.#at >= this.#end) return false;
    const isCompressed = (this.#bytes[this.#at] as number) >= 0x80;
    const length = this.#integer(7);
    if (length === incomplete) return false;
    // Longer than the whole list may be, whatever comes after it: it is not waited for.
    if (length > this.#maxListSize) throw new CompressionError('a string is longer than all headers may be');
    const start = this.#at;
    const end = start + length;
    if (end > this.#end) return false;
    this.#at = end;
    if (isCompressed) this.#compressed(start, end, isName);
    else this.#plain(this.#bytes, start, end, isName);
    return true;
  }

  #compressed(start: number, end: number, isName: boolean): void {
    const text = Buffer.allocUnsafe(longestDecoded(end - start));
    const length = decodeHuffman(this.#bytes, start, end, text);
    if (length < 0) throw new CompressionError('a string is not in the code');
    this.#plain(text, 0, length, isName);
  }

  #plain(bytes: Buffer, start: number, end: number, isName: boolean): void {
    this.#text = bytes.toString('latin1', start, end);
    this.#valid = isName ? isFieldName(bytes, start, end) : isFieldValue(bytes, start, end);
  }
}
