// Upstream: k8s.io/kubernetes/pkg/registry/resource/resourceslice/strategy.go#dropDisabledFields
import { removeField } from '../../../machinery/go-distinctions.ts';
import type { Device, DeviceAttribute, ResourceSliceSpec } from '../../../schema/types/resource-v1.ts';
import type { FeatureGates } from '../../../server/registry/features.ts';
import type { SliceObject } from './validation.ts';

interface GatedFields {
  readonly gates: readonly string[];
  readonly inUse: (spec: ResourceSliceSpec) => boolean;
  readonly drop: (spec: ResourceSliceSpec) => void;
}

const listValues = ['bools', 'ints', 'strings', 'versions'] as const satisfies readonly (keyof DeviceAttribute)[];
const nodeFields = ['nodeName', 'nodeSelector', 'allNodes'] as const satisfies readonly (keyof Device)[];

const gatedFields: readonly GatedFields[] = [
  ofDevices(['DRADeviceTaints'], ['taints'], ({ taints = [] }) => taints.length > 0),
  {
    gates: ['DRAPartitionableDevices'],
    inUse: ({ sharedCounters = [], perDeviceNodeSelection, devices = [] }) =>
      sharedCounters.length > 0 || perDeviceNodeSelection !== undefined || devices.some(isPartition),
    drop(spec) {
      removeField(spec, 'sharedCounters');
      delete spec.perDeviceNodeSelection;
      deleteFrom(spec.devices, ['consumesCounters', ...nodeFields]);
    },
  },
  ofDevices(
    ['DRADeviceBindingConditions', 'DRAResourceClaimDeviceStatus'],
    ['bindingConditions', 'bindingFailureConditions', 'bindsToNode'],
    ({ bindingConditions = [], bindingFailureConditions = [], bindsToNode }) =>
      bindingConditions.length > 0 || bindingFailureConditions.length > 0 || bindsToNode !== undefined,
  ),
  {
    gates: ['DRAConsumableCapacity'],
    inUse: ({ devices = [] }) =>
      devices.some(
        ({ allowMultipleAllocations, capacity = {} }) =>
          allowMultipleAllocations !== undefined || Object.values(capacity).some(({ requestPolicy }) => requestPolicy !== undefined),
      ),
    drop({ devices = [] }) {
      deleteFrom(devices, ['allowMultipleAllocations']);
      for (const { capacity = {} } of devices) for (const one of Object.values(capacity)) delete one.requestPolicy;
    },
  },
  {
    gates: ['DRADeviceCompatibilityGroups'],
    inUse: ({ devices = [] }) =>
      devices.some(({ consumesCounters = [] }) => consumesCounters.some(({ compatibilityGroups = [] }) => compatibilityGroups.length > 0)),
    drop({ devices = [] }) {
      for (const { consumesCounters = [] } of devices) for (const one of consumesCounters) removeField(one, 'compatibilityGroups');
    },
  },
  ofDevices(
    ['DRANodeAllocatableResources'],
    ['nodeAllocatableResources'],
    ({ nodeAllocatableResources = {} }) => Object.keys(nodeAllocatableResources).length > 0,
  ),
  {
    gates: ['DRAListTypeAttributes'],
    inUse: hasListAttributes,
    drop({ devices = [] }) {
      for (const { attributes = {} } of devices) {
        for (const attribute of Object.values(attributes)) for (const field of listValues) removeField(attribute, field);
      }
    },
  },
  {
    gates: ['DRAPartitionableDevicesType'],
    inUse: ({ partitionTypeAttribute }) => partitionTypeAttribute !== undefined,
    drop: (spec) => delete spec.partitionTypeAttribute,
  },
  {
    gates: ['DRAOptionalNodeOperations'],
    inUse: ({ skipNodeOperations = [] }) => skipNodeOperations.length > 0,
    drop: (spec) => removeField(spec, 'skipNodeOperations'),
  },
];

export function dropDisabledFields({ spec }: SliceObject, old: SliceObject | undefined, features: FeatureGates): void {
  for (const { gates, inUse, drop } of gatedFields) {
    const enabled = gates.every((gate) => features.enabled(gate));
    if (!enabled && (old === undefined || !inUse(old.spec))) drop(spec);
  }
}

export function hasListAttributes({ devices = [] }: ResourceSliceSpec): boolean {
  return devices.some(({ attributes = {} }) =>
    Object.values(attributes).some((attribute) => listValues.some((field) => attribute[field] !== undefined)),
  );
}

function isPartition({ consumesCounters = [], ...device }: Device): boolean {
  return consumesCounters.length > 0 || nodeFields.some((field) => device[field] !== undefined);
}

function ofDevices(gates: readonly string[], fields: readonly (keyof Device)[], uses: (device: Device) => boolean): GatedFields {
  return { gates, inUse: ({ devices = [] }) => devices.some(uses), drop: ({ devices }) => deleteFrom(devices, fields) };
}

function deleteFrom(devices: Device[] | undefined, fields: readonly (keyof Device)[]): void {
  for (const device of (devices ?? []) as Partial<Device>[]) for (const field of fields) removeField(device, field);
}
