// Upstream: k8s.io/kubernetes/pkg/registry/rbac/clusterrole/strategy.go
import { nameIsPathSegment } from '../../../machinery/names.ts';
import type { ClusterRole } from '../../../schema/types/rbac-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import { authorizeRole } from '../../common/rbac/escalation.ts';
import { rbacGroup } from '../../common/rbac/validation.ts';
import { validate, validateUpdate } from './validation.ts';

export const clusterRoles = defineResource<ClusterRole & KubeObject>({
  group: rbacGroup,
  plural: 'clusterroles',
  strategy: {
    allowCreateOnUpdate: true,
    validateName: nameIsPathSegment,
    authorize: (role, old, context) => authorizeRole('clusterroles', role, old, context),
    validate,
    validateUpdate,
  },
});
