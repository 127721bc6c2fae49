// For tests: what resources are built with, over a store.
import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/log.ts';
import { MetricsRegistry } from '../../src/base/metrics.ts';
import { createCodecs } from '../../src/server/object/create-codecs.ts';
import type { ResourceFactory } from '../../src/server/registry/built-in.ts';
import { Pace } from '../../src/storage/cache/pace.ts';
import type { Storage } from '../../src/storage/storage.ts';

export function resourceFactory(storage: Storage): ResourceFactory {
  return {
    codecs: createCodecs(),
    storage,
    clock: systemClock,
    log: silentLogger,
    metrics: new MetricsRegistry(),
    storagePrefix: '/registry',
    pace: new Pace(),
    garbageCollection: true,
  };
}
