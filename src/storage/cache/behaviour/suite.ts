import type { StorageFactory } from './fixture.ts';
import { bookmarkBehaviour } from './bookmarks.ts';
import { faultBehaviour } from './faults.ts';
import { modelBehaviour } from './model.ts';
import { readBehaviour } from './reads.ts';
import { scaleBehaviour } from './scale.ts';
import { watchBehaviour } from './watches.ts';

/** What the watch cache promises, over a driver of any kind; each test gets a store from the factory and disposes of it. */
export function runCacheBehaviour(name: string, createStorage: StorageFactory): void {
  readBehaviour(name, createStorage);
  watchBehaviour(name, createStorage);
  bookmarkBehaviour(name, createStorage);
  faultBehaviour(name, createStorage);
  modelBehaviour(name, createStorage);
  scaleBehaviour(name, createStorage);
}
