import type { Clock } from '../base/clock.ts';
import type { FollowedTexts } from '../base/followed-text.ts';
import type { Logger } from '../base/log.ts';
import type { MetricsRegistry } from '../base/metrics.ts';
import type { Owned } from '../base/owned.ts';
import type { Egress } from './egress.ts';
import type { KeyReader } from '../server/access/authn/service-account/keys.ts';
import type { FeatureGates } from '../server/registry/features.ts';

/** What every part of a server may use. */
export interface ServerContext {
  readonly clock: Clock;
  readonly log: Logger;
  /** of this server: whatever it counts is here, and `/metrics` shows it */
  readonly metrics: MetricsRegistry;
  readonly features: FeatureGates;
  /** texts of files that may change */
  readonly texts: FollowedTexts;
  /** of PEM; a copy of a server has that of its origin */
  readonly keyReader: KeyReader;
  /** by which other servers know this one */
  readonly identity: string;
  /** how others are reached */
  readonly egress: Egress;
  /** what is put here is closed when the server has stopped, the last first */
  readonly owned: Owned;
}
