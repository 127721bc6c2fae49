// Upstream: k8s.io/kubernetes/pkg/apis/resource/{v1,v1beta1,v1beta2}/defaults.go
import type { ResourceClaimSpec } from '../../../schema/types/resource-v1.ts';
import type { DeviceRequest as FlatRequest } from '../../../schema/types/resource-v1beta1.ts';
import { flatVersion } from './claim-conversion.ts';

interface CountedRequest {
  allocationMode?: string;
  count?: number | bigint;
}

export function claimDefaults(spec: ResourceClaimSpec | undefined, version: string): void {
  for (const request of spec?.devices?.requests ?? []) {
    for (const subrequest of request.firstAvailable ?? []) countDefaults(subrequest);
    if (version === flatVersion) flatDefaults(request as FlatRequest);
    else if (request.exactly !== undefined) countDefaults(request.exactly);
  }
}

/** Without a class it has alternatives, and says nothing itself. */
function flatDefaults(request: FlatRequest): void {
  if (request.deviceClassName !== '') countDefaults(request);
}

function countDefaults(request: CountedRequest): void {
  request.allocationMode ||= 'ExactCount';
  if (request.allocationMode === 'ExactCount') request.count ||= 1;
}
