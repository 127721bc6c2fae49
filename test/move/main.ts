/**
 * `npm run test:move [-- --objects 100000] [-- --rounds 10] [-- --only PART]`: stores are moved between a directory and etcd, backed up, restored
 * and compacted, killed meanwhile, and taken over from upstream and back. Needs etcd and kube-apiserver of upstream.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { crashes } from './crashes.ts';
import { guide } from './guide.ts';
import { revisions } from './revisions.ts';
import { roundTrip } from './round-trip.ts';
import { snapshotTimes } from './snapshot-times.ts';
import { takeOver } from './take-over.ts';

const { values } = parseArgs({
  options: {
    objects: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '10' },
    only: { type: 'string', default: '' },
  },
});
const [objects, rounds] = [Number(values.objects), Number(values.rounds)];
const root = mkdtempSync(join(tmpdir(), 'wheelhouse-move-'));
const parts: Readonly<Record<string, () => Promise<string>>> = {
  'the guide': () => guide(root),
  'time of snapshots': () => snapshotTimes(root),
  'revisions that cannot be kept': () => revisions(root),
  'take over from upstream, and back': () => takeOver(root),
  'killed backup, restore and compaction': () => crashes(root, rounds),
  'directory to etcd to directory': () => roundTrip(root, objects, 0),
  'the same, killed and resumed': () => roundTrip(root, objects, 4),
};

let failed = 0;
for (const [name, run] of Object.entries(parts)) {
  if (!name.includes(values.only)) continue;
  const began = performance.now();
  console.log(`  ${name} ...`);
  try {
    console.log(`✔ ${name}: ${await run()} (${((performance.now() - began) / 1000).toFixed(0)} s)`);
  } catch (error) {
    failed++;
    console.log(`✖ ${name}`, error);
  }
}
console.log(failed === 0 ? 'all good' : `${failed} failed; files are in ${root}`);
if (failed === 0) rmSync(root, { recursive: true });
process.exitCode = failed === 0 ? 0 : 1;
