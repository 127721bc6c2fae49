import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { ManualClock } from '../../../base/clock.ts';
import { runStorageBehaviour } from '../../behaviour/behaviour.ts';
import { runSnapshotBehaviour } from '../../behaviour/snapshots.ts';
import { openEmbeddedStorage } from './open.ts';

const root = await mkdtemp(join(tmpdir(), 'wheelhouse-embedded-'));
after(() => rm(root, { recursive: true }));

const openEmpty = async () => {
  const clock = new ManualClock(Date.now());
  const storage = await openEmbeddedStorage({ directory: await mkdtemp(join(root, 's-')), clock });
  return { storage, advance: (ms: number) => clock.advance(ms), watchers: () => storage.statistics.watchers };
};

runStorageBehaviour('embedded', openEmpty);
runSnapshotBehaviour('embedded', openEmpty);
