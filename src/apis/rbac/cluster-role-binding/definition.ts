// Upstream: k8s.io/kubernetes/pkg/registry/rbac/clusterrolebinding/strategy.go
import { nameIsPathSegment } from '../../../machinery/names.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import { validateMetadata } from '../../../server/registry/rules.ts';
import type { Binding } from '../../common/rbac/binding.ts';
import { bindingColumns, bindingDefaults } from '../../common/rbac/binding.ts';
import { authorizeBinding } from '../../common/rbac/escalation.ts';
import { rbacGroup, validateBinding, validateSameRole } from '../../common/rbac/validation.ts';

export const clusterRoleBindings = defineResource<Binding>({
  group: rbacGroup,
  plural: 'clusterrolebindings',
  strategy: {
    allowCreateOnUpdate: true,
    validateName: nameIsPathSegment,
    defaults: bindingDefaults,
    authorize: (binding, old, context) => authorizeBinding('clusterrolebindings', binding, old, context),
    validate: (binding) => validateBinding(binding, false),
    validateUpdate: (binding, old) => [
      ...validateMetadata(binding.metadata, false, nameIsPathSegment),
      ...validateBinding(binding, false),
      ...validateSameRole(binding, old),
    ],
  },
  columns: bindingColumns('ClusterRoleBinding'),
});
