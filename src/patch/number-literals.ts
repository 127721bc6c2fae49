import { parseNumber } from '../machinery/codec/json/numbers.ts';

/**
 * Numbers with a fraction of zero, such as 2.0, are no integers to Go, and JSON.parse takes them for one. JSON and merge patches are
 * applied to text by upstream, which keeps them: here they are strings while a patch is applied, and numbers again in its text.
 */
export class NumberLiterals {
  readonly #mark = `\u0000${crypto.randomUUID()}:`;

  /** For a patch that has such numbers; undefined where it has none, or is longer than one that is looked through. */
  static in(text: string): NumberLiterals | undefined {
    return text.length <= longest && integral.test(text) ? new NumberLiterals() : undefined;
  }

  parse(text: string): unknown {
    return JSON.parse(text, (_key: string, value: unknown, context?: { readonly source?: string }): unknown => {
      const source = context?.source;
      if (typeof value !== 'number' || source === undefined || source === String(value)) return value;
      return plain.test(source) ? (parseNumber(source) ?? value) : `${this.#mark}${source}`;
    });
  }

  restore(text: string): string {
    const quoted = JSON.stringify(this.#mark).slice(0, -1);
    return text.replaceAll(new RegExp(`${quoted.replaceAll('\\', '\\\\')}([^"]*)"`, 'g'), '$1');
  }
}

/** To look at each number takes a quarter of a second for the largest patches: others would wait. */
const longest = 128 << 10;
const plain = /^-?\d+$|\.\d*[1-9]\d*$/;
/** What stands inside a string may match too: that costs time only. */
const integral = /[[:,\s]-?\d+(?:\.0+(?![\d.])|(?:\.\d+)?[eE])/;
