/** lines with one message that are written at once */
const burst = 100;
/** and then, for as long as it goes on */
const perSecond = 5;
/** messages that are kept in mind */
const mostMessages = 1000;

interface Allowance {
  left: number;
  since: number;
  suppressed: number;
}

/**
 * Bounds what trouble writes: a client, or a disk, that fails a thousand times a second must not fill another disk. Of warnings and errors
 * with the same message a burst is written, then a few per second; the next that is written says how many were not.
 */
export class Repetition {
  readonly #messages = new Map<string, Allowance>();

  /** How many lines with this message were left out before this one; undefined: this one is to be left out as well. */
  admit(message: string, now: number): number | undefined {
    let allowance = this.#messages.get(message);
    if (allowance === undefined) {
      if (this.#messages.size >= mostMessages) this.#messages.clear();
      this.#messages.set(message, (allowance = { left: burst, since: now, suppressed: 0 }));
    }
    allowance.left = Math.min(burst, allowance.left + ((now - allowance.since) / 1000) * perSecond);
    allowance.since = now;
    if (allowance.left < 1) {
      allowance.suppressed++;
      return undefined;
    }
    allowance.left--;
    const { suppressed } = allowance;
    allowance.suppressed = 0;
    return suppressed;
  }
}
