// Upstream: k8s.io/kubernetes/pkg/apis/resource/v1beta1/conversion.go#DeviceRequest
import type { DeviceRequest, ExactDeviceRequest, ResourceClaimSpec } from '../../../schema/types/resource-v1.ts';
import type { DeviceRequest as FlatRequest } from '../../../schema/types/resource-v1beta1.ts';

/** In this version a request has the fields of `exactly` itself. */
export const flatVersion = 'v1beta1';

export function nestRequests(spec: ResourceClaimSpec | undefined): void {
  const devices = spec?.devices;
  if (devices?.requests) devices.requests = devices.requests.map((request) => nested(request as FlatRequest));
}

export function flattenRequests(spec: ResourceClaimSpec | undefined): void {
  const devices = spec?.devices;
  if (devices?.requests) devices.requests = devices.requests.map(flat);
}

function nested({ name, firstAvailable, ...exactly }: FlatRequest): DeviceRequest {
  const { deviceClassName = '', ...rest } = exactly;
  const says = deviceClassName !== '' || Object.values(rest).some((value) => value !== undefined && value !== '' && value !== 0);
  return {
    name,
    ...(says && { exactly: { ...rest, deviceClassName } as ExactDeviceRequest }),
    ...(firstAvailable !== undefined && { firstAvailable }),
  };
}

function flat({ name, exactly, firstAvailable }: DeviceRequest): FlatRequest {
  return { name, deviceClassName: '', ...exactly, ...(firstAvailable !== undefined && { firstAvailable }) };
}
