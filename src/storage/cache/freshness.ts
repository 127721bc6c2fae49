// Upstream: k8s.io/apiserver/pkg/storage/cacher/watch_cache.go#waitUntilFreshLocked, k8s.io/apiserver/pkg/storage/cacher/progress/watch_progress.go
import type { Clock } from '../../base/clock.ts';
import type { Storage } from '../storage.ts';
import { FutureRevisionError } from '../storage.ts';
import { abortable } from './abortable.ts';

const patienceMilliseconds = 3_000;
const askAgainMilliseconds = 100;

interface Waiter {
  readonly revision: number;
  readonly deadline: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/**
 * Waits for the cache to have seen a revision, and finds out which revision makes a read linearizable.
 * A quiet resource learns of others' writes only through the storage's progress, so that is asked for while there are waiters.
 */
export class Freshness {
  readonly #storage: Storage;
  readonly #prefix: string;
  readonly #clock: Clock;
  /** many changes are being applied, which takes the time that it takes */
  readonly #isApplying: () => boolean;
  readonly #waiters = new Set<Waiter>();
  #revision = 0;
  /** 'ask again': a waiter came after progress was asked for, and the response may be too old for it */
  #progress: 'not asked' | 'asked' | 'ask again' = 'not asked';
  #timer: Disposable | undefined;
  /** the question under way, and the one that callers share who came after it was asked */
  #question: Promise<number> | undefined;
  #nextQuestion: Promise<number> | undefined;

  constructor(storage: Storage, prefix: string, clock: Clock, isApplying: () => boolean) {
    this.#storage = storage;
    this.#prefix = prefix;
    this.#clock = clock;
    this.#isApplying = isApplying;
  }

  /** The storage's revision, asked for after this call. */
  currentRevision(): Promise<number> {
    if (this.#question === undefined) return this.#ask();
    const afterwards = (): Promise<number> => {
      this.#nextQuestion = undefined;
      return this.#ask();
    };
    return (this.#nextQuestion ??= this.#question.then(afterwards, afterwards));
  }

  waitFor(revision: number, signal?: AbortSignal): Promise<void> {
    if (revision <= this.#revision) return Promise.resolve();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter = { revision, deadline: this.#clock.elapsed() + patienceMilliseconds, resolve, reject };
    this.#waiters.add(waiter);
    if (this.#progress === 'not asked') this.#askForProgress();
    else this.#progress = 'ask again';
    this.#timer ??= this.#clock.setTimeout(() => this.#tick(), askAgainMilliseconds);
    return signal === undefined ? promise : abortable(promise, signal).finally(() => this.#waiters.delete(waiter));
  }

  /** The cache has seen everything up to `revision`; `progress`: the storage said so, perhaps because it was asked. */
  reached(revision: number, progress: boolean): void {
    this.#revision = revision;
    const again = this.#progress === 'ask again';
    if (progress) this.#progress = 'not asked';
    if (this.#waiters.size === 0) return;
    for (const waiter of this.#waiters) {
      if (waiter.revision > revision) continue;
      this.#waiters.delete(waiter);
      waiter.resolve();
    }
    if (progress && again && this.#waiters.size > 0) this.#askForProgress();
  }

  close(error: Error): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
    for (const waiter of this.#waiters) waiter.reject(error);
    this.#waiters.clear();
  }

  #ask(): Promise<number> {
    const question = this.#storage.currentRevision();
    this.#question = question;
    const answered = (): void => {
      if (this.#question === question) this.#question = undefined;
    };
    question.then(answered, answered);
    return question;
  }

  #askForProgress(): void {
    this.#progress = 'asked';
    this.#storage.requestProgress?.(this.#prefix);
  }

  /** Runs while there are waiters: gives up on those who waited long enough and asks for progress again. */
  #tick(): void {
    this.#timer = undefined;
    const now = this.#clock.elapsed();
    for (const waiter of this.#waiters) {
      if (waiter.deadline > now || this.#isApplying()) continue;
      this.#waiters.delete(waiter);
      waiter.reject(new FutureRevisionError(this.#revision));
    }
    if (this.#waiters.size === 0) return;
    this.#askForProgress();
    this.#timer = this.#clock.setTimeout(() => this.#tick(), askAgainMilliseconds);
  }
}
