// Made by `npm run generate`; do not edit.
import type { Int64, Quantity, RawExtension, Time } from '../scalars.ts';
import type * as coreV1 from './core-v1.ts';
import type * as metaV1 from './meta-v1.ts';

export type AllocationConfigSource = 'FromClaim' | 'FromClass' | (string & {});

export type DeviceAllocationMode = 'All' | 'ExactCount' | (string & {});

export type DeviceTaintEffect = 'NoExecute' | 'NoSchedule' | 'None' | (string & {});

export type DeviceTolerationOperator = 'Equal' | 'Exists' | (string & {});

export type SkipNodeOperation = '*' | 'NodePrepareResources' | 'NodeUnprepareResources' | (string & {});

export interface AllocatedDeviceStatus {
  driver: string;
  pool: string;
  device: string;
  shareID?: string;
  conditions: metaV1.Condition[] | null;
  data?: RawExtension;
  networkData?: NetworkDeviceData;
}

export interface AllocationResult {
  devices: DeviceAllocationResult;
  nodeSelector?: coreV1.NodeSelector;
  allocationTimestamp?: Time;
}

export interface BasicDevice {
  attributes?: Record<string, DeviceAttribute>;
  capacity?: Record<string, DeviceCapacity>;
  consumesCounters?: DeviceCounterConsumption[];
  nodeName?: string;
  nodeSelector?: coreV1.NodeSelector;
  allNodes?: boolean;
  taints?: DeviceTaint[];
  bindsToNode?: boolean;
  bindingConditions?: string[];
  bindingFailureConditions?: string[];
  allowMultipleAllocations?: boolean;
  nodeAllocatableResources?: Record<string, NodeAllocatableResource>;
}

export interface CELDeviceSelector {
  expression: string;
}

export interface CapacityRequestPolicy {
  default: Quantity | null;
  validValues?: Quantity[];
  validRange?: CapacityRequestPolicyRange;
}

export interface CapacityRequestPolicyRange {
  min?: Quantity;
  max?: Quantity;
  step?: Quantity;
}

export interface CapacityRequirements {
  requests?: Record<string, Quantity>;
}

export interface Counter {
  value: Quantity;
}

export interface CounterSet {
  name: string;
  counters?: Record<string, Counter>;
}

export interface Device {
  name: string;
  basic?: BasicDevice;
}

export interface DeviceAllocationConfiguration extends DeviceConfiguration {
  source: AllocationConfigSource;
  requests?: string[];
}

export interface DeviceAllocationResult {
  results?: DeviceRequestAllocationResult[];
  config?: DeviceAllocationConfiguration[];
}

export interface DeviceAttribute {
  int?: Int64;
  bool?: boolean;
  string?: string;
  version?: string;
  ints?: Int64[];
  bools?: boolean[];
  strings?: string[];
  versions?: string[];
}

export interface DeviceCapacity {
  value: Quantity;
  requestPolicy?: CapacityRequestPolicy;
}

export interface DeviceClaim {
  requests: DeviceRequest[] | null;
  constraints?: DeviceConstraint[];
  config?: DeviceClaimConfiguration[];
}

export interface DeviceClaimConfiguration extends DeviceConfiguration {
  requests?: string[];
}

export interface DeviceClass extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  spec: DeviceClassSpec;
}

export interface DeviceClassConfiguration extends DeviceConfiguration {}

export interface DeviceClassList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: DeviceClass[] | null;
}

export interface DeviceClassSpec {
  selectors?: DeviceSelector[];
  config?: DeviceClassConfiguration[];
  extendedResourceName?: string;
}

export interface DeviceConfiguration {
  opaque?: OpaqueDeviceConfiguration;
}

export interface DeviceConstraint {
  requests?: string[];
  matchAttribute?: string;
  distinctAttribute?: string;
}

export interface DeviceCounterConsumption {
  counterSet: string;
  counters?: Record<string, Counter>;
  compatibilityGroups?: string[];
}

