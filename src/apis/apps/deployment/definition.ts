// Upstream: k8s.io/kubernetes/pkg/registry/apps/deployment/strategy.go, k8s.io/kubernetes/pkg/registry/apps/deployment/storage/storage.go
import { semanticDeepEqual } from '../../../machinery/deep-equal.ts';
import type { Deployment } from '../../../schema/types/apps-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import { setOrDelete } from '../../../server/registry/rules.ts';
import { ageColumn } from '../../../table/common-columns.ts';
import { docOf } from '../../../table/described.ts';
import { containerColumns } from '../../common/workload/columns.ts';
import { podNameWarnings } from '../../common/workload/name-warning.ts';
import { readSelector, selectorText } from '../../common/workload/selector.ts';
import { dropDisabled, templateOptions, templateWarnings, updateWarnings } from '../../common/workload/template-hooks.ts';
import { replicasScale } from '../../common/workload/scale.ts';
import { defaultDeployment } from './defaults.ts';
import { validateDeploymentSpec, validateDeploymentStatus, validateDeploymentUpdate } from './validation.ts';

export type DeploymentObject = Deployment & KubeObject;

const statusType = 'io.k8s.api.apps.v1.DeploymentStatus';

export const deployments = defineResource<DeploymentObject>({
  group: 'apps',
  plural: 'deployments',
  strategy: {
    generation: true,
    defaults: defaultDeployment,
    prepareForCreate: (deployment, context) => dropDisabled(deployment, undefined, context),
    prepareForUpdate(deployment, old, context) {
      dropDisabled(deployment, old, context);
      // Annotations are copied to replica sets, so they count too.
      if (!semanticDeepEqual(deployment.metadata.annotations, old.metadata.annotations)) {
        deployment.metadata.generation = Number(old.metadata.generation ?? 0) + 1;
      }
    },
    validate: (deployment, context) => validateDeploymentSpec(deployment.spec, templateOptions(deployment, undefined, context)),
    validateUpdate: (deployment, old, context) => validateDeploymentUpdate(deployment, old, templateOptions(deployment, old, context)),
    warningsOnCreate: (deployment, context) => [...podNameWarnings(deployment.metadata.name), ...templateWarnings(deployment, context)],
    warningsOnUpdate: updateWarnings,
  },
  status: {
    prepareForUpdate(deployment, old, { features }) {
      setOrDelete(deployment.metadata, 'labels', old.metadata.labels);
      if (!features.enabled('DeploymentReplicaSetTerminatingReplicas') && old.status?.terminatingReplicas === undefined) {
        delete deployment.status?.terminatingReplicas;
      }
    },
    validateUpdate: ({ status }, old) => validateDeploymentStatus(status, old.status),
    resetFields: [['spec'], ['metadata', 'labels']],
  },
  scale: replicasScale(({ spec }) => selectorText(spec.selector)),
  columns: [
    {
      name: 'Ready',
      type: 'string',
      description: 'Number of the pod with ready state',
      cell: ({ spec, status }) => `${status?.readyReplicas ?? 0}/${spec.replicas ?? 0}`,
    },
    {
      name: 'Up-to-date',
      type: 'string',
      description: docOf(statusType, 'updatedReplicas'),
      cell: ({ status }) => status?.updatedReplicas ?? 0,
    },
    {
      name: 'Available',
      type: 'string',
      description: docOf(statusType, 'availableReplicas'),
      cell: ({ status }) => status?.availableReplicas ?? 0,
    },
    ageColumn,
    ...containerColumns<DeploymentObject>(({ spec }) => spec.template.spec.containers),
    {
      name: 'Selector',
      type: 'string',
      priority: 1,
      description: docOf('io.k8s.api.apps.v1.DeploymentSpec', 'selector'),
      cell: ({ spec }) => readSelector(spec.selector)?.toString() ?? '<invalid>',
    },
  ],
});
