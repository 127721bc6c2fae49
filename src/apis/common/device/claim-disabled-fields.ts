// Upstream: k8s.io/kubernetes/pkg/api/resourceclaimspec/util.go
import { removeField } from '../../../machinery/go-distinctions.ts';
import type { DeviceSubRequest, ExactDeviceRequest, ResourceClaimSpec } from '../../../schema/types/resource-v1.ts';
import type { FeatureGates } from '../../../server/registry/features.ts';

interface GatedFields {
  readonly gate: string;
  readonly inUse: (spec: ResourceClaimSpec) => boolean;
  readonly drop: (spec: ResourceClaimSpec) => void;
}

/** In upstream's order: alternatives that are dropped need not be looked into. */
const gatedFields: readonly GatedFields[] = [
  {
    gate: 'DRAPrioritizedList',
    inUse: ({ devices }) => (devices.requests ?? []).some(({ firstAvailable = [] }) => firstAvailable.length > 0),
    drop: ({ devices }) => devices.requests?.forEach((request) => removeField(request, 'firstAvailable')),
  },
  ofEveryRequest('DRADeviceTaints', 'tolerations', ({ tolerations = [] }) => tolerations.length > 0),
  {
    gate: 'DRAAdminAccess',
    inUse: asksForAdminAccess,
    drop: ({ devices }) => devices.requests?.forEach(({ exactly }) => delete exactly?.adminAccess),
  },
  {
    gate: 'DRAConsumableCapacity',
    inUse: asksForCapacity,
    drop(spec) {
      spec.devices.constraints?.forEach((constraint) => delete constraint.distinctAttribute);
      for (const request of requestsOf(spec)) delete request.capacity;
    },
  },
  ofEveryRequest('DRADerivedAttributes', 'derivedAttributes', ({ derivedAttributes = [] }) => derivedAttributes.length > 0),
];

export function dropDisabledClaimFields(spec: ResourceClaimSpec, old: ResourceClaimSpec | undefined, features: FeatureGates): void {
  for (const { gate, inUse, drop } of gatedFields) {
    if (!features.enabled(gate) && (old === undefined || !inUse(old))) drop(spec);
  }
}

export function asksForAdminAccess({ devices }: ResourceClaimSpec): boolean {
  return (devices.requests ?? []).some(({ exactly }) => exactly?.adminAccess !== undefined);
}

export function asksForCapacity(spec: ResourceClaimSpec): boolean {
  const distinct = spec.devices.constraints?.some(({ distinctAttribute }) => distinctAttribute !== undefined) ?? false;
  return distinct || requestsOf(spec).some(({ capacity }) => capacity !== undefined);
}

function ofEveryRequest(
  gate: string,
  field: 'tolerations' | 'derivedAttributes',
  uses: (request: ExactDeviceRequest | DeviceSubRequest) => boolean,
): GatedFields {
  return {
    gate,
    inUse: (spec) => requestsOf(spec).some(uses),
    drop: (spec) => requestsOf(spec).forEach((request) => removeField(request, field)),
  };
}

function requestsOf({ devices }: ResourceClaimSpec): (ExactDeviceRequest | DeviceSubRequest)[] {
  return (devices.requests ?? []).flatMap(({ exactly, firstAvailable = [] }) => [...(exactly ? [exactly] : []), ...firstAvailable]);
}
