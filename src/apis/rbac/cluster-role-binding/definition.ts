// Upstream: pkg/registry/rbac/clusterrolebinding/strategy.go
import { nameIsPathSegment } from '../../../machinery/names.ts';
import { defineResource } from '../../../server/registry/definition.ts';

export const clusterRoleBindings = defineResource({
  group: 'rbac.authorization.k8s.io',
  plural: 'clusterrolebindings',
  strategy: { allowCreateOnUpdate: true, validateName: nameIsPathSegment },
});
