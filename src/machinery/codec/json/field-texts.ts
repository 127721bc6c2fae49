import { escapeForHtml } from '../../html-escape.ts';
import { parseJson } from './parse.ts';
import { stringify } from './write.ts';

/** What one text of `fieldsV1` says. Objects that share it must not change it, which holds for sets of fields. */
export interface KnownFields {
  readonly set: object;
  readonly text: string;
  /** what has been found out about the set, by what was asked: it need not be asked again */
  readonly facts: Set<unknown>;
}

/** Texts that are kept, in characters. What is read of them takes about eight times as much. */
const mostKept = 512 * 1024;
const longestKept = 32 * 1024;

/**
 * `fieldsV1` of field managers make up half of an object, and objects that are written alike have the same. They are read once and written
 * once; what is kept of them is bounded.
 */
export class FieldTexts {
  readonly #byText = new Map<string, KnownFields>();
  readonly #bySet = new Map<object, KnownFields>();
  #kept = 0;

  /** The set that a text says. Throws SyntaxError. */
  read(text: string): unknown {
    const known = this.#byText.get(text);
    if (known !== undefined) return known.set;
    const set = parseJson(text);
    if (typeof set === 'object' && set !== null && text.length <= longestKept) this.#keep({ set: frozen(set), text, facts: new Set() });
    return set;
  }

  /** The same set, or another that says the same, whose text is known from now on. */
  share<S extends object>(set: S): S {
    const text = escapeForHtml(stringify(set));
    const known = this.#byText.get(text);
    if (known !== undefined) return known.set as S;
    if (text.length <= longestKept) this.#keep({ set: frozen(set), text, facts: new Set() });
    return set;
  }

  /** The text of a set as JSON that is no part of a page has it: nothing is escaped for HTML. */
  plainText(set: unknown): string | undefined {
    const text = this.about(set)?.text;
    return text?.includes('\\u') ? undefined : text;
  }

  /** What is known of a set that was read here, and is kept still. */
  about(set: unknown): KnownFields | undefined {
    return this.#bySet.get(set as object);
  }

  #keep(fields: KnownFields): void {
    this.#byText.set(fields.text, fields);
    this.#bySet.set(fields.set, fields);
    this.#kept += fields.text.length;
    for (const oldest of this.#byText.values()) {
      if (this.#kept <= mostKept) break;
      this.#byText.delete(oldest.text);
      this.#bySet.delete(oldest.set);
      this.#kept -= oldest.text.length;
    }
  }
}

/** To change a set that objects share would change what the others own: it fails instead. */
function frozen(set: object): object {
  for (const each of Object.values(set) as unknown[]) if (typeof each === 'object' && each !== null) frozen(each);
  return Object.freeze(set);
}
