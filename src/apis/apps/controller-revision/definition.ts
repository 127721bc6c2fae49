// Upstream: k8s.io/kubernetes/pkg/registry/apps/controllerrevision/strategy.go
// Upstream: k8s.io/kubernetes/pkg/apis/apps/validation/validation.go#ValidateControllerRevision*
import { stringify } from '../../../machinery/codec/json/write.ts';
import { FieldPath, invalid, required } from '../../../machinery/field.ts';
import type { FieldError } from '../../../machinery/field.ts';
import { controllerOf } from '../../../machinery/object-meta.ts';
import { nameIsDnsSubdomain } from '../../../machinery/names.ts';
import { fieldImmutableMessage, validateNonNegative, validateObjectMeta } from '../../../machinery/object-meta-validation.ts';
import type { ControllerRevision } from '../../../schema/types/apps-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import { ageColumn } from '../../../table/common-columns.ts';
import { docOf } from '../../../table/described.ts';

type RevisionObject = ControllerRevision & KubeObject;

const dataPath = FieldPath.root('data');

export const controllerRevisions = defineResource<RevisionObject>({
  group: 'apps',
  plural: 'controllerrevisions',
  strategy: {
    validate: ({ revision, data }) => [...validateNonNegative(revision, FieldPath.root('revision')), ...validateData(data)],
    validateUpdate: ({ metadata, revision, data }, old) => [
      ...validateObjectMeta(metadata, true, nameIsDnsSubdomain, FieldPath.root('metadata')),
      ...validateNonNegative(revision, FieldPath.root('revision')),
      ...validateSameData(data, old.data),
    ],
  },
  columns: [
    {
      name: 'Controller',
      type: 'string',
      description: 'Controller of the object',
      cell: ({ metadata }) => formatController(metadata),
    },
    {
      name: 'Revision',
      type: 'string',
      description: docOf('io.k8s.api.apps.v1.ControllerRevision', 'revision'),
      cell: ({ revision }) => Number(revision ?? 0),
    },
    ageColumn,
  ],
});

function validateData(data: unknown): FieldError[] {
  if (data === undefined || data === null) return [required(dataPath, 'data is mandatory')];
  return typeof data === 'object' && !Array.isArray(data) ? [] : [required(dataPath, 'data must be a valid JSON object')];
}

/** The data is text to upstream: another order of its keys is another value. */
function validateSameData(data: unknown, old: unknown): FieldError[] {
  return stringify(data) === stringify(old) ? [] : [invalid(dataPath, data ?? null, fieldImmutableMessage)];
}

/** `deployment.apps/web` */
function formatController(metadata: RevisionObject['metadata']): string {
  const owner = controllerOf(metadata);
  if (owner === undefined) return '<none>';
  const [group] = owner.apiVersion.includes('/') ? owner.apiVersion.split('/') : [''];
  return `${owner.kind.toLowerCase()}${group === '' ? '' : `.${group}`}/${owner.name}`;
}
