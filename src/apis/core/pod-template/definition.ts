// Upstream: k8s.io/kubernetes/pkg/registry/core/podtemplate/strategy.go
import { FieldPath } from '../../../machinery/field.ts';
import type { PodTemplate } from '../../../schema/types/core-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import type { Column } from '../../../table/column.ts';
import { formatLabels } from '../../../table/format-labels.ts';
import { defaultPodTemplate } from '../../common/pod-spec/defaults.ts';
import { dropDisabledTemplateFields } from '../../common/pod-spec/disabled-fields.ts';
import { podTemplateValidationOptions } from '../../common/pod-spec/options.ts';
import { validatePodTemplateSpec } from '../../common/pod-spec/template.ts';
import { podTemplateWarnings } from '../../common/pod-spec/warnings.ts';

type PodTemplateObject = PodTemplate & KubeObject;

const path = FieldPath.root('template');

const columns: readonly Column<PodTemplateObject>[] = [
  {
    name: 'Containers',
    type: 'string',
    description: 'Names of each container in the template.',
    cell: ({ template }) => (template.spec.containers ?? []).map(({ name }) => name).join(','),
  },
  {
    name: 'Images',
    type: 'string',
    description: 'Images referenced by each container in the template.',
    cell: ({ template }) => (template.spec.containers ?? []).map(({ image }) => image ?? '').join(','),
  },
  {
    name: 'Pod Labels',
    type: 'string',
    description: 'The labels for the pod template.',
    cell: ({ template }) => formatLabels(template.metadata?.labels),
  },
];

export const podTemplates = defineResource<PodTemplateObject>({
  group: '',
  plural: 'podtemplates',
  strategy: {
    generation: true,
    returnDeletedObject: true,
    defaults: ({ template }) => defaultPodTemplate(template),
    prepareForCreate: ({ template }, { features }) => dropDisabledTemplateFields(template, undefined, features),
    prepareForUpdate: ({ template }, old, { features }) => dropDisabledTemplateFields(template, old.template, features),
    validate: ({ template }, context) =>
      validatePodTemplateSpec(template, path, podTemplateValidationOptions(context, template, undefined)),
    validateUpdate: ({ template }, old, context) =>
      validatePodTemplateSpec(template, path, podTemplateValidationOptions(context, template, old.template)),
    warningsOnCreate: ({ template }, { features }) => podTemplateWarnings(template, path, features),
    warningsOnUpdate: ({ metadata, template }, old, { features }) =>
      metadata.generation === old.metadata.generation ? [] : podTemplateWarnings(template, path, features),
  },
  columns,
});
