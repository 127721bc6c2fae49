// Upstream: k8s.io/kubernetes/pkg/registry/rbac/rolebinding/strategy.go
import { nameIsPathSegment } from '../../../machinery/names.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import { validateMetadata } from '../../../server/registry/rules.ts';
import type { Binding } from '../../common/rbac/binding.ts';
import { bindingColumns, bindingDefaults } from '../../common/rbac/binding.ts';
import { authorizeBinding } from '../../common/rbac/escalation.ts';
import { rbacGroup, validateBinding, validateSameRole } from '../../common/rbac/validation.ts';

export const roleBindings = defineResource<Binding>({
  group: rbacGroup,
  plural: 'rolebindings',
  strategy: {
    allowCreateOnUpdate: true,
    validateName: nameIsPathSegment,
    defaults: bindingDefaults,
    authorize: (binding, old, context) => authorizeBinding('rolebindings', binding, old, context),
    validate: (binding) => validateBinding(binding, true),
    validateUpdate: (binding, old) => [
      ...validateMetadata(binding.metadata, true, nameIsPathSegment),
      ...validateBinding(binding, true),
      ...validateSameRole(binding, old),
    ],
  },
  columns: bindingColumns('RoleBinding'),
});
