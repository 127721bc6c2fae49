// Upstream: pkg/registry/rbac/rolebinding/strategy.go
import { nameIsPathSegment } from '../../../machinery/names.ts';
import { defineResource } from '../../../server/registry/definition.ts';

export const roleBindings = defineResource({
  group: 'rbac.authorization.k8s.io',
  plural: 'rolebindings',
  strategy: { allowCreateOnUpdate: true, validateName: nameIsPathSegment },
});
