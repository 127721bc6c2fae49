import type { Regex } from '../../cel/regex.ts';
import { requestEntityTooLarge } from '../../machinery/errors.ts';
import type { Fault } from './faults.ts';

const mostFaults = 12_000;
const mostText = 4 * 1024 * 1024;

/** What a check has found; the same fault in the same words is reported once. */
export class Faults {
  /** Most values have none, and most alternatives that do not fit have one. */
  #first: Fault | undefined;
  /** made by the second */
  #byMessage: Map<string, Fault> | undefined;
  #room = mostText;

  get all(): readonly Fault[] {
    if (this.#byMessage !== undefined) return [...this.#byMessage.values()];
    return this.#first === undefined ? [] : [this.#first];
  }

  get isEmpty(): boolean {
    return this.#first === undefined;
  }

  /** As many as a response contains, and more: the rest need not be kept. */
  get isFull(): boolean {
    return this.#room < 0 || (this.#byMessage?.size ?? 0) > mostFaults;
  }

  add(fault: Fault): void {
    if (this.#first === undefined) {
      this.#first = fault;
      this.#room -= fault.message.length;
      return;
    }
    this.#byMessage ??= new Map([[this.#first.message, this.#first]]);
    if (this.isFull || this.#byMessage.has(fault.message)) return;
    this.#byMessage.set(fault.message, fault);
    this.#room -= fault.message.length;
  }
}

/** Of an object with all its values. Upstream has no limit: each value of a large list may have to be compared with many alternatives. */
const mostAlternatives = 60_000;
/** Values that are looked at within alternatives: each of a few may be for a list of hundreds of thousands. */
const mostCompared = 300_000;
/** Faults that are worded for one value, most of which may be those of alternatives, or be let through: from there on, each has one at most. */
const mostWorded = 40_000;

/** Thrown by a validation whose patterns have taken as long as they may at a time: it is to begin again, with what is known by then. */
export class UnfinishedError extends Error {
  override readonly name = 'UnfinishedError';
}

/** So many milliseconds may searches with patterns take before others get their turn. */
const sliceMs = 8;

/** Which texts patterns match, as far as that is known: a value may have many texts, and each may take long. */
export class Matches {
  readonly #known = new Map<Regex, Map<string, boolean>>();
  readonly #isInSteps: boolean;
  #takenMs = 0;

  constructor(isInSteps: boolean) {
    this.#isInSteps = isInSteps;
  }

  matches(regex: Regex, text: string): boolean {
    if (!this.#isInSteps || regex.isQuick) return regex.test(text) === true;
    let texts = this.#known.get(regex);
    const known = texts?.get(text);
    if (known !== undefined) return known;
    if (this.#takenMs >= sliceMs) throw new UnfinishedError();
    if (texts === undefined) this.#known.set(regex, (texts = new Map()));
    const began = performance.now();
    const isMatch = regex.test(text) === true;
    this.#takenMs += performance.now() - began;
    texts.set(text, isMatch);
    return isMatch;
  }

  beginAgain(): void {
    this.#takenMs = 0;
  }
}

/** One validation of one value: where it stands and what it has found. */
export class Run {
  #faults = new Faults();
  #alternatives = 0;
  /** how many alternatives the value that is looked at is in */
  #depth = 0;
  #compared = 0;
  #worded = 0;
  readonly #path: (string | number)[] = [];
  readonly matches: Matches;

  constructor(matches: Matches) {
    this.matches = matches;
  }

  get faults(): Faults {
    return this.#faults;
  }

  get isAtRoot(): boolean {
    return this.#path.length === 0;
  }

  enter(step: string | number): void {
    this.#path.push(step);
  }

  leave(): void {
    this.#path.pop();
  }

  /** `spec.list[0].name`; made only when there is something to tell */
  get path(): string {
    let text = '';
    for (const step of this.#path) {
      if (typeof step === 'number') text += `[${step}]`;
      else text += text === '' ? step : `.${step}`;
    }
    return text;
  }

  get takesMore(): boolean {
    return !this.#faults.isFull && (this.#worded < mostWorded || this.#faults.isEmpty);
  }

  /** The fault is worded only where there is room for it: a list may have hundreds of thousands. */
  add(word: () => Fault): void {
    if (!this.takesMore) return;
    this.#worded++;
    this.#faults.add(word());
  }

  addAll({ all }: Faults): void {
    for (const fault of all) this.#faults.add(fault);
  }

  /** An alternative, which a value may fit or not. */
  compare(check: () => number): { readonly faults: Faults; readonly matches: number } {
    this.#depth++;
    const found = this.apart(check);
    this.#depth--;
    return found;
  }

  countCompared(): void {
    if (this.#depth > 0 && ++this.#compared > mostCompared)
      throw requestEntityTooLarge(`limit is ${mostCompared} values to compare with alternatives`);
  }

  /** Runs with nothing found yet and returns what was found. */
  apart(check: () => number): { readonly faults: Faults; readonly matches: number } {
    if (++this.#alternatives > mostAlternatives) throw requestEntityTooLarge(`limit is ${mostAlternatives} alternatives to compare with`);
    const outer = this.#faults;
    const inner = (this.#faults = new Faults());
    const matches = check();
    this.#faults = outer;
    return { faults: inner, matches };
  }
}
