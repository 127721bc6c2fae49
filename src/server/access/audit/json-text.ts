/** JSON texts that are recorded as they came: what they say stays, numbers of any size included. They may be long: a list of all there is. */
import type { Steps } from '../../../base/steps.ts';

/** So many characters are looked at before others may have their turn. */
const charactersInStep = 128 * 1024;

const quote = 0x22;
const comma = 0x2c;
const openList = 0x5b;
const backslash = 0x5c;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;
const blank = 0x20;

/** Without blanks between tokens, as upstream writes what it was given. A string that does not end goes up to the end of the text. */
export function* compactJson(text: string): Steps<string> {
  const kept = new Kept(text);
  for (let at = 0, pause = charactersInStep; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = closingQuote(text, at);
    else if (code <= blank) {
      const start = at;
      while (text.charCodeAt(at + 1) <= blank) at++;
      kept.cut(start, at + 1);
    }
    if (at < pause) continue;
    pause = at + charactersInStep;
    kept.gather();
    yield;
  }
  return kept.text;
}

export interface TypeMeta {
  readonly kind?: string;
  readonly apiVersion?: string;
}

const startsWithType = /^\{"(kind|apiVersion)":("[^"\\]*"),"(kind|apiVersion)":("[^"\\]*")[,}]/;

/** What the object in a compact text says it is; most say it first. */
export function* typeMetaIn(text: string): Steps<TypeMeta> {
  const [, one, value, other, otherValue] = startsWithType.exec(text.slice(0, 1024)) ?? [];
  if (one !== undefined && other !== undefined && one !== other)
    return { [one]: JSON.parse(value ?? '') as string, [other]: JSON.parse(otherValue ?? '') as string };
  const found: Record<string, string> = {};
  yield* visitKeys(text, (path, at) => {
    const [key] = path;
    if (path.length > 1 || (key !== 'kind' && key !== 'apiVersion') || text.charCodeAt(at) !== quote) return;
    found[key] = JSON.parse(text.slice(at, closingQuote(text, at) + 1)) as string;
  });
  return found;
}

/** Stands in a path for any place in a list; no key is a mere quote. */
const anyItem = '"';
/** Of an object, of an item of a list, and of the object of a row of a Table. */
const managedFields: ReadonlySet<string> = new Set(
  [['metadata'], ['items', anyItem, 'metadata'], ['rows', anyItem, 'object', 'metadata']].map((at) => [...at, 'managedFields'].join(' ')),
);

/** An object, a list or a table, as compact text, without who owns which fields. */
export function* withoutManagedFields(text: string): Steps<string> {
  if (!text.includes('"managedFields"')) return text;
  const kept = new Kept(text);
  yield* visitKeys(
    text,
    (path) => path.at(-1) === 'managedFields' && managedFields.has(path.join(' ')),
    (start, end) => {
      kept.cut(start, end);
      kept.gather();
    },
  );
  return kept.text;
}

/**
 * Calls back with the path of every field of a compact text, and with where its value begins. What it says yes to is given to `drop`: where the
 * field begins and ends, with the comma that goes with it.
 */
function* visitKeys(
  text: string,
  visit: (path: readonly string[], valueAt: number) => boolean | void,
  drop?: (start: number, end: number) => void,
): Steps<void> {
  const path: string[] = [];
  let isKey = false;
  let dropped: { readonly depth: number; readonly start: number } | undefined;
  for (let at = 0, pause = charactersInStep; at < text.length; at++) {
    const code = text.charCodeAt(at);
    switch (code) {
      case quote: {
        const end = closingQuote(text, at);
        if (isKey) {
          isKey = false;
          path[path.length - 1] = text.slice(at + 1, end);
          if (dropped === undefined && visit(path, end + 2) === true)
            dropped = { depth: path.length, start: text.charCodeAt(at - 1) === comma ? at - 1 : at };
        }
        at = end;
        break;
      }
      case openObject:
        path.push('');
        isKey = true;
        break;
      case openList:
        path.push(anyItem);
        break;
      case comma:
      case closeObject:
      case closeList:
        if (dropped !== undefined && dropped.depth === path.length) {
          const takesNext = code === comma && text.charCodeAt(dropped.start) !== comma;
          drop?.(dropped.start, takesNext ? at + 1 : at);
          dropped = undefined;
        }
        if (code === comma) isKey = path.at(-1) !== anyItem;
        else {
          path.pop();
          isKey = false;
        }
        break;
    }
    if (at < pause) continue;
    pause = at + charactersInStep;
    yield;
  }
}

/** What is left of a text of which parts are cut out, from its beginning to its end. */
class Kept {
  readonly #text: string;
  readonly #gathered: string[] = [];
  #pieces: string[] = [];
  #from = 0;

  constructor(text: string) {
    this.#text = text;
  }

  cut(start: number, end: number): void {
    this.#pieces.push(this.#text.slice(this.#from, start));
    this.#from = end;
  }

  /** Makes one of the pieces so far: there may be millions. */
  gather(): void {
    if (this.#pieces.length === 0) return;
    this.#gathered.push(this.#pieces.join(''));
    this.#pieces = [];
  }

  get text(): string {
    this.cut(this.#text.length, this.#text.length);
    this.gather();
    return this.#gathered.length === 1 ? (this.#gathered[0] as string) : this.#gathered.join('');
  }
}

/** Of the string that begins at `at`; the length of the text where it does not end. */
function closingQuote(text: string, at: number): number {
  for (let end = at; ;) {
    end = text.indexOf('"', end + 1);
    if (end < 0) return text.length;
    let before = end;
    while (text.charCodeAt(before - 1) === backslash) before--;
    if ((end - before) % 2 === 0) return end;
  }
}
