// Upstream: k8s.io/client-go/util/jsonpath/{parser,jsonpath}.go

/** Why a path cannot be read, or cannot be followed in a value. */
export class JsonPathError extends Error {
  override readonly name = 'JsonPathError';
}

/** How many values may still be looked at. Paths that descend, or have a part for every item, look at more than there are, by any factor. */
export class JsonPathBudget {
  #left: number;

  constructor(values = 200_000) {
    this.#left = values;
  }

  /** For what is known only when it has been done: the next one has less. */
  charge(values: number): void {
    this.#left -= values;
  }

  spend(values: number): void {
    this.charge(values);
    if (this.#left < 0) throw new JsonPathError('too many values to look at');
  }
}

type Step = (values: readonly unknown[], budget: JsonPathBudget) => readonly unknown[];

/** A path such as `.spec.ports[0].name` or `.status.conditions[?(@.type=="Ready")].status`. */
export interface JsonPath {
  /** What the path leads to; nothing where keys are missing. Throws JsonPathError when it asks for the impossible. */
  find(value: unknown, budget?: JsonPathBudget): readonly unknown[];
}

/** Reads a path as it stands between braces in kubectl's templates. Throws JsonPathError. */
export function parseJsonPath(text: string): JsonPath {
  const steps = new Parser(text).parse();
  return { find: (value, budget = new JsonPathBudget()) => follow(steps, [value], budget) };
}

function follow(steps: readonly Step[], values: readonly unknown[], budget: JsonPathBudget): readonly unknown[] {
  let current = values;
  for (const step of steps) {
    budget.spend(current.length);
    current = step(current, budget);
  }
  return current;
}

/** The first character as Go describes it: `U+007B '{'`, and only by number if it does not print. */
function describeCharacter(text: string): string {
  const code = text.codePointAt(0) ?? 0;
  const character = String.fromCodePoint(code);
  const number = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  return /[\p{C}\p{Z}]/u.test(character) ? number : `${number} '${character}'`;
}

const slice = /^(-?\d*)(:-?\d*)?(:-?\d*)?$/;
const comparison = /^([^!<>=]+)([!<>=]+)(.+?)$/s;

class Parser {
  readonly #text: string;
  readonly #steps: Step[] = [];
  #at = 0;
  #lastIsRecursive = false;

  constructor(text: string) {
    this.#text = text;
  }

  parse(): readonly Step[] {
    while (this.#at < this.#text.length) this.#step();
    return this.#steps;
  }

  #add(step: Step, isRecursive = false): void {
    this.#steps.push(step);
    this.#lastIsRecursive = isRecursive;
  }

  #step(): void {
    const rest = this.#text.slice(this.#at);
    if (rest.startsWith('[?(')) return this.#filter();
    if (rest.startsWith('..')) return this.#recursive();
    const first = rest[0] as string;
    if (first === ' ' || first === '@' || first === '$') this.#at++;
    else if (first === '[') this.#brackets();
    else if (first === '.') {
      this.#at++;
      this.#field();
    } else if (first === '"' || first === "'") this.#quoted(first);
    else if (/[-+\d]/.test(first)) this.#number();
    else if (/[_\p{L}\p{N}]/u.test(first)) this.#identifier();
    else if (first === '\n' || first === '\r') throw new JsonPathError('unclosed action');
    else throw new JsonPathError(`unrecognized character in action: ${describeCharacter(rest)}`);
  }

  /** Up to the next character that ends a name; a backslash makes the following one part of it. */
  #name(): string {
    let name = '';
    while (this.#at < this.#text.length) {
      const character = this.#text[this.#at] as string;
      if (character === '\\') {
        name += this.#text[this.#at + 1] ?? '';
        this.#at += 2;
        continue;
      }
      if (/[\s.,[\]$@{}]/.test(character)) break;
      name += character;
      this.#at++;
    }
    return name;
  }

  #field(): void {
    const name = this.#name();
    this.#add(name === '*' ? everything : (values) => values.flatMap((value) => member(value, name)));
  }

  #recursive(): void {
    if (this.#lastIsRecursive) throw new JsonPathError('invalid multiple recursive descent');
    this.#at += 2;
    this.#add(descend, true);
    if (/[_\p{L}\p{N}]/u.test(this.#text[this.#at] ?? '')) this.#field();
  }

  #identifier(): void {
    const name = this.#name();
    if (name === 'true' || name === 'false') this.#constant(name === 'true');
    else
      this.#add(() => {
        throw new JsonPathError(`unrecognized identifier ${name}`);
      });
  }

  #number(): void {
    const text = /^[-+]?[\d.]*/.exec(this.#text.slice(this.#at))?.[0] ?? '';
    this.#at += text.length;
    if (!/\d/.test(text) || Number.isNaN(Number(text))) throw new JsonPathError(`cannot parse number ${text}`);
    this.#constant(Number(text));
  }

  #quoted(quote: string): void {
    const begin = this.#at + 1;
    let end = begin;
    while (this.#text[end] !== quote || this.#text[end - 1] === '\\') {
      if (end >= this.#text.length) throw new JsonPathError('unterminated quoted string');
      end++;
    }
    this.#at = end + 1;
    this.#constant(this.#text.slice(begin, end).replaceAll(/\\(.)/gs, '$1'));
  }

  #constant(constant: unknown): void {
    this.#add((values) => values.map(() => constant));
  }

  #brackets(): void {
    const end = this.#text.indexOf(']', this.#at);
    if (end < 0) throw new JsonPathError('unterminated array');
    const inside = this.#text.slice(this.#at + 1, end);
    this.#at = end + 1;
    const parts = inside.split(',');
    if (parts.length === 1) return bracketSteps(inside).forEach((step) => this.#add(step));
    const alternatives = parts.map((part) => bracketSteps(part.trim()));
    this.#add((values, budget) => alternatives.flatMap((steps) => follow(steps, values, budget)));
  }

  #filter(): void {
    const begin = this.#at + 3;
    let quote: string | undefined;
    let end = begin;
    for (; ; end++) {
      const character = this.#text[end];
      if (character === undefined || character === '\n') throw new JsonPathError('unterminated filter');
      if (quote === undefined && character === ')') break;
      if (quote === undefined && (character === '"' || character === "'")) quote = character;
      else if (character === quote && this.#text[end - 1] !== '\\') quote = undefined;
    }
    if (this.#text[end + 1] !== ']') throw new JsonPathError('unclosed array expect ]');
    this.#at = end + 2;
    this.#add(filterStep(this.#text.slice(begin, end)));
  }
}

