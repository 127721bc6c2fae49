/**
 * Other encodings of stored objects (protobuf, another version), kept while they are hot. Two generations share a budget: what is not
 * asked for during a whole generation is forgotten.
 */
export class EncodingCache {
  readonly #halfBudget: number;
  #young = new Map<object, Map<string, Buffer>>();
  #old = new Map<object, Map<string, Buffer>>();
  #youngBytes = 0;

  constructor(budgetBytes: number) {
    this.#halfBudget = budgetBytes / 2;
  }

  get(entry: object, encoding: string, make: () => Buffer): Buffer {
    const known = this.#young.get(entry)?.get(encoding);
    if (known !== undefined) return known;
    const bytes = this.#old.get(entry)?.get(encoding) ?? make();
    if (this.#youngBytes + bytes.length > this.#halfBudget) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#youngBytes = 0;
    }
    let encodings = this.#young.get(entry);
    if (encodings === undefined) this.#young.set(entry, (encodings = new Map<string, Buffer>()));
    encodings.set(encoding, bytes);
    this.#youngBytes += bytes.length;
    return bytes;
  }
}
