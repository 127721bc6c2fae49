import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { startTestServer } from '../../testing/index.ts';
import { RawClient } from '../../../test/support/raw-client.ts';
import { until } from '../../../test/support/eventually.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';

interface Plan {
  /** of each object, in order, its owners among those before it */
  readonly owners: readonly (readonly number[])[];
  readonly deleted: readonly number[];
}

const plans: fc.Arbitrary<Plan> = fc.integer({ min: 2, max: 25 }).chain((count) =>
  fc.record({
    owners: fc.tuple(
      ...Array.from({ length: count }, (_, index) => fc.uniqueArray(fc.nat(Math.max(0, index - 1)), { maxLength: index && 3 })),
    ),
    deleted: fc.uniqueArray(fc.nat(count - 1), { minLength: 1, maxLength: 5 }),
  }),
);

/** An object with owners lives as long as one of them does. */
function survivors({ owners, deleted }: Plan): string[] {
  const alive: boolean[] = [];
  for (const [index, mine] of owners.entries()) {
    alive.push(!deleted.includes(index) && (mine.length === 0 || mine.some((owner) => alive[owner])));
  }
  return alive.flatMap((lives, index) => (lives ? [`o${index}`] : [])).toSorted();
}

test('whatever belongs to whatever, those survive who have an owner left or never had one', { timeout: 120_000 }, async () => {
  await using server = await startTestServer({ controllers: ['garbage-collector-controller'] });
  await using client = new RawClient(server);
  const names = async (): Promise<string[]> => {
    const { items } = await client.json<{ items: { metadata: { name: string } }[] }>('GET', configMaps);
    return items.map(({ metadata }) => metadata.name).toSorted();
  };
  const untilLeft = async (wanted: readonly string[]): Promise<void> => {
    await until('only what has an owner is left', async () => (await names()).join() === wanted.join());
  };
  const reference = (name: string, uid: string): object => ({ apiVersion: 'v1', kind: 'ConfigMap', name, uid });

  const play = async (plan: Plan): Promise<void> => {
    const uids: string[] = [];
    for (const [index, mine] of plan.owners.entries()) {
      const ownerReferences = mine.map((owner) => reference(`o${owner}`, uids[owner] as string));
      const body = { metadata: { name: `o${index}`, ownerReferences } };
      uids.push((await client.json<{ metadata: { uid: string } }>('POST', configMaps, { body })).metadata.uid);
    }
    for (const index of plan.deleted) await client.call('DELETE', `${configMaps}/o${index}`, { body: { propagationPolicy: 'Background' } });
    await untilLeft(survivors(plan));
    // What is garbage from the start comes last in the queue: when it is gone, nothing else is to come.
    await client.call('POST', configMaps, { body: { metadata: { name: 'last', ownerReferences: [reference('nobody', 'none')] } } });
    await until('the last is gone', async () => (await client.call('GET', `${configMaps}/last`)).status === 404);
    assert.deepEqual(await names(), survivors(plan));
    await client.call('DELETE', configMaps);
    await untilLeft([]);
  };
  await fc.assert(fc.asyncProperty(plans, play), { numRuns: 25 });
});
