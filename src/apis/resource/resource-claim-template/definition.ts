// Upstream: k8s.io/kubernetes/pkg/registry/resource/resourceclaimtemplate/strategy.go
import type { KubeObject } from '../../../server/registry/definition.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import { ageColumn } from '../../../table/common-columns.ts';
import { validateAdminRequests } from '../../common/device/admin-access.ts';
import { flatVersion, flattenRequests, nestRequests } from '../../common/device/claim-conversion.ts';
import { claimDefaults } from '../../common/device/claim-defaults.ts';
import { dropDisabledClaimFields } from '../../common/device/claim-disabled-fields.ts';
import type { ClaimTemplateObject } from './validation.ts';
import { validate } from './validation.ts';

export const resourceClaimTemplates = defineResource<ClaimTemplateObject>({
  group: 'resource.k8s.io',
  plural: 'resourceclaimtemplates',
  strategy: {
    returnDeletedObject: true,
    defaults: ({ spec }, version) => claimDefaults(spec?.spec, version),
    prepareForCreate: ({ spec }, { features }) => dropDisabledClaimFields(spec.spec, undefined, features),
    prepareForUpdate: ({ spec }, old, { features }) => dropDisabledClaimFields(spec.spec, old.spec.spec, features),
    validateInSteps: validate,
    validatesMetadataOnUpdate: true,
    async validateAccess({ spec }, old, context) {
      // What is there does not change.
      return old === undefined ? validateAdminRequests(spec.spec.devices.requests, context) : [];
    },
  },
  conversions: {
    [flatVersion]: {
      toStorage(object: KubeObject) {
        const template = object as ClaimTemplateObject;
        nestRequests(template.spec?.spec);
        return template;
      },
      fromStorage(template) {
        flattenRequests(template.spec?.spec);
        return template;
      },
    },
  },
  columns: [ageColumn],
});
