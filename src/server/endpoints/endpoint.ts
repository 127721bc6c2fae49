import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { MetricsRegistry } from '../../base/metrics.ts';
import type { SliceQueue } from '../../base/slice-queue.ts';
import type { GroupVersionKind, StructType } from '../../machinery/type-model.ts';
import type { ChunkPool } from '../http/chunk.ts';
import type { EncodingCache } from '../object/encoding-cache.ts';
import type { Codecs } from '../object/codecs.ts';
import type { Admission } from '../admission/admission.ts';
import type { Authorizer } from '../request/authorizer.ts';
import type { Capabilities } from '../registry/capabilities.ts';
import type { FeatureGates } from '../registry/features.ts';
import type { OwnWrites } from '../registry/context.ts';
import type { ObjectReader } from '../registry/object-reader.ts';
import type { VersionedKind } from '../object/versioned-kind.ts';
import type { Resource } from '../registry/resource.ts';
import type { Deliveries } from './delivery-rounds.ts';
import type { ActiveWatches } from '../lifecycle/active-watches.ts';
import type { EndpointMetrics } from './endpoint-metrics.ts';
import type { ColumnDescriptions } from './column-descriptions.ts';
import type { FieldManagers } from '../registry/field-managers.ts';
import type { Tokens } from '../registry/tokens.ts';

/** What all handlers of a server share. */
export interface HandlerContext {
  readonly codecs: Codecs;
  readonly admission: Admission;
  /** asked again where one request does two things (create by PUT) */
  readonly authorizer: Authorizer;
  /** what all keys of the store begin with; messages about one object leave it out, as upstream's */
  readonly storagePrefix: string;
  /** undefined: the server takes no bearer tokens */
  readonly tokens?: Tokens | undefined;
  readonly fieldManagers: FieldManagers;
  readonly features: FeatureGates;
  readonly capabilities: Capabilities;
  readonly reader: ObjectReader;
  readonly own: OwnWrites;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: MetricsRegistry;
  readonly observed: EndpointMetrics;
  readonly encodings: EncodingCache;
  /** parts of lists, joined */
  readonly listRuns: EncodingCache;
  readonly chunks: ChunkPool;
  /** where long reads rest */
  readonly slices: SliceQueue;
  /** prose for the columns of tables */
  readonly descriptions: ColumnDescriptions;
  /** A built-in type by apiVersion and kind; throws when there is none. */
  readonly typeOf: (apiVersion: string, kind: string) => StructType;
  /** How objects of a type that is no resource (Scale, Binding, TokenRequest) are read. */
  readonly versionedKindOf: (gvk: GroupVersionKind, alsoAccepted?: readonly string[]) => VersionedKind;
  /** --min-request-timeout: watches without a timeout of their own last this long, up to twice as long */
  readonly minRequestTimeoutSeconds: number;
  /** --watch-cache, --watch-cache-sizes: lists that may be of any age come in one piece, whatever their limit */
  readonly isCached: (resource: Resource) => boolean;
  /** --delete-collection-workers: deletions at a time within one delete of a collection */
  readonly deleteCollectionWorkers: number;
  /** those under way, which end when the server stops */
  readonly watches: ActiveWatches;
  /** how events reach those who watch */
  readonly deliveries: Deliveries;
}

/** A resource, or one of its subresources, at one version: what a URL leads to. */
export interface Endpoint {
  readonly resource: Resource;
  readonly versionedKind: VersionedKind;
  readonly context: HandlerContext;
}

export const maxBodyBytes = 3 * 1024 * 1024;
