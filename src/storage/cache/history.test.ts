import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { OrderedMap } from '../ordered-map.ts';
import { History } from './history.ts';
import type { Change } from './state.ts';
import type { CacheEntry } from './types.ts';

const stale = 80_000;

function entry(key: string, revision: number): CacheEntry {
  return { key, revision, labels: undefined, fields: {} };
}

/** A history and the state that it is the history of. */
class Subject {
  readonly history: History<CacheEntry>;
  readonly state = new OrderedMap<CacheEntry>();
  revision = 10;
  now = 0;

  constructor(size?: number, bytes = 0) {
    this.history = new History(size, () => bytes);
    this.history.reset(this.revision, this.state.snapshot());
  }

  put(key: string, milliseconds = 0): void {
    this.now += milliseconds;
    const value = entry(key, ++this.revision);
    this.state.set(key, value);
    const change: Change<CacheEntry> = { key, revision: this.revision, entry: value, event: undefined };
    this.history.record(change, this.now, () => this.state.snapshot());
  }

  fill(count: number, milliseconds = 0): void {
    for (let i = 0; i < count; i++) this.put(`k${i % 37}`, milliseconds);
  }
}

describe('History', () => {
  test('holds as many changes as it was told while they are old enough', () => {
    const subject = new Subject(20);
    subject.fill(50, stale);
    assert.deepEqual([subject.history.length, subject.history.capacity, subject.history.floor], [20, 20, 40]);
  });

  test('doubles while its oldest change is younger than 75 seconds, and halves when most are older', () => {
    const subject = new Subject();
    subject.fill(1_000);
    assert.deepEqual([subject.history.length, subject.history.capacity, subject.history.floor], [1_000, 1_600, 10]);
    subject.fill(600);
    subject.fill(5_000, stale);
    assert.equal(subject.history.capacity, 100);
    assert.equal(subject.history.length, 100);
  });

  test('stops growing at a hundred thousand', () => {
    const subject = new Subject();
    subject.fill(110_000);
    assert.equal(subject.history.capacity, 102_400);
    assert.equal(subject.history.length, 102_400);
    assert.equal(subject.history.floor, 10 + 110_000 - 102_400);
  });

  test('holds 64 MB of values, and no fewer changes than it was told', () => {
    const subject = new Subject(20, 1 << 20);
    subject.fill(70);
    assert.deepEqual([subject.history.length, subject.history.floor], [64, 16]);
    const large = new Subject(20, 16 << 20);
    large.fill(70);
    assert.equal(large.history.length, 20);
  });

  test('has room for changes that were put before it until they are old', () => {
    const subject = new Subject(20, 1 << 20);
    subject.fill(90);
    assert.equal(subject.history.floor, 36);
    const older = Array.from({ length: 26 }, (_, index): Change<CacheEntry> => {
      const revision = 11 + index;
      return { key: 'k', revision, entry: entry('k', revision), event: undefined };
    });
    subject.history.prepend(older, 10, subject.now);
    subject.fill(10);
    assert.deepEqual([subject.history.length, subject.history.floor], [90, 20], 'as much as there was');
    assert.equal(subject.history.roomBefore, 38 << 20);
    subject.fill(1, stale);
    assert.equal(subject.history.length, 64);
  });

  test('gives the changes after a revision in portions that do not part a revision', () => {
    const history = new History<CacheEntry>();
    const state = new OrderedMap<CacheEntry>();
    history.reset(1, state.snapshot());
    for (const revision of [2, 3, 3, 3, 4]) {
      history.record({ key: 'k', revision, entry: undefined, event: undefined }, 0, () => state.snapshot());
    }
    const revisions = (after: number, limit: number): number[] => history.changesAfter(after, limit).map((change) => change.revision);
    assert.deepEqual(revisions(1, 2), [2, 3, 3, 3]);
    assert.deepEqual(revisions(3, 2), [4]);
    assert.deepEqual(revisions(4, 2), []);
  });

  test('rebuilds any state of the window', () => {
    const subject = new Subject(64);
    const states = new Map<number, string>();
    const shown = (map: { range(): CacheEntry[] } | undefined): string =>
      JSON.stringify(map?.range().map(({ key, revision }) => [key, revision]));
    for (let i = 0; i < 300; i++) {
      subject.put(`k${(i * 7) % 23}`, stale);
      states.set(subject.revision, shown(subject.state));
    }
    let rebuilt = 0;
    for (const [revision, expected] of states) {
      const state = subject.history.stateAt(revision);
      if (state === undefined) continue;
      rebuilt++;
      assert.equal(shown(state), expected, `at ${revision}`);
    }
    assert.ok(rebuilt >= 48, `only ${rebuilt} of the window's 64 states`);
  });

  for (const [what, age, count] of [
    ['fresh', 0, 250],
    ['stale', stale, 250],
    ['few', 0, 3],
  ] as const)
    test(`takes many changes of one transaction as it takes one after the other: ${what}`, () => {
      const [one, all] = [new Subject(20), new Subject(20)];
      for (const subject of [one, all]) {
        subject.fill(30);
        subject.now += age;
        subject.revision++;
      }
      const changes = Array.from({ length: count }, (_, i): Change<CacheEntry> => {
        const value = entry(`k${i}`, one.revision);
        for (const { state } of [one, all]) state.set(value.key, value);
        return { key: value.key, revision: one.revision, entry: value, event: undefined };
      });
      for (const change of changes) one.history.record(change, one.now, () => one.state.snapshot());
      all.history.recordAll(changes, all.now, () => all.state.snapshot());
      const shown = ({ history, revision }: Subject): unknown => [
        [history.length, history.capacity, history.floor],
        history.changesAfter(history.floor, 1000).map(({ key }) => key),
        history.stateAt(revision)?.size,
      ];
      assert.deepEqual(shown(all), shown(one));
    });

  test('forgets what is older than asked for, and rebuilds the states of what is left', () => {
    const subject = new Subject(10);
    subject.fill(40);
    subject.now = 1_000;
    subject.fill(15);
    subject.history.forget(1_000);
    assert.deepEqual([subject.history.length, subject.history.floor], [15, 50]);
    assert.equal(subject.history.stateAt(49), undefined);
    assert.equal(subject.history.stateAt(65)?.size, 37);
    subject.history.forget(2_000);
    assert.deepEqual([subject.history.length, subject.history.isLong], [10, false]);
  });

  test('takes older changes from elsewhere, for watches but not for lists', () => {
    const subject = new Subject();
    subject.fill(2);
    const older = [7, 9].map((revision): Change<CacheEntry> => ({ key: 'old', revision, entry: entry('old', revision), event: undefined }));
    subject.history.prepend(older, 5, 0);
    assert.equal(subject.history.floor, 5);
    assert.deepEqual(
      subject.history.changesAfter(5, 10).map((change) => change.revision),
      [7, 9, 11, 12],
    );
    assert.equal(subject.history.stateAt(8), undefined);
    assert.equal(subject.history.stateAt(11)?.size, 1);
  });
});
