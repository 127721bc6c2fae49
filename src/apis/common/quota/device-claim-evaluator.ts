// Upstream: k8s.io/kubernetes/pkg/quota/v1/evaluator/core/resource_claims.go
import type { ResourceAmounts } from '../pod-spec/pod-resources.ts';
import { Quantity } from '../../../machinery/quantity.ts';
import type { DeviceRequest, ExactDeviceRequest, ResourceClaim } from '../../../schema/types/resource-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import type { Evaluator } from './evaluators.ts';

const countName = 'count/resourceclaims.resource.k8s.io';
const perClassSuffix = '.deviceclass.resource.k8s.io/devices';
/** more than these one claim does not get */
const mostDevices = 32;

/** Claims count, and so do the devices that they can get at most, by class. */
export const deviceClaims: Evaluator<ResourceClaim & KubeObject> = {
  handles: ({ operation, subresource }) => subresource === '' && (operation === 'CREATE' || operation === 'UPDATE'),
  evaluates: (resource) => resource === countName || resource.endsWith(perClassSuffix),
  usage(object) {
    const { spec } = object;
    const used: ResourceAmounts = new Map([[countName, Quantity.of(1)]]);
    for (const request of spec.devices.requests ?? []) {
      for (const [className, devices] of mostPerClass(request)) {
        const name = className + perClassSuffix;
        used.set(name, (used.get(name) ?? Quantity.of(0)).add(Quantity.of(devices)));
      }
    }
    return used;
  },
  matchesScope: () => false,
};

/** Of alternatives only one is taken: for each class the one that takes most of it. */
function mostPerClass({ exactly, firstAvailable = [] }: DeviceRequest): Map<string, bigint> {
  const most = new Map<string, bigint>();
  const alternatives = firstAvailable.length > 0 ? firstAvailable : exactly === undefined ? [] : [exactly];
  for (const request of alternatives) {
    const devices = devicesOf(request);
    const known = most.get(request.deviceClassName) ?? 0n;
    if (devices > known || exactly !== undefined) most.set(request.deviceClassName, devices);
  }
  return most;
}

function devicesOf({ allocationMode, count = 0 }: Pick<ExactDeviceRequest, 'allocationMode' | 'count'>): bigint {
  if (allocationMode === 'All') return BigInt(mostDevices);
  return allocationMode === 'ExactCount' ? BigInt(count) : 0n;
}
