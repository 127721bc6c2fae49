import { requestEntityTooLarge } from '../../machinery/errors.ts';
import type { Fault } from './faults.ts';

/** What a check has found; the same fault in the same words is told once. */
export class Faults {
  /** made by the first fault: most values have none */
  #byMessage: Map<string, Fault> | undefined;

  get all(): readonly Fault[] {
    return this.#byMessage === undefined ? [] : [...this.#byMessage.values()];
  }

  get isEmpty(): boolean {
    return this.#byMessage === undefined;
  }

  add(fault: Fault): void {
    this.#byMessage ??= new Map<string, Fault>();
    if (!this.#byMessage.has(fault.message)) this.#byMessage.set(fault.message, fault);
  }
}

/** Of an object with all its values. Upstream has no limit: each value of a large list may have to be compared with many alternatives. */
const mostAlternatives = 100_000;

/** One validation of one value: where it stands and what it has found. */
export class Run {
  #faults = new Faults();
  #alternatives = 0;
  readonly #path: (string | number)[] = [];

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

  add(fault: Fault): void {
    this.#faults.add(fault);
  }

  addAll({ all }: Faults): void {
    for (const fault of all) this.#faults.add(fault);
  }

  /** Runs with nothing found yet and answers what was found. */
  apart(check: () => number): { readonly faults: Faults; readonly matches: number } {
    if (++this.#alternatives > mostAlternatives) throw requestEntityTooLarge(`limit is ${mostAlternatives} alternatives to compare with`);
    const outer = this.#faults;
    const inner = (this.#faults = new Faults());
    const matches = check();
    this.#faults = outer;
    return { faults: inner, matches };
  }
}
