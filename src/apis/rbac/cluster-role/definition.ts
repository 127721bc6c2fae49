// Upstream: pkg/registry/rbac/clusterrole/strategy.go
import { nameIsPathSegment } from '../../../machinery/names.ts';
import { defineResource } from '../../../server/registry/definition.ts';

export const clusterRoles = defineResource({
  group: 'rbac.authorization.k8s.io',
  plural: 'clusterroles',
  strategy: { allowCreateOnUpdate: true, validateName: nameIsPathSegment },
});
