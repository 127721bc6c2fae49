import type { Clock } from '../base/clock.ts';
import type { PathMux } from '../server/http/path-mux.ts';
import { installBackup, installSnapshots } from '../server/routes/snapshots.ts';
import type { Snapshot } from '../storage/mvcc/snapshot.ts';
import { isSnapshotStorage } from '../storage/mvcc/snapshot.ts';
import type { Storage } from '../storage/storage.ts';
import type { Snapshots } from './snapshots.ts';

/** What is served below /wheelhouse/v1, where upstream has nothing. Authorization asks about these paths as about any other. */
export interface OwnPathsConfig {
  readonly backup: boolean;
  /** snapshot, restore and reset */
  readonly snapshots: boolean;
}

export const ownPathsDefaults: OwnPathsConfig = Object.freeze({ backup: false, snapshots: false });

interface OwnPathParts {
  readonly storage: Storage;
  readonly storagePrefix: string;
  readonly snapshots: Snapshots;
  readonly clock: Clock;
}

export function installOwnPaths(mux: PathMux, config: OwnPathsConfig, parts: OwnPathParts): void {
  const { storage, storagePrefix: prefix, snapshots, clock } = parts;
  if (!config.backup && !config.snapshots) return;
  if (!isSnapshotStorage(storage)) throw new Error('--wheelhouse-api needs a store that has snapshots: memory, or a data directory');
  if (config.snapshots) installSnapshots(mux, snapshots);
  if (config.backup) installBackup(mux, () => backup(snapshots.take(), { prefix, createdAt: new Date(clock.now()).toISOString() }));
}

/** Loaded when it is asked for: a start should not pay for it. */
async function* backup(state: Snapshot, about: { prefix: string; createdAt: string }): AsyncGenerator<Buffer, void, undefined> {
  const { backupBytes } = await import('../storage/drivers/embedded/backup.ts');
  yield* backupBytes(state, about);
}
