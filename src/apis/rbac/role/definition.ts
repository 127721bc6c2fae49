// Upstream: k8s.io/kubernetes/pkg/registry/rbac/role/strategy.go
import { nameIsPathSegment } from '../../../machinery/names.ts';
import type { Role } from '../../../schema/types/rbac-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import { validateMetadata } from '../../../server/registry/rules.ts';
import { authorizeRole } from '../../common/rbac/escalation.ts';
import { rbacGroup, validateRules } from '../../common/rbac/validation.ts';

export const roles = defineResource<Role & KubeObject>({
  group: rbacGroup,
  plural: 'roles',
  strategy: {
    allowCreateOnUpdate: true,
    validateName: nameIsPathSegment,
    authorize: (role, old, context) => authorizeRole('roles', role, old, context),
    validate: ({ rules }) => validateRules(rules, true),
    validateUpdate: ({ metadata, rules }) => [...validateMetadata(metadata, true, nameIsPathSegment), ...validateRules(rules, true)],
  },
});
