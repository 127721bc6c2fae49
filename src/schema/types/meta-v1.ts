// Made by `npm run generate`; do not edit.
import type { FieldsV1, Int64, Json, RawExtension, Time } from '../scalars.ts';

export interface APIGroup extends TypeMeta {
  name: string;
  versions: GroupVersionForDiscovery[] | null;
  preferredVersion: GroupVersionForDiscovery;
  serverAddressByClientCIDRs?: ServerAddressByClientCIDR[];
}

export interface APIGroupList extends TypeMeta {
  groups: APIGroup[] | null;
}

export interface APIResource {
  name: string;
  singularName: string;
  namespaced: boolean;
  group?: string;
  version?: string;
  kind: string;
  verbs: Verbs | null;
  shortNames?: string[];
  categories?: string[];
  storageVersionHash?: string;
}

export interface APIResourceList extends TypeMeta {
  groupVersion: string;
  resources: APIResource[] | null;
}

export interface APIVersions extends TypeMeta {
  versions: string[] | null;
  serverAddressByClientCIDRs: ServerAddressByClientCIDR[] | null;
}

export interface ApplyOptions extends TypeMeta {
  dryRun?: string[];
  force: boolean;
  fieldManager: string;
}

export interface Condition {
  type: string;
  status: string;
  observedGeneration?: Int64;
  lastTransitionTime: Time | null;
  reason: string;
  message: string;
}

export interface CreateOptions extends TypeMeta {
  dryRun?: string[];
  fieldManager?: string;
  fieldValidation?: string;
}

export interface DeleteOptions extends TypeMeta {
  gracePeriodSeconds?: Int64;
  preconditions?: Preconditions;
  orphanDependents?: boolean;
  propagationPolicy?: string;
  dryRun?: string[];
  ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
}

export interface FieldSelectorRequirement {
  key: string;
  operator: string;
  values?: string[];
}

export interface GetOptions extends TypeMeta {
  resourceVersion?: string;
}

export interface GroupKind {
  group: string;
  kind: string;
}

export interface GroupResource {
  group: string;
  resource: string;
}

export interface GroupVersion {
  group: string;
  version: string;
}

export interface GroupVersionForDiscovery {
  groupVersion: string;
  version: string;
}

export interface GroupVersionKind {
  group: string;
  version: string;
  kind: string;
}

export interface GroupVersionResource {
  group: string;
  version: string;
  resource: string;
}

export interface LabelSelector {
  matchLabels?: Record<string, string>;
  matchExpressions?: LabelSelectorRequirement[];
}

export interface LabelSelectorRequirement {
  key: string;
  operator: string;
  values?: string[];
}

export interface List extends TypeMeta {
  metadata: ListMeta;
  items: RawExtension[] | null;
}

export interface ListMeta {
  selfLink?: string;
  resourceVersion?: string;
  continue?: string;
  remainingItemCount?: Int64;
  shardInfo?: ShardInfo;
}

export interface ListOptions extends TypeMeta {
  labelSelector?: string;
  fieldSelector?: string;
  watch?: boolean;
  allowWatchBookmarks?: boolean;
  resourceVersion?: string;
  resourceVersionMatch?: string;
  timeoutSeconds?: Int64;
  limit?: Int64;
  continue?: string;
  sendInitialEvents?: boolean;
  shardSelector?: string;
}

export interface ManagedFieldsEntry {
  manager?: string;
  operation?: string;
  apiVersion?: string;
  time?: Time;
  fieldsType?: string;
  fieldsV1?: FieldsV1;
  subresource?: string;
}

export interface ObjectMeta {
  name?: string;
  generateName?: string;
  namespace?: string;
  selfLink?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: Int64;
  creationTimestamp?: Time;
  deletionTimestamp?: Time;
  deletionGracePeriodSeconds?: Int64;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: OwnerReference[];
  finalizers?: string[];
  managedFields?: ManagedFieldsEntry[];
}

export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

export interface PartialObjectMetadata extends TypeMeta {
  metadata: ObjectMeta;
}

export interface PartialObjectMetadataList extends TypeMeta {
  metadata: ListMeta;
  items: PartialObjectMetadata[] | null;
}

export interface Patch {}

export interface PatchOptions extends TypeMeta {
  dryRun?: string[];
  force?: boolean;
  fieldManager?: string;
  fieldValidation?: string;
}

export interface Preconditions {
  uid?: string;
  resourceVersion?: string;
}

export interface RootPaths {
  paths: string[] | null;
}

export interface ServerAddressByClientCIDR {
  clientCIDR: string;
  serverAddress: string;
}

export interface ShardInfo {
  selector: string;
}

export interface Status extends TypeMeta {
  metadata: ListMeta;
  status?: string;
  message?: string;
  reason?: string;
  details?: StatusDetails;
  code?: number;
}

export interface StatusCause {
  reason?: string;
  message?: string;
  field?: string;
}

export interface StatusDetails {
  name?: string;
  group?: string;
  kind?: string;
  uid?: string;
  causes?: StatusCause[];
  retryAfterSeconds?: number;
}

export interface Table extends TypeMeta {
  metadata: ListMeta;
  columnDefinitions: TableColumnDefinition[] | null;
  rows: TableRow[] | null;
}

export interface TableColumnDefinition {
  name: string;
  type: string;
  format: string;
  description: string;
  priority: number;
}

export interface TableOptions extends TypeMeta {
  includeObject?: string;
}

export interface TableRow {
  cells: Json[] | null;
  conditions?: TableRowCondition[];
  object: RawExtension | null;
}

export interface TableRowCondition {
  type: string;
  status: string;
  reason?: string;
  message?: string;
}

export interface Timestamp {
  seconds: Int64;
  nanos: number;
}

export interface TypeMeta {
  kind?: string;
  apiVersion?: string;
}

export interface UpdateOptions extends TypeMeta {
  dryRun?: string[];
  fieldManager?: string;
  fieldValidation?: string;
}

export type Verbs = string[];

export interface WatchEvent {
  type: string;
  object: RawExtension | null;
}