function bracketSteps(inside: string): readonly Step[] {
  const key = /^'([^']*)'$/.exec(inside)?.[1];
  if (key !== undefined) return new Parser(`.${key}`).parse();
  const match = slice.exec(inside === '*' ? ':' : inside);
  if (match === null) throw new JsonPathError(`invalid array index ${inside}`);
  const [, first = '', second, third] = match;
  const known = (part: string | undefined): number | undefined => (part === undefined || part === ':' ? undefined : Number(part.slice(1)));
  const from = first === '' ? undefined : Number(first);
  // A single index means that element alone.
  return [sliceStep(from, second === undefined ? 'one' : known(second), known(third))];
}

function sliceStep(from: number | undefined, to: number | 'one' | undefined, step: number | undefined): Step {
  if (step !== undefined && step <= 0) {
    return () => {
      throw new JsonPathError('step must be > 0');
    };
  }
  return (values, budget) =>
    values.flatMap((value) => {
      if (value === null || value === undefined) return [];
      if (!Array.isArray(value)) throw new JsonPathError('the value is not array or slice');
      const { length } = value;
      const fromEnd = (index: number): number => (index < 0 ? index + length : index);
      const begin = fromEnd(from ?? 0);
      const end = to === 'one' ? begin + 1 : fromEnd(to ?? length);
      if (begin === end) return [];
      if (begin >= length || begin < 0) throw new JsonPathError(`array index out of bounds: index ${begin}, length ${length}`);
      if (end > length || end < 0) throw new JsonPathError(`array index out of bounds: index ${end - 1}, length ${length}`);
      if (begin < end) budget.spend(end - begin);
      if (begin > end) throw new JsonPathError(`starting index ${begin} is greater than ending index ${end}`);
      return value.slice(begin, end).filter((_, i) => i % (step ?? 1) === 0) as unknown[];
    });
}

function filterStep(text: string): Step {
  const match = comparison.exec(text);
  const left = new Parser(match?.[1] ?? text).parse();
  const right = match === null ? [] : new Parser(match[3] as string).parse();
  const operator = match?.[2];
  return (values, budget) =>
    values.flatMap((value) => {
      if (!Array.isArray(value)) throw new JsonPathError('the value is not array or slice and cannot be filtered');
      return value.filter((item) => {
        const lefts = follow(left, [item], budget);
        if (operator === undefined) return lefts.length > 0;
        if (lefts.length === 0) return false;
        const rights = follow(right, [item], budget);
        if (rights.length === 0) return false;
        if (lefts.length > 1 || rights.length > 1) throw new JsonPathError('can only compare one element at a time');
        return compare(operator, lefts[0], rights[0]);
      }) as unknown[];
    });
}

function compare(operator: string, left: unknown, right: unknown): boolean {
  if (typeof left !== typeof right || typeof left === 'object') throw new JsonPathError('incompatible types for comparison');
  const [a, b] = [left as string | number, right as string | number];
  switch (operator) {
    case '==':
      return a === b;
    case '!=':
      return a !== b;
    case '<':
      return a < b;
    case '<=':
      return a <= b;
    case '>':
      return a > b;
    case '>=':
      return a >= b;
    default:
      throw new JsonPathError(`unrecognized filter operator ${operator}`);
  }
}

function member(value: unknown, name: string): unknown[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, name)) return [];
  return [(value as Record<string, unknown>)[name]];
}

const everything: Step = (values, budget) => values.flatMap((value) => contents(value, budget));

/** The value and everything below it that has contents of its own, outermost first. */
const descend: Step = (values, budget) => {
  const found: unknown[] = [];
  const open = values.toReversed();
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'string') {
      // Its bytes have no contents.
      if (value !== '') found.push(value);
      continue;
    }
    const below = contents(value, budget);
    if (below.length === 0) continue;
    found.push(value);
    for (let at = below.length - 1; at >= 0; at--) open.push(below[at]);
  }
  return found;
};

/** A string consists of its bytes, which are numbers. */
function contents(value: unknown, budget: JsonPathBudget): readonly unknown[] {
  if (typeof value === 'string') {
    budget.spend(value.length);
    return [...Buffer.from(value)];
  }
  if (typeof value !== 'object' || value === null) return [];
  const below: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  budget.spend(below.length);
  return below;
}
