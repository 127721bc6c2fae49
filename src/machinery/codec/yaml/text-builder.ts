/** A long text, made character by character: a string that grows by each of them would take ten times as long. */
export class TextBuilder {
  #codes = new Uint16Array(256);
  #length = 0;
  /** the bits of all codes */
  #all = 0;

  /** One UTF-16 code unit, or a character beyond, which takes two. */
  add(code: number): void {
    if (code > 0xffff) {
      this.add(0xd7c0 + (code >> 10));
      this.add(0xdc00 | (code & 0x3ff));
      return;
    }
    if (this.#length === this.#codes.length) this.#grow();
    this.#codes[this.#length++] = code;
    this.#all |= code;
  }

  addSpaces(count: number): void {
    for (let index = 0; index < count; index++) this.add(0x20);
  }

  get endsInHighSurrogate(): boolean {
    return this.#length > 0 && (this.#codes[this.#length - 1]! & 0xfc00) === 0xd800;
  }

  /** The text; the next one begins. */
  take(): string {
    const text = this.#text();
    this.#length = this.#all = 0;
    return text;
  }

  #text(): string {
    const codes = this.#codes.subarray(0, this.#length);
    return this.#all > 0xff ? Buffer.from(codes.buffer, 0, codes.byteLength).toString('utf16le') : Buffer.from(codes).toString('latin1');
  }

  #grow(): void {
    const codes = new Uint16Array(this.#codes.length * 2);
    codes.set(this.#codes);
    this.#codes = codes;
  }
}
