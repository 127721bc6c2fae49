import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { CompactedError } from '../../storage.ts';
import type { Item, RecordingSink, StorageFactory } from './fixture.ts';
import { Fixture, turns, until } from './fixture.ts';

const objectNames = ['a/1', 'a/2', 'a/3', 'b/1', 'b/2'];
const objectColors = ['red', 'blue'];

/** What happened, as the test did it. */
interface Fact {
  readonly revision: number;
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

interface Watch {
  readonly from: number;
  readonly namespace: string;
  readonly color: string | undefined;
  readonly sink: RecordingSink;
}

type Step =
  | { readonly do: 'put'; readonly path: string; readonly color: string }
  | { readonly do: 'delete'; readonly path: string }
  | { readonly do: 'watch'; readonly back: number; readonly namespace: string; readonly color: string | undefined }
  | { readonly do: 'list'; readonly back: number }
  | { readonly do: 'cut' | 'turn' | 'settle' | 'age' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('put' as const),
      path: fc.constantFrom(...objectNames),
      color: fc.constantFrom(...objectColors),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('delete' as const), path: fc.constantFrom(...objectNames) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('watch' as const),
      back: fc.nat({ max: 40 }),
      namespace: fc.constantFrom('', 'a/', 'b/'),
      color: fc.constantFrom(undefined, ...objectColors),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('list' as const), back: fc.nat({ max: 20 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('cut' as const, 'turn' as const, 'settle' as const, 'age' as const) }) },
);

/** The color of each object that existed at a revision. */
function stateAt(facts: readonly Fact[], revision: number): Record<string, string> {
  const state = new Map<string, string>();
  for (const fact of facts) {
    if (fact.revision > revision) break;
    if (fact.after === undefined) state.delete(fact.path);
    else state.set(fact.path, fact.after);
  }
  return Object.fromEntries([...state].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The events that a watch must have got, each with its revision. */
function expectedEvents(facts: readonly Fact[], watch: Watch): string[] {
  const selects = (color: string | undefined): boolean => color !== undefined && (watch.color === undefined || watch.color === color);
  return facts
    .filter(({ revision, path }) => revision > watch.from && path.startsWith(watch.namespace))
    .flatMap(({ revision, path, before, after }) => {
      if (selects(after)) return [`${selects(before) ? 'MODIFIED' : 'ADDED'} ${path} ${after}@${revision}`];
      return selects(before) ? [`DELETED ${path} ${before}@${revision}`] : [];
    });
}

function gotEvents(fixture: Fixture, sink: RecordingSink): string[] {
  return sink.events.map(({ type, event }) => `${type} ${pathOf(fixture, event.object)} ${colorOf(event.object)}@${event.object.revision}`);
}

function pathOf(fixture: Fixture, item: Item): string {
  return item.key.slice(fixture.prefix.length);
}

function colorOf(item: Item): string {
  return item.labels?.['color'] ?? '';
}

/** Runs the steps against a cache, writing down what is true, and compares at the end. */
async function play(fixture: Fixture, steps: readonly Step[]): Promise<void> {
  const facts: Fact[] = [];
  const watches: Watch[] = [];
  const colors = new Map<string, string>();
  const start = await fixture.put('c/start', { labels: { color: 'red' } });
  facts.push({ revision: start, path: 'c/start', before: undefined, after: 'red' });
  const write = async (path: string, after: string | undefined): Promise<void> => {
    const before = colors.get(path);
    if (after === undefined && before === undefined) return;
    const revision = after === undefined ? await fixture.delete(path) : await fixture.put(path, { labels: { color: after } });
    if (after === undefined) colors.delete(path);
    else colors.set(path, after);
    facts.push({ revision, path, before, after });
  };
  const revisionBack = (back: number): number => facts[Math.max(0, facts.length - 1 - back)]!.revision;

  for (const action of steps) {
    if (action.do === 'put') await write(action.path, action.color);
    else if (action.do === 'delete') await write(action.path, undefined);
    else if (action.do === 'watch') {
      const { namespace, color } = action;
      const from = revisionBack(action.back);
      const matches = (item: Item): boolean => color === undefined || colorOf(item) === color;
      watches.push({ from, namespace, color, sink: fixture.watch({ from, matches, prefix: fixture.key(namespace) }) });
    } else if (action.do === 'list') {
      await fixture.fresh();
      compareList(fixture, facts, revisionBack(action.back));
    } else if (action.do === 'cut') {
      await fixture.cache.ready();
      fixture.storage.disconnect();
      await turns(3);
      fixture.storage.connect();
      const reconnected = (): boolean => {
        fixture.clock.advance(100);
        return fixture.storage.openWatches > 0;
      };
      await until(reconnected, 'the connection');
    } else if (action.do === 'turn') await turns(1);
    // What is older than the window wants to hold may leave it.
    else if (action.do === 'age') fixture.clock.sleep(80_000);
    else await fixture.fresh();
  }

  await fixture.fresh();
  for (const watch of watches) {
    const expected = expectedEvents(facts, watch);
    const complete = (): boolean => {
      fixture.clock.advance(10);
      return watch.sink.events.length >= expected.length || watch.sink.ended !== undefined;
    };
    // When they do not come, the comparison tells better what is missing.
    await until(complete).catch(() => undefined);
    assert.equal(watch.sink.ended, undefined);
    assert.deepEqual(gotEvents(fixture, watch.sink), expected);
  }
  compareList(fixture, facts, facts.at(-1)!.revision);
}

/** A list at a revision is exact or refused, never wrong. */
function compareList(fixture: Fixture, facts: readonly Fact[], revision: number): void {
  try {
    const { items } = fixture.cache.list({ prefix: fixture.prefix, revision });
    assert.deepEqual(Object.fromEntries([...items].map((item) => [pathOf(fixture, item), colorOf(item)])), stateAt(facts, revision));
  } catch (error) {
    if (!(error instanceof CompactedError) || revision === facts.at(-1)!.revision) throw error;
  }
}

export function modelBehaviour(name: string, createStorage: StorageFactory): void {
  describe(`watch cache over ${name}: against a model`, () => {
    for (const historySize of [0, 5, 100]) {
      test(`whatever is written, cut and resumed, watches miss and repeat nothing (window of ${historySize})`, async () => {
        await fc.assert(
          fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 120 }), async (steps) => {
            await using fixture = await Fixture.create(createStorage, { historySize });
            await play(fixture, steps);
          }),
          { numRuns: Number(process.env['CACHE_MODEL_RUNS'] ?? 60) },
        );
      });
    }
  });
}
