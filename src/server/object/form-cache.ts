/**
 * Other encodings of stored objects (protobuf, another version), kept while they are hot. Two generations share a budget: what is not
 * asked for during a whole generation is forgotten.
 */
export class FormCache {
  readonly #halfBudget: number;
  #young = new Map<object, Map<string, Buffer>>();
  #old = new Map<object, Map<string, Buffer>>();
  #youngBytes = 0;

  constructor(budgetBytes: number) {
    this.#halfBudget = budgetBytes / 2;
  }

  get(entry: object, form: string, make: () => Buffer): Buffer {
    const known = this.#young.get(entry)?.get(form);
    if (known !== undefined) return known;
    const bytes = this.#old.get(entry)?.get(form) ?? make();
    if (this.#youngBytes + bytes.length > this.#halfBudget) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#youngBytes = 0;
    }
    let forms = this.#young.get(entry);
    if (forms === undefined) this.#young.set(entry, (forms = new Map<string, Buffer>()));
    forms.set(form, bytes);
    this.#youngBytes += bytes.length;
    return bytes;
  }
}
