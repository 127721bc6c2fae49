// Upstream: k8s.io/kubernetes/pkg/registry/resource/resourceclaim/strategy.go#dropDisabledStatusFields, #dropDeallocatedStatusDevices
import type { DeviceRequestAllocationResult, ResourceClaimStatus } from '../../../schema/types/resource-v1.ts';
import type { FeatureGates } from '../../../server/registry/features.ts';
import { asksForAdminAccess, asksForCapacity } from '../../common/device/claim-disabled-fields.ts';
import { deviceId, deviceIds } from './device-ids.ts';
import type { ClaimObject } from './validation.ts';

interface GatedFields {
  readonly gate: string;
  readonly inUse: (claim: ClaimObject) => boolean;
  readonly drop: (status: ResourceClaimStatus) => void;
}

const gatedFields: readonly GatedFields[] = [
  {
    gate: 'DRAResourceClaimDeviceStatus',
    inUse: ({ status }) => (status?.devices ?? []).length > 0,
    drop: (status) => delete status.devices,
  },
  {
    gate: 'DRAAdminAccess',
    inUse: ({ spec, status }) => asksForAdminAccess(spec) || resultsOf(status).some(({ adminAccess }) => adminAccess !== undefined),
    drop: (status) => resultsOf(status).forEach((result) => delete result.adminAccess),
  },
  {
    gate: 'DRAConsumableCapacity',
    inUse: ({ spec, status }) =>
      asksForCapacity(spec) ||
      resultsOf(status).some(({ shareID, consumedCapacity }) => shareID !== undefined || consumedCapacity !== undefined) ||
      (status?.devices ?? []).some(({ shareID }) => shareID !== undefined),
    drop(status) {
      for (const result of resultsOf(status)) {
        delete result.shareID;
        delete result.consumedCapacity;
      }
      status.devices?.forEach((device) => delete device.shareID);
    },
  },
  {
    gate: 'DRADeviceBindingConditions',
    inUse: ({ status }) =>
      resultsOf(status).some(
        ({ bindingConditions, bindingFailureConditions }) => bindingConditions !== undefined || bindingFailureConditions !== undefined,
      ),
    drop(status) {
      for (const result of resultsOf(status)) {
        delete result.bindingConditions;
        delete result.bindingFailureConditions;
      }
    },
  },
  {
    gate: 'DRAOptionalNodeOperations',
    inUse: ({ status }) => resultsOf(status).some(({ skipNodeOperations = [] }) => skipNodeOperations.length > 0),
    drop: (status) => resultsOf(status).forEach((result) => delete result.skipNodeOperations),
  },
];

export function dropDisabledStatusFields({ status }: ClaimObject, old: ClaimObject, features: FeatureGates): void {
  if (status === undefined) return;
  for (const { gate, inUse, drop } of gatedFields) {
    if (!features.enabled(gate) && !inUse(old)) drop(status);
  }
}

/** A client that takes an allocation back need not know that drivers keep a status per device: what belonged to it goes too. */
export function dropDeallocatedDevices(status: ResourceClaimStatus | undefined, old: ResourceClaimStatus | undefined): void {
  if (status?.devices === undefined) return;
  const deallocated = deviceIds(resultsOf(old)).difference(deviceIds(resultsOf(status)));
  status.devices = status.devices.filter((device) => !deallocated.has(deviceId(device)));
  if (status.devices.length === 0) delete status.devices;
}

function resultsOf(status: ResourceClaimStatus | undefined): DeviceRequestAllocationResult[] {
  return status?.allocation?.devices.results ?? [];
}
