import type { Clock } from '../../../base/clock.ts';

/** How late the event loop may be before fewer seats are handed out. */
const targetMs = 5;
const sampleMs = 10;
/** weight of the newest sample */
const weight = 0.25;
/** of what is handed out, in one step: down by so much at most, and up */
const steepest = 0.7;
const recovery = 0.02;
const leastShare = 0.1;
/** share of the time that this process must have worked: a loop that is late because the machine has other work gains nothing by fewer lists */
const leastWork = 0.5;
/** What the process had worked before that says nothing of now; what is known of now holds for so long. */
const askedWithinMs = 500;
const knownForMs = 50;
/** An idle server does not measure. */
const restAfterMs = 1000;

export interface LoopDelayOptions {
  readonly clock: Clock;
  /** milliseconds, monotonic */
  readonly now: () => number;
  /** milliseconds that this process has worked */
  readonly worked: () => number;
  /** how much of the seats is to be handed out has changed */
  readonly changed: (share: number) => void;
}

/**
 * How long whatever is due has to wait for the event loop, measured while requests are served, and the share of the seats that is handed out
 * for it: all of them while the loop is in time, fewer the longer it is late, more again when it is not.
 */
export class LoopDelay implements Disposable {
  readonly #options: LoopDelayOptions;
  #timer: Disposable | undefined;
  #isOver = false;
  #usedAt = 0;
  #delayMs = 0;
  #share = 1;
  #asked: { readonly at: number; readonly worked: number; readonly yes: boolean } | undefined;

  constructor(options: LoopDelayOptions) {
    this.#options = options;
  }

  /** smoothed */
  get seconds(): number {
    return this.#delayMs / 1000;
  }

  get share(): number {
    return this.#share;
  }

  /** A request is served that can be made to wait. */
  used(now: number): void {
    this.#usedAt = now;
    if (this.#timer === undefined && !this.#isOver) this.#sampleLater();
  }

  /** The server stops: nothing is measured any more. */
  [Symbol.dispose](): void {
    this.#isOver = true;
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
  }

  #sampleLater(): void {
    const { clock, now } = this.#options;
    const due = now() + sampleMs;
    this.#timer = clock.setTimeout(() => {
      const at = now();
      const late = Math.max(0, at - due);
      this.sample(late <= targetMs || this.#hasWorked(at) ? late : 0);
      if (this.#share === 1 && at - this.#usedAt > restAfterMs) {
        this.#timer = undefined;
        this.#delayMs = 0;
      } else this.#sampleLater();
    }, sampleMs);
  }

  /** Whether it was this process that worked since it was last asked. To ask is dear: it is done when the loop is late, and the first time is for nothing. */
  #hasWorked(at: number): boolean {
    const before = this.#asked;
    if (before !== undefined && at - before.at < knownForMs) return before.yes;
    const worked = this.#options.worked();
    const isRecent = before !== undefined && at - before.at <= askedWithinMs;
    const yes = isRecent && worked - before.worked >= leastWork * (at - before.at);
    this.#asked = { at, worked, yes };
    return yes;
  }

  /** The loop was late by this much. */
  sample(lateMs: number): void {
    this.#delayMs += (lateMs - this.#delayMs) * weight;
    const ratio = targetMs / this.#delayMs;
    const wanted = ratio < 1 ? this.#share * Math.max(steepest, ratio) : this.#share + recovery;
    const share = Math.max(leastShare, Math.min(1, wanted));
    if (share === this.#share) return;
    this.#share = share;
    this.#options.changed(share);
  }
}
