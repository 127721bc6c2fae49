// Upstream: pkg/registry/rbac/role/strategy.go
import { nameIsPathSegment } from '../../../machinery/names.ts';
import { defineResource } from '../../../server/registry/definition.ts';

export const roles = defineResource({
  group: 'rbac.authorization.k8s.io',
  plural: 'roles',
  strategy: { allowCreateOnUpdate: true, validateName: nameIsPathSegment },
});
