// Upstream: k8s.io/kubernetes/pkg/registry/apps/replicaset/strategy.go, k8s.io/kubernetes/pkg/apis/apps/validation/validation.go#ValidateReplicaSet*
import { FieldPath } from '../../../machinery/field.ts';
import type { FieldError } from '../../../machinery/field.ts';
import { validateNonNegative } from '../../../machinery/object-meta-validation.ts';
import type { ReplicaSet, ReplicaSetStatus } from '../../../schema/types/apps-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import { ageColumn } from '../../../table/common-columns.ts';
import { defaultPodTemplate } from '../../common/pod-spec/defaults.ts';
import type { PodValidationOptions } from '../../common/pod-spec/options.ts';
import { containerColumns, countColumn, selectorColumn } from '../../common/workload/columns.ts';
import { podNameWarnings } from '../../common/workload/name-warning.ts';
import { validateReplicated } from '../../common/workload/replicated.ts';
import { selectorText, validateSelectorUnchanged } from '../../common/workload/selector.ts';
import { validateAtMost, validateCounts } from '../../common/workload/status.ts';
import { dropDisabled, templateOptions, templateWarnings, updateWarnings } from '../../common/workload/template-hooks.ts';
import { replicasScale } from '../../common/workload/scale.ts';

type ReplicaSetObject = ReplicaSet & KubeObject;

const specType = 'io.k8s.api.apps.v1.ReplicaSetSpec';
const statusType = 'io.k8s.api.apps.v1.ReplicaSetStatus';
const specPath = FieldPath.root('spec');

export const replicaSets = defineResource<ReplicaSetObject>({
  group: 'apps',
  plural: 'replicasets',
  strategy: {
    generation: true,
    defaults({ spec }) {
      defaultPodTemplate(spec.template);
      spec.replicas ??= 1;
    },
    prepareForCreate(replicaSet, context) {
      replicaSet.status = { replicas: 0 };
      dropDisabled(replicaSet, undefined, context);
    },
    prepareForUpdate: dropDisabled,
    validate: (replicaSet, context) => validateSpec(replicaSet, templateOptions(replicaSet, undefined, context)),
    validateUpdate: (replicaSet, old, context) => [
      ...validateSpec(replicaSet, templateOptions(replicaSet, old, context)),
      ...validateSelectorUnchanged(replicaSet.spec.selector, old.spec.selector, specPath.child('selector')),
    ],
    warningsOnCreate: (replicaSet, context) => [...podNameWarnings(replicaSet.metadata.name), ...templateWarnings(replicaSet, context)],
    warningsOnUpdate: updateWarnings,
  },
  status: {
    prepareForUpdate(replicaSet, old, { features }) {
      if (!features.enabled('DeploymentReplicaSetTerminatingReplicas') && old.status?.terminatingReplicas === undefined) {
        delete replicaSet.status?.terminatingReplicas;
      }
    },
    validateUpdate: ({ status }) => validateStatus(status),
  },
  scale: replicasScale(({ spec }) => selectorText(spec.selector)),
  columns: [
    countColumn('Desired', 'integer', [specType, 'replicas'], ({ spec }) => spec.replicas ?? 0),
    countColumn('Current', 'integer', [statusType, 'replicas'], ({ status }) => status?.replicas ?? 0),
    countColumn('Ready', 'integer', [statusType, 'readyReplicas'], ({ status }) => status?.readyReplicas ?? 0),
    ageColumn,
    ...containerColumns<ReplicaSetObject>(({ spec }) => spec.template.spec.containers),
    selectorColumn(specType, ({ spec }) => spec.selector),
  ],
});

function validateSpec({ spec }: ReplicaSetObject, options: PodValidationOptions): FieldError[] {
  return [
    ...validateNonNegative(spec.replicas, specPath.child('replicas')),
    ...validateNonNegative(spec.minReadySeconds, specPath.child('minReadySeconds')),
    ...validateReplicated(spec, specPath, options),
  ];
}

function validateStatus(status: ReplicaSetStatus | undefined): FieldError[] {
  return [
    ...validateCounts(
      status,
      'replicas',
      'fullyLabeledReplicas',
      'readyReplicas',
      'availableReplicas',
      'observedGeneration',
      'terminatingReplicas',
    ),
    ...validateAtMost(status, 'fullyLabeledReplicas', 'replicas'),
    ...validateAtMost(status, 'readyReplicas', 'replicas'),
    ...validateAtMost(status, 'availableReplicas', 'replicas'),
    ...validateAtMost(status, 'availableReplicas', 'readyReplicas', 'cannot be greater than readyReplicas'),
  ];
}