export interface DeviceDerivedAttribute {
  name: string;
  expression: string;
}

export interface DeviceRequest {
  name: string;
  deviceClassName: string;
  selectors?: DeviceSelector[];
  allocationMode?: DeviceAllocationMode;
  count?: Int64;
  adminAccess?: boolean;
  firstAvailable?: DeviceSubRequest[];
  tolerations?: DeviceToleration[];
  capacity?: CapacityRequirements;
  derivedAttributes?: DeviceDerivedAttribute[];
}

export interface DeviceRequestAllocationResult {
  request: string;
  driver: string;
  pool: string;
  device: string;
  adminAccess?: boolean;
  tolerations?: DeviceToleration[];
  bindingConditions?: string[];
  bindingFailureConditions?: string[];
  shareID?: string;
  consumedCapacity?: Record<string, Quantity>;
  skipNodeOperations?: SkipNodeOperation[];
}

export interface DeviceSelector {
  cel?: CELDeviceSelector;
}

export interface DeviceSubRequest {
  name: string;
  deviceClassName: string;
  selectors?: DeviceSelector[];
  allocationMode?: DeviceAllocationMode;
  count?: Int64;
  tolerations?: DeviceToleration[];
  capacity?: CapacityRequirements;
  derivedAttributes?: DeviceDerivedAttribute[];
}

export interface DeviceTaint {
  key: string;
  value?: string;
  effect: DeviceTaintEffect;
  timeAdded?: Time;
}

export interface DeviceToleration {
  key?: string;
  operator?: DeviceTolerationOperator;
  value?: string;
  effect?: DeviceTaintEffect;
  tolerationSeconds?: Int64;
}

export interface NetworkDeviceData {
  interfaceName?: string;
  ips?: string[];
  hardwareAddress?: string;
}

export interface NodeAllocatableMapping {
  capacityKey?: string;
  capacityMultiplier?: Quantity;
  deviceMultiplier?: Quantity;
}

export interface NodeAllocatableOverhead {
  perPod?: Quantity;
  perContainer?: Quantity;
}

export interface NodeAllocatableResource {
  mapping?: NodeAllocatableMapping;
  overhead?: NodeAllocatableOverhead;
}

export interface OpaqueDeviceConfiguration {
  driver: string;
  parameters: RawExtension | null;
}

export interface ResourceClaim extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  spec: ResourceClaimSpec;
  status: ResourceClaimStatus;
}

export interface ResourceClaimConsumerReference {
  apiGroup?: string;
  resource: string;
  name: string;
  uid: string;
}

export interface ResourceClaimList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: ResourceClaim[] | null;
}

export interface ResourceClaimSpec {
  devices: DeviceClaim;
}

export interface ResourceClaimStatus {
  allocation?: AllocationResult;
  reservedFor?: ResourceClaimConsumerReference[];
  devices?: AllocatedDeviceStatus[];
}

export interface ResourceClaimTemplate extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  spec: ResourceClaimTemplateSpec;
}

export interface ResourceClaimTemplateList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: ResourceClaimTemplate[] | null;
}

export interface ResourceClaimTemplateSpec {
  metadata: metaV1.ObjectMeta;
  spec: ResourceClaimSpec;
}

export interface ResourcePool {
  name: string;
  generation: Int64;
  resourceSliceCount: Int64;
}

export interface ResourceSlice extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  spec: ResourceSliceSpec;
}

export interface ResourceSliceList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: ResourceSlice[] | null;
}

export interface ResourceSliceSpec {
  driver: string;
  pool: ResourcePool;
  nodeName?: string;
  nodeSelector?: coreV1.NodeSelector;
  allNodes?: boolean;
  devices?: Device[];
  perDeviceNodeSelection?: boolean;
  sharedCounters?: CounterSet[];
  partitionTypeAttribute?: string;
  skipNodeOperations?: SkipNodeOperation[];
}
