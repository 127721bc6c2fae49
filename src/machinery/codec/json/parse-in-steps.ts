import type { Steps } from '../../../base/steps.ts';

/** Shorter texts are parsed at once. */
const largeText = 512 * 1024;
/** So much is parsed at once of what is larger. */
const textInStep = 64 * 1024;

/** A list or object of which the end is not found yet. */
interface OpenContainer {
  /** where its bracket is */
  start: number;
  isList: boolean;
  /** where in the text the members begin that are not in `value` yet */
  pending: number;
  /** what has been parsed of it; undefined while all of it is pending */
  value: unknown[] | Record<string, unknown> | undefined;
  /** the last string in an object: the name of the member that is being read, once its value begins */
  nameStart: number;
  nameEnd: number;
}

/**
 * JSON.parse of a text that may be large, in steps: lists and objects that are large are put together from parts. Throws a SyntaxError where
 * JSON.parse would, if not in its words.
 */
export function* parsingJson(text: string): Steps<unknown> {
  return text.length < largeText ? (JSON.parse(text) as unknown) : yield* new PartialParser(text).parse();
}

class PartialParser {
  readonly #text: string;
  /** as many as were open at a time; those beyond `#depth` are free */
  readonly #open: OpenContainer[] = [];
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  *parse(): Steps<unknown> {
    const text = this.#text;
    let parsed = 0;
    for (let at = 0; at < text.length; at++) {
      switch (text.charCodeAt(at)) {
        case 0x22: {
          const end = closingQuote(text, at + 1);
          const top = this.#open[this.#depth - 1];
          if (top !== undefined) [top.nameStart, top.nameEnd] = [at, end + 1];
          at = end;
          break;
        }
        case 0x7b:
          this.#enter(at, false);
          break;
        case 0x5b:
          this.#enter(at, true);
          break;
        case 0x7d:
        case 0x5d: {
          const top = this.#leave(at, text.charCodeAt(at) === 0x5d);
          if (this.#depth > 0) break;
          const isAlone = isBlank(text, 0, top.start) && isBlank(text, at + 1, text.length);
          return top.value !== undefined && isAlone ? top.value : (JSON.parse(text) as unknown);
        }
        case 0x2c:
          if (at - parsed < textInStep || this.#depth === 0) break;
          this.#parsePending(at);
          parsed = at;
          yield;
      }
    }
    return JSON.parse(text) as unknown;
  }

  #enter(at: number, isList: boolean): void {
    const reused = this.#open[this.#depth++];
    if (reused === undefined) {
      this.#open.push({ start: at, isList, pending: at + 1, value: undefined, nameStart: 0, nameEnd: 0 });
      return;
    }
    reused.start = at;
    reused.isList = isList;
    reused.pending = at + 1;
    reused.value = undefined;
    reused.nameStart = reused.nameEnd = 0;
  }

  #leave(at: number, isList: boolean): OpenContainer {
    const top = this.#open[--this.#depth];
    if (top === undefined || top.isList !== isList) throw new SyntaxError('brackets do not match');
    if (top.value === undefined) return top;
    this.#take(top, at, false);
    const around = this.#open[this.#depth - 1];
    if (around !== undefined) around.pending = at + 1;
    return top;
  }

  /** Parses what has been read of all that is open; the comma at `end` comes next. */
  #parsePending(end: number): void {
    for (let depth = 0; depth < this.#depth; depth++) {
      const container = this.#open[depth]!;
      const inner = depth + 1 < this.#depth ? this.#open[depth + 1] : undefined;
      if (container.value === undefined) {
        container.value = container.isList ? [] : {};
        if (depth > 0) this.#attach(this.#open[depth - 1]!, container);
      }
      // Where the inner one has its value, all that stands before it is parsed.
      if (inner === undefined) {
        this.#take(container, end, false);
        container.pending = end;
      } else if (inner.value === undefined) {
        this.#take(container, container.isList ? inner.start : container.nameStart, true);
        container.pending = inner.start;
      }
    }
  }

  #attach(around: OpenContainer, { start, value }: OpenContainer): void {
    if (Array.isArray(around.value)) return void around.value.push(value);
    const between = trimmed(this.#text, around.nameEnd, start);
    if (this.#text.slice(...between) !== ':') throw new SyntaxError('a member has no name');
    const name = JSON.parse(this.#text.slice(around.nameStart, around.nameEnd)) as string;
    setOwn(around.value as Record<string, unknown>, name, value);
  }

  /** Adds the members between what has been parsed and `end`, where another member follows, to the value of a container. */
  #take(container: OpenContainer, end: number, isFollowed: boolean): void {
    const text = this.#text;
    let [from, to] = trimmed(text, container.pending, end);
    const isFirst = container.pending === container.start + 1;
    if (!isFirst && (from < to || isFollowed)) {
      if (text[from] !== ',') throw new SyntaxError('members have no comma between them');
      [from, to] = trimmed(text, from + 1, to);
      if (from === to && !isFollowed) throw new SyntaxError('no member follows a comma');
    }
    if (isFollowed && from < to) {
      if (text[to - 1] !== ',') throw new SyntaxError('members have no comma between them');
      [from, to] = trimmed(text, from, to - 1);
      if (from === to) throw new SyntaxError('no member precedes a comma');
    }
    if (from === to) return;
    const members = text.slice(from, to);
    if (container.isList) for (const item of JSON.parse(`[${members}]`) as unknown[]) (container.value as unknown[]).push(item);
    else {
      const parsed = JSON.parse(`{${members}}`) as Record<string, unknown>;
      for (const name of Object.keys(parsed)) setOwn(container.value as Record<string, unknown>, name, parsed[name]);
    }
  }
}

/** A plain assignment to `__proto__` would set the prototype. */
export function setOwn(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  else object[name] = value;
}

function trimmed(text: string, start: number, end: number): [from: number, to: number] {
  let [from, to] = [start, end];
  while (from < to && isBlankCode(text.charCodeAt(from))) from++;
  while (to > from && isBlankCode(text.charCodeAt(to - 1))) to--;
  return [from, to];
}

function isBlank(text: string, start: number, end: number): boolean {
  const [from, to] = trimmed(text, start, end);
  return from === to;
}

function isBlankCode(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

function closingQuote(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at;
    if (code === 0x5c) at++;
  }
  throw new SyntaxError('a string does not end');
}
