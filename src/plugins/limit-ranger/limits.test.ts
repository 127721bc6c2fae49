import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Quantity } from '../../machinery/quantity.ts';
import type { LimitRange, LimitRangeItem, Pod } from '../../schema/types/core-v1.ts';
import type { Asked, LimitKind } from './amounts-asked.ts';
import { AmountsAsked } from './amounts-asked.ts';
import { Defaults } from './defaults.ts';
import { podProblems } from './limits.ts';

const containers = 5;
const amounts = { cpu: '1', memory: '1Mi' };
const range = (...limits: readonly LimitRangeItem[]): LimitRange => ({ metadata: {}, spec: { limits: [...limits] } });

/** A pod, and how often resources of its containers have been read. */
function watchedPod(resources: object): { readonly pod: Pod; readonly reads: () => number } {
  let reads = 0;
  const watched = (index: number): object => ({
    name: `c${index}`,
    image: 'i',
    get resources() {
      reads++;
      return resources;
    },
  });
  const spec = { containers: Array.from({ length: containers }, (_, index) => watched(index)) };
  return { pod: { metadata: { name: 'p' }, spec, status: {} } as Pod, reads: () => reads };
}

test('containers are looked at once, however many ranges there are', () => {
  const { pod, reads } = watchedPod({ requests: amounts, limits: amounts });
  const item = {
    type: 'Container',
    min: amounts,
    max: amounts,
    maxLimitRequestRatio: { cpu: '1' },
    default: amounts,
    defaultRequest: amounts,
  };
  const ranges = Array.from({ length: 100 }, () => range(item));
  const defaults = new Defaults(pod);
  for (const one of ranges) defaults.apply(one);
  const problemsWith = podProblems(pod, true);
  assert.deepEqual(new Set(ranges.flatMap(problemsWith)), new Set());
  assert.ok(reads() <= containers * 4, `${reads()} reads of ${containers} containers`);
});

test('containers that do not name a resource have one problem with it', () => {
  const problemsWith = podProblems(watchedPod({ limits: { cpu: '2' } }).pod, true);
  assert.deepEqual(problemsWith(range({ type: 'Container', max: { cpu: '1', memory: '1Mi' }, min: { 'example.com/a': '1' } })), [
    'minimum example.com/a usage per Container is 1.  No request is specified',
    'maximum cpu usage per Container is 1, but limit is 2',
    'maximum memory usage per Container is 1Mi.  No limit is specified',
  ]);
});

test('the least and the most of what containers ask for break the same limits as each of them', () => {
  const texts = [undefined, '-1', '0', '1m', '999m', '1', '1001m', '2', '9P', '10P', '9223372036854775807', '10E', '100E'];
  const asked = texts.flatMap((request) =>
    texts.map((limit): Asked => ({
      requests: new Map(request === undefined ? [] : [['cpu', Quantity.parse(request)]]),
      limits: new Map(limit === undefined ? [] : [['cpu', Quantity.parse(limit)]]),
    })),
  );
  for (const kind of ['min', 'max', 'ratio'] satisfies LimitKind[]) {
    for (const text of texts.slice(1) as string[]) {
      const limit = { kind, name: 'cpu', enforced: Quantity.parse(text) };
      const alone = asked.map((one) => new AmountsAsked([one]).breaks(limit));
      for (let index = 0; index < asked.length; index++) {
        for (let other = index; other < asked.length; other++) {
          const both = new AmountsAsked([asked[index] as Asked, asked[other] as Asked]).breaks(limit);
          assert.equal(both, (alone[index] as boolean) || (alone[other] as boolean), `${kind} ${text}: ${index} and ${other}`);
        }
      }
      const item = { type: 'Container', [kind === 'ratio' ? 'maxLimitRequestRatio' : kind]: { cpu: text } };
      for (const [index, { requests, limits }] of asked.entries()) {
        const resources = { requests: record(requests), limits: record(limits) };
        const problems = podProblems(
          { metadata: {}, spec: { containers: [{ name: 'c', resources }] }, status: {} } as Pod,
          true,
        )(range(item));
        assert.equal(problems.length > 0, alone[index], `${kind} ${text}: ${JSON.stringify(resources)}`);
      }
    }
  }
});

function record(amounts: ReadonlyMap<string, Quantity>): Record<string, string> {
  return Object.fromEntries([...amounts].map(([name, quantity]) => [name, quantity.toString()]));
}
