// Upstream: k8s.io/kubernetes/pkg/registry/core/replicationcontroller/strategy.go
// Upstream: k8s.io/kubernetes/pkg/apis/core/validation/validation.go#ValidateReplicationController*
import { append } from '../../../machinery/append.ts';
import { FieldPath, invalid, required } from '../../../machinery/field.ts';
import type { FieldError } from '../../../machinery/field.ts';
import { isDistinct } from '../../../machinery/go-distinctions.ts';
import { declarativeFormats } from '../../../machinery/names.ts';
import type { NameRule } from '../../../machinery/names.ts';
import { validateNonNegative } from '../../../machinery/object-meta-validation.ts';
import type { ReplicationController, ReplicationControllerStatus } from '../../../schema/types/core-v1.ts';
import type { WriteContext } from '../../../server/registry/context.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import { ageColumn } from '../../../table/common-columns.ts';
import { docOf } from '../../../table/described.ts';
import { formatLabels } from '../../../table/format-labels.ts';
import { defaultPodTemplate } from '../../common/pod-spec/defaults.ts';
import { dropDisabledTemplateFields } from '../../common/pod-spec/disabled-fields.ts';
import { podTemplateValidationOptions } from '../../common/pod-spec/options.ts';
import { validatePodTemplateSpec } from '../../common/pod-spec/template.ts';
import { podTemplateWarnings } from '../../common/pod-spec/warnings.ts';
import { containerColumns, countColumn } from '../../common/workload/columns.ts';
import { labelAsTemplate } from '../../common/workload/template-labels.ts';
import { podNameWarnings } from '../../common/workload/name-warning.ts';
import { shownLabels, validateEndlessPods } from '../../common/workload/selector.ts';
import { validateAtMost, validateCounts } from '../../common/workload/status.ts';
import { replicasScale } from '../../common/workload/scale.ts';

type ControllerObject = ReplicationController & KubeObject;

const specType = 'io.k8s.api.core.v1.ReplicationControllerSpec';
const statusType = 'io.k8s.api.core.v1.ReplicationControllerStatus';
const specPath = FieldPath.root('spec');
const templatePath = specPath.child('template');

/** One of the first kinds whose name follows a declared format, which speaks of bytes. That format is not for what names begin with. */
const nameIsLongName: NameRule = (name, prefix) => (prefix ? [] : declarativeFormats.longName(name));

export const replicationControllers = defineResource<ControllerObject>({
  group: '',
  plural: 'replicationcontrollers',
  strategy: {
    generation: true,
    garbageCollection: 'orphan',
    validateName: nameIsLongName,
    defaults({ metadata, spec }) {
      if (spec.template !== undefined) defaultPodTemplate(spec.template);
      const labels = spec.template?.metadata?.labels;
      if (labels === undefined) return;
      if (Object.keys(spec.selector ?? {}).length === 0) spec.selector = { ...labels };
      labelAsTemplate(metadata, labels);
    },
    prepareForCreate(controller, context) {
      controller.status = { replicas: 0 };
      dropDisabled(controller, undefined, context);
    },
    prepareForUpdate: dropDisabled,
    validate: (controller, context) => validateSpec(controller, undefined, context),
    validateUpdate: validateSpec,
    warningsOnCreate: (controller, context) => [...podNameWarnings(controller.metadata.name), ...templateWarnings(controller, context)],
    warningsOnUpdate: (controller, old, context) =>
      // Upstream looks at the stored template here, not at the new one.
      controller.metadata.generation === old.metadata.generation ? [] : templateWarnings(old, context),
  },
  status: {
    prepareForUpdate: ({ metadata, spec }) => labelAsTemplate(metadata, spec.template?.metadata?.labels),
    validateUpdate: ({ status }) => validateStatus(status),
  },
  scale: replicasScale(({ spec }) => formatLabels(spec.selector)),
  selectableFields: { 'status.replicas': ({ status }) => String(status?.replicas ?? 0) },
  unknownFieldLabel: (label) => `field label not supported: ${label}`,
  columns: [
    countColumn('Desired', 'integer', [specType, 'replicas'], ({ spec }) => spec.replicas ?? 0),
    countColumn('Current', 'integer', [statusType, 'replicas'], ({ status }) => status?.replicas ?? 0),
    countColumn('Ready', 'integer', [statusType, 'readyReplicas'], ({ status }) => status?.readyReplicas ?? 0),
    ageColumn,
    ...containerColumns<ControllerObject>(({ spec }) => spec.template?.spec.containers),
    {
      name: 'Selector',
      type: 'string',
      priority: 1,
      description: docOf(specType, 'selector'),
      cell: ({ spec }) => formatLabels(spec.selector),
    },
  ],
});

function dropDisabled({ spec }: ControllerObject, old: ControllerObject | undefined, { features }: WriteContext): void {
  if (spec.template !== undefined) dropDisabledTemplateFields(spec.template, old?.spec.template, features);
}

function templateWarnings({ spec }: ControllerObject, { features }: WriteContext): string[] {
  return spec.template === undefined ? [] : podTemplateWarnings(spec.template, templatePath, features);
}

function validateSpec({ spec }: ControllerObject, old: ControllerObject | undefined, context: WriteContext): FieldError[] {
  const { selector = {}, template } = spec;
  const errors = validateNonNegative(spec.minReadySeconds, specPath.child('minReadySeconds'));
  const isEmpty = Object.keys(selector).length === 0;
  if (isEmpty) errors.push(required(specPath.child('selector'), ''));
  append(errors, validateNonNegative(spec.replicas, specPath.child('replicas')));
  if (template === undefined) return [...errors, required(templatePath, '')];
  const { metadata = {} } = template;
  const { labels = isDistinct(metadata, 'labels') ? {} : undefined } = metadata;
  const matches = isEmpty || Object.entries(selector).every(([key, value]) => labels?.[key] === value);
  if (!matches)
    errors.push(invalid(templatePath.child('metadata', 'labels'), shownLabels(labels), '`selector` does not match template `labels`'));
  return [
    ...errors,
    ...validatePodTemplateSpec(template, templatePath, podTemplateValidationOptions(context, template, old?.spec.template)),
    ...validateEndlessPods(template, templatePath, 'ReplicationController'),
  ];
}

function validateStatus(status: ReplicationControllerStatus | undefined): FieldError[] {
  return [
    ...validateCounts(status, 'replicas', 'fullyLabeledReplicas', 'readyReplicas', 'availableReplicas', 'observedGeneration'),
    ...validateAtMost(status, 'fullyLabeledReplicas', 'replicas'),
    ...validateAtMost(status, 'readyReplicas', 'replicas'),
    ...validateAtMost(status, 'availableReplicas', 'replicas'),
    ...validateAtMost(status, 'availableReplicas', 'readyReplicas', 'cannot be greater than readyReplicas'),
  ];
}
