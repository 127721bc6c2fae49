// Upstream: k8s.io/kubernetes/pkg/registry/batch/job/strategy.go
import { FieldPath } from '../../../machinery/field.ts';
import type { Job } from '../../../schema/types/batch-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import { defaultJobSpec } from '../../common/job/defaults.ts';
import { dropDisabledJobFields, jobWarnings } from '../../common/job/hooks.ts';
import { podNameWarnings } from '../../common/workload/name-warning.ts';
import { labelAsTemplate } from '../../common/workload/template-labels.ts';
import { jobColumns } from './columns.ts';
import { generateSelector } from './generated-selector.ts';
import { validateJobStatusUpdate } from './status-validation.ts';
import { validateJob, validateJobUpdate } from './validation.ts';

export type JobObject = Job & KubeObject;

const preservedPods =
  'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning';
const specPath = FieldPath.root('spec');

export const jobs = defineResource<JobObject>({
  group: 'batch',
  plural: 'jobs',
  strategy: {
    generation: true,
    garbageCollection: 'orphan',
    defaults({ metadata, spec }) {
      defaultJobSpec(spec);
      const labels = spec.template.metadata?.labels;
      if (labels !== undefined && Object.keys(metadata.labels ?? {}).length === 0) metadata.labels = labels;
    },
    prepareForCreate(job, { features }) {
      if (job.spec.manualSelector !== true) generateSelector(job);
      dropDisabledJobFields(job.spec, undefined, features);
    },
    prepareForUpdate: (job, old, { features }) => dropDisabledJobFields(job.spec, old.spec, features),
    warningsOnDelete: ({ orphanDependents, propagationPolicy }) =>
      orphanDependents === undefined && propagationPolicy === undefined ? [preservedPods] : [],
    // A job without labels has those of its template as soon as it is read again: validation does not see them.
    canonicalize: ({ metadata, spec }) => labelAsTemplate(metadata, spec.template.metadata?.labels),
    validate: validateJob,
    validateUpdate: validateJobUpdate,
    warningsOnCreate: ({ metadata, spec }, { features }) => [...podNameWarnings(metadata.name), ...jobWarnings(spec, specPath, features)],
    warningsOnUpdate: ({ metadata, spec }, old, { features }) =>
      metadata.generation === old.metadata.generation ? [] : jobWarnings(spec, specPath, features),
  },
  status: {
    prepareForUpdate: ({ metadata, spec }) => labelAsTemplate(metadata, spec.template.metadata?.labels),
    validateUpdate: validateJobStatusUpdate,
  },
  selectableFields: { 'status.successful': ({ status }) => String(status?.succeeded ?? 0) },
  unknownFieldLabel: (label) => `field label ${JSON.stringify(label)} not supported for Job`,
  columns: jobColumns,
});
