import type { Case, RecordedCase, Result } from '../parity/case.ts';
import type { ParityClient } from '../parity/client.ts';
import { compare } from '../parity/comparison.ts';
import { playAll } from '../parity/play-all.ts';
import { keepStable } from '../parity/record.ts';
import { Score, scoreLines } from '../parity/score.ts';
import type { Document } from './documents.ts';
import { manifestCase } from './manifest-cases.ts';
import type { ServedKind } from './served-kinds.ts';

type Results = Map<string, readonly Result[]>;

/** How often upstream is asked for what it does not repeat. */
const mostTimes = 24;

/**
 * Plays cases on both servers at once, and counts what differs. Where upstream itself has several responses, which depend on the order of its maps, ours
 * must be one of them; what it never repeats, such as a time, is left out. Either is named.
 */
export class Comparison {
  readonly score = new Score();
  readonly #reference: ParityClient;
  readonly #ours: ParityClient;
  readonly #unstable = new Map<string, string>();
  readonly #varied: string[] = [];
  #requests = 0;
  #notServed = 0;

  constructor(reference: ParityClient, ours: ParityClient) {
    this.#reference = reference;
    this.#ours = ours;
  }

  async cases(documents: readonly Document[], kinds: ReadonlyMap<string, ServedKind>): Promise<Case[]> {
    const cases: Case[] = [];
    for (const document of documents) {
      const kind = kinds.get(`${document.object.apiVersion} ${document.object.kind}`);
      if (kind === undefined) this.#notServed++;
      else cases.push(manifestCase(document, kind, await this.#exists(document, kind)));
    }
    return cases;
  }

  async #exists({ object }: Document, { prefix, plural, isNamespaced }: ServedKind): Promise<boolean> {
    if (isNamespaced) return false;
    const path = `${prefix}/${plural}/${encodeURIComponent(object.metadata.name ?? '')}`;
    const response = await this.#reference.ask({ method: 'GET', path });
    return response.error === undefined && response.status === 200;
  }

  /** `isOnce`: what is left behind by a case changes what it does the second time, so that upstream cannot be asked again. */
  async play(what: string, cases: readonly Case[], { concurrency = 8, isOnce = false } = {}): Promise<void> {
    for (const round of rounds(cases)) await this.#playRound(round, concurrency, isOnce);
    const { total, exact } = this.score.total;
    console.error(`  ${what}: ${cases.length} cases; ${exact} of ${total} so far as upstream`);
  }

  async #playRound(cases: readonly Case[], concurrency: number, isOnce: boolean): Promise<void> {
    const [theirs, own] = await Promise.all([this.#reference, this.#ours].map((client) => playedBy(client, cases, concurrency)));
    const resultOf = (results: Results | undefined, { name }: Case): readonly Result[] => results?.get(name) ?? [];
    const recorded = cases.map((one) => ({ case: one, result: resultOf(theirs, one) }));
    this.#requests += recorded.reduce((sum, { result }) => sum + result.length, 0);
    const same = recorded.filter((one) => isOnce || compare(one, resultOf(own, one.case)).exact);
    const { kept, unstable } = await keepStable(
      this.#reference,
      recorded.filter((one) => !same.includes(one)),
      () => () => {},
      mostTimes,
    );
    for (const one of recorded.filter((each) => unstable.has(each.case.name))) {
      if (!(await this.#addVaried(one, resultOf(own, one.case)))) this.#unstable.set(one.case.name, unstable.get(one.case.name) ?? '');
    }
    for (const one of [...same, ...kept]) {
      if (isOnce) await this.addOnce(one, resultOf(own, one.case));
      else this.score.add(one, resultOf(own, one.case));
    }
  }

  /**
   * What upstream was asked only once may have its causes in another order the next time: that counts for nothing. What it refused left nothing
   * behind, so that it can be asked again.
   */
  async addOnce(recorded: RecordedCase, results: readonly Result[]): Promise<void> {
    const unordered = !compare(recorded, results).exact;
    const once = unordered ? { ...recorded, unordered } : recorded;
    const isRefused = recorded.result.every(({ status = 0 }) => status >= 400);
    if (unordered && isRefused && !compare(once, results).exact && (await this.#addVaried(recorded, results))) return;
    this.score.add(once, results);
  }

  /** Asks upstream until it says what ours said; false if it never does. */
  async #addVaried({ case: one }: RecordedCase, results: readonly Result[]): Promise<boolean> {
    for (let times = 0; times < mostTimes; times++) {
      const result = (await playedBy(this.#reference, [one], 1)).get(one.name) ?? [];
      const recorded = { case: one, result, unordered: true };
      if (!compare(recorded, results).exact) continue;
      this.score.add(recorded, results);
      this.#varied.push(one.name);
      return true;
    }
    return false;
  }

  *lines({ causes, failing }: { readonly causes: number; readonly failing: boolean }): Generator<string> {
    yield* scoreLines(this.score, { byKind: false, causes });
    if (failing) yield* this.score.failing;
    for (const name of this.#varied) yield `upstream has several answers, and ours is one of them: ${name}`;
    for (const [name, why] of this.#unstable) yield `not counted, since upstream does not repeat its answer: ${name} (${why})`;
    yield `${this.#requests} requests to each server; ${this.#notServed} documents of kinds that are not served`;
  }
}

async function playedBy(client: ParityClient, cases: readonly Case[], concurrency: number): Promise<Results> {
  const results: Results = new Map();
  await playAll(client, cases, ({ name }, answered) => void results.set(name, answered), { concurrency });
  return results;
}

/** Objects of one name without a namespace follow each other. */
function rounds(cases: readonly Case[]): Case[][] {
  const all: Case[][] = [];
  const times = new Map<string, number>();
  for (const one of cases) {
    const path = one.steps[1]?.path ?? one.name;
    const round = path.includes('{ns}') ? 0 : (times.get(path) ?? 0);
    times.set(path, round + 1);
    (all[round] ??= []).push(one);
  }
  return all;
}
