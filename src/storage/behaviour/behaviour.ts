import { describe, test } from 'node:test';
import { compactionCases } from './compaction.ts';
import { lifecycleCases } from './lifecycle.ts';
import { readCases } from './reads.ts';
import { scaleCases } from './scale.ts';
import type { StorageUnderTest } from './subject.ts';
import { Subject } from './subject.ts';
import { watchCases } from './watches.ts';
import { writeCases } from './writes.ts';

const groups = {
  writes: writeCases,
  reads: readCases,
  watches: watchCases,
  compaction: compactionCases,
  lifecycle: lifecycleCases,
  scale: scaleCases,
};

/**
 * What every storage driver must do. A driver's whole test:
 *
 *     runStorageBehaviour('memory', async () => ({ storage: createMemoryStorage() }));
 *
 * `open` is called once per case and gives a store without keys; the suite closes it.
 * Revisions are compared with each other only, so a driver may hand out one long-lived server under changing key prefixes.
 */
export function runStorageBehaviour(name: string, open: () => Promise<StorageUnderTest>): void {
  describe(`${name} storage`, () => {
    for (const [group, cases] of Object.entries(groups)) {
      describe(group, () => {
        for (const { name: what, run } of cases) {
          test(what, async () => {
            const world = await open();
            await using _storage = world.storage;
            await run(new Subject(world));
          });
        }
      });
    }
  });
}
