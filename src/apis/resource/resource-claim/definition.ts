// Upstream: k8s.io/kubernetes/pkg/registry/resource/resourceclaim/strategy.go
import { append } from '../../../machinery/append.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import type { Column } from '../../../table/column.ts';
import { ageColumn } from '../../../table/common-columns.ts';
import { validateAdminRequests } from '../../common/device/admin-access.ts';
import { flatVersion, flattenRequests, nestRequests } from '../../common/device/claim-conversion.ts';
import { claimDefaults } from '../../common/device/claim-defaults.ts';
import { dropDisabledClaimFields } from '../../common/device/claim-disabled-fields.ts';
import { resetMetadataForStatus } from '../../common/status-metadata.ts';
import { authorizeStatus } from './status-authorization.ts';
import { dropDeallocatedDevices, dropDisabledStatusFields } from './status-fields.ts';
import { validateStatusUpdate } from './status-validation.ts';
import type { ClaimObject } from './validation.ts';
import { validate } from './validation.ts';

const stateColumn: Column<ClaimObject> = {
  name: 'State',
  type: 'string',
  description: 'A summary of the current state (allocated, pending, reserved, etc.).',
  cell: stateOf,
};

export const resourceClaims = defineResource<ClaimObject>({
  group: 'resource.k8s.io',
  plural: 'resourceclaims',
  strategy: {
    returnDeletedObject: true,
    defaults: ({ spec }, version) => claimDefaults(spec, version),
    prepareForCreate: ({ spec }, { features }) => dropDisabledClaimFields(spec, undefined, features),
    prepareForUpdate: ({ spec }, old, { features }) => dropDisabledClaimFields(spec, old.spec, features),
    validateInSteps: validate,
    validatesMetadataOnUpdate: true,
    async validateAccess({ spec }, old, context) {
      // What is there does not change.
      return old === undefined ? validateAdminRequests(spec.devices.requests, context) : [];
    },
  },
  status: {
    prepareForUpdate(claim, old, { features }) {
      resetMetadataForStatus(claim.metadata, old.metadata);
      dropDisabledStatusFields(claim, old, features);
      dropDeallocatedDevices(claim.status, old.status);
    },
    validateInSteps: (claim, old) => validateStatusUpdate(claim, old ?? claim),
    validateAccess: authorizeStatus,
    resetFields: [['metadata'], ['spec']],
  },
  conversions: {
    [flatVersion]: {
      toStorage(object: KubeObject) {
        const claim = object as ClaimObject;
        nestRequests(claim.spec);
        return claim;
      },
      fromStorage(claim) {
        flattenRequests(claim.spec);
        return claim;
      },
    },
  },
  columns: [stateColumn, ageColumn],
});

function stateOf({ metadata, status: { allocation, reservedFor = [] } = {} }: ClaimObject): string {
  const deleted = metadata.deletionTimestamp !== undefined;
  const states = deleted ? ['deleted'] : [];
  if (allocation !== undefined) append(states, ['allocated'], reservedFor.length > 0 ? ['reserved'] : []);
  else if (!deleted) states.push('pending');
  return states.join(',');
}
