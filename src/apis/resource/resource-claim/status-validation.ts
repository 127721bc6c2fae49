// Upstream: k8s.io/kubernetes/pkg/apis/resource/validation/validation.go#ValidateResourceClaimStatusUpdate
import type { Steps } from '../../../base/steps.ts';
import { append } from '../../../machinery/append.ts';
import { validateConditions } from '../../../machinery/conditions.ts';
import { deepEqual } from '../../../machinery/deep-equal.ts';
import type { FieldError } from '../../../machinery/field.ts';
import { FieldPath, forbidden, invalid, required, tooMany } from '../../../machinery/field.ts';
import { validateInterfaceAddress } from '../../../machinery/ip-validation.ts';
import type {
  AllocatedDeviceStatus,
  AllocationResult,
  DeviceRequestAllocationResult,
  ResourceClaimConsumerReference,
  ResourceClaimStatus,
} from '../../../schema/types/resource-v1.ts';
import { validateBindingConditions, validateSkippedOperations } from '../../common/device/binding-conditions.ts';
import { validateConfiguration, validateRawObject } from '../../common/device/configuration.ts';
import { validateList, validateListInSteps } from '../../common/device/lists.ts';
import { validateDriverName, validatePoolName } from '../../common/device/names.ts';
import { RequestNames } from '../../common/device/request-names.ts';
import { validateTolerations } from '../../common/device/taints.ts';
import { validateNodeSelector } from '../../common/pod-spec/affinity.ts';
import { validateDnsLabel } from '../../common/pod-spec/rules.ts';
import { deviceId, deviceIds } from './device-ids.ts';
import type { ClaimObject } from './validation.ts';

const maxConsumers = 256;
const maxResults = 32;
const maxConfigurations = 64;
const maxConditions = 8;
const maxAddresses = 16;
const statusPath = FieldPath.root('status');
const reservedPath = statusPath.child('reservedFor');
const allocationPath = statusPath.child('allocation');

/** That an allocation does not change is declared by the type: one that is there is not looked at again. */
export function* validateStatusUpdate(claim: ClaimObject, old: ClaimObject): Steps<FieldError[]> {
  const { status = {} } = claim;
  const { allocation } = status;
  const allocated = deviceIds(allocation?.devices.results);
  const errors = [
    ...validateList(status.reservedFor, reservedPath, validateConsumer, { declaredMax: maxConsumers }),
    ...(yield* validateListInSteps(status.devices, statusPath.child('devices'), (device, at) => validateDevice(device, at, allocated))),
    ...validateReservation(status, old.status ?? {}, claim.metadata.deletionTimestamp !== undefined),
  ];
  if (allocation === undefined || old.status?.allocation !== undefined) return errors;
  return [...errors, ...(yield* validateAllocation(allocation, new RequestNames(claim.spec.devices)))];
}

function validateConsumer({ resource, name, uid }: ResourceClaimConsumerReference, path: FieldPath): FieldError[] {
  return Object.entries({ resource, name, uid }).flatMap(([field, value]) => (value === '' ? [required(path.child(field), '')] : []));
}

/** Only what is allocated is reserved, and no consumer is added while it is taken away. */
function validateReservation(
  { allocation, reservedFor = [] }: ResourceClaimStatus,
  old: ResourceClaimStatus,
  deleted: boolean,
): FieldError[] {
  if (reservedFor.length === 0) return [];
  if (allocation === undefined) return [forbidden(reservedPath, 'may not be specified when `allocated` is not set')];
  if (!deleted) return [];
  const known = Map.groupBy(old.reservedFor ?? [], ({ uid }) => uid);
  if (reservedFor.every((consumer) => known.get(consumer.uid)?.some((one) => deepEqual(one, consumer)))) return [];
  return [forbidden(reservedPath, 'new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set')];
}

function validateDevice(device: AllocatedDeviceStatus, path: FieldPath, allocated: ReadonlySet<string>): FieldError[] {
  const errors = [
    ...validateDriverName(device.driver, path.child('driver')),
    ...validatePoolName(device.pool, path.child('pool')),
    ...validateDnsLabel(device.device, path.child('device')),
  ];
  if (!allocated.has(deviceId(device))) errors.push(invalid(path, shownId(device), 'must be an allocated device in the claim'));
  const conditionsPath = path.child('conditions');
  const conditions = device.conditions ?? [];
  if (conditions.length > maxConditions) errors.push(tooMany(conditionsPath, conditions.length, maxConditions));
  append(errors, validateConditions(conditions as Parameters<typeof validateConditions>[0], conditionsPath));
  if (device.data !== undefined) append(errors, validateRawObject(device.data, path.child('data')));
  const addresses = validateList(
    device.networkData?.ips,
    path.child('networkData', 'ips'),
    (address, at) => validateInterfaceAddress(address, at),
    { declaredMax: maxAddresses },
  );
  return [...errors, ...addresses];
}

/** Upstream shows its own id of a device. */
function shownId({ driver, pool, device, shareID = '' }: AllocatedDeviceStatus): unknown {
  return { Driver: driver, Pool: pool, Device: device, ShareID: shareID };
}

function* validateAllocation({ devices, nodeSelector }: AllocationResult, names: RequestNames): Steps<FieldError[]> {
  const devicesPath = allocationPath.child('devices');
  return [
    ...(yield* validateListInSteps(devices.results, devicesPath.child('results'), (result, at) => validateResult(result, at, names), {
      declaredMax: maxResults,
    })),
    ...(yield* validateListInSteps(
      devices.config,
      devicesPath.child('config'),
      (config, at) => [...names.validateReferences(config.requests, at), ...validateConfiguration(config, at)],
      { declaredMax: maxConfigurations },
    )),
    ...(nodeSelector === undefined ? [] : validateNodeSelector(nodeSelector, allocationPath.child('nodeSelector'), false)),
  ];
}

/** Drivers, pools and shares are for the type's declared rules. */
function validateResult(result: DeviceRequestAllocationResult, path: FieldPath, names: RequestNames): FieldError[] {
  return [
    ...names.validateReference(result.request, path.child('request')),
    ...validateDnsLabel(result.device, path.child('device')),
    ...validateBindingConditions(result, path),
    ...validateTolerations(result.tolerations, path),
    ...validateSkippedOperations(result.skipNodeOperations, path),
  ];
}
