import type { FeatureGates } from '../server/registry/features.ts';

/** Gates that may be turned on although what is behind them is not there: operators learn it at the start. */
export function* gateWarnings(gates: FeatureGates): Iterable<string> {
  if (gates.enabled('StorageVersionAPI'))
    yield 'StorageVersionAPI is on, but this server publishes no StorageVersion of the resources that it stores';
}
