import type { Fault } from './faults.ts';

/** One validation of one value: where it stands and what it has found. */
export class Run {
  faults: Fault[] = [];
  readonly #path: (string | number)[] = [];

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

  /** The same fault in the same words is told once. */
  add(fault: Fault): void {
    if (!this.faults.some(({ message }) => message === fault.message)) this.faults.push(fault);
  }

  addAll(faults: readonly Fault[]): void {
    for (const fault of faults) this.add(fault);
  }

  /** Runs with a fresh list of faults and answers it. */
  apart(check: () => number): { readonly faults: Fault[]; readonly matches: number } {
    const outer = this.faults;
    this.faults = [];
    const matches = check();
    const inner = this.faults;
    this.faults = outer;
    return { faults: inner, matches };
  }
}
