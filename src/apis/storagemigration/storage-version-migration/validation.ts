// Upstream: k8s.io/kubernetes/pkg/apis/storagemigration/validation/validation.go
import { append } from '../../../machinery/append.ts';
import { validateConditions } from '../../../machinery/conditions.ts';
import { deepEqual } from '../../../machinery/deep-equal.ts';
import type { FieldError } from '../../../machinery/field.ts';
import { FieldPath, invalid, required } from '../../../machinery/field.ts';
import { checkDns1035Label, checkDns1123Subdomain } from '../../../machinery/names.ts';
import { fieldImmutableMessage } from '../../../machinery/object-meta-validation.ts';
import { compareResourceVersions } from '../../../machinery/resource-version.ts';
import type { StorageVersionMigration } from '../../../schema/types/storagemigration-v1beta1.ts';
import type { WriteContext } from '../../../server/registry/context.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { validateMetadata } from '../../../server/registry/rules.ts';
import { internalValue, typeAt } from '../../common/internal-value.ts';

export type StorageVersionMigrationObject = StorageVersionMigration & KubeObject;

export const states: readonly string[] = ['Running', 'Failed', 'Succeeded'];

const specPath = FieldPath.root('spec');
const versionPath = FieldPath.root('status', 'resourceVersion');
const conditionsPath = FieldPath.root('status', 'conditions');

export function validate({ spec }: StorageVersionMigrationObject): FieldError[] {
  const { group = '', resource } = spec.resource;
  const errors: FieldError[] = [];
  const resourcePath = specPath.child('resource', 'resource');
  const resourceProblems = checkDns1035Label(resource);
  if (resource === '') errors.push(required(resourcePath, 'resource is required to be set'));
  else if (resourceProblems.length > 0) errors.push(invalid(resourcePath, resource, resourceProblems.join(',')));
  const groupProblems = group === '' ? [] : checkDns1123Subdomain(group);
  if (groupProblems.length > 0) errors.push(invalid(specPath.child('resource', 'group'), group, groupProblems.join(',')));
  return errors;
}

export function validateUpdate(migration: StorageVersionMigrationObject, old: StorageVersionMigrationObject): FieldError[] {
  const errors = [...validateMetadata(migration.metadata, false), ...validate(migration)];
  const { group = '', resource } = migration.spec.resource;
  if (deepEqual(migration.spec, old.spec)) return errors;
  // the spec shows as upstream's own type, which has no JSON names
  return [...errors, invalid(specPath, { Resource: { group, resource } }, fieldImmutableMessage)];
}

export function validateStatus(
  { status }: StorageVersionMigrationObject,
  { status: old }: StorageVersionMigrationObject,
  { reader }: WriteContext,
): FieldError[] {
  const { resourceVersion = '', conditions } = status;
  const errors: FieldError[] = [];
  if (resourceVersion !== '' && compareResourceVersions(resourceVersion, resourceVersion) === undefined) {
    errors.push(invalid(versionPath, resourceVersion, `resource version is not well formed: ${resourceVersion}`));
  }
  append(errors, validateConditions(conditions as Parameters<typeof validateConditions>[0], conditionsPath));
  if (old.resourceVersion && old.resourceVersion !== resourceVersion) {
    errors.push(invalid(versionPath, resourceVersion, fieldImmutableMessage));
  }
  const problems: string[] = [];
  if (isTrue(status, 'Succeeded') && isTrue(status, 'Failed')) {
    problems.push('Both success and failed conditions cannot be true at the same time');
  }
  for (const [type, shown] of [
    ['Succeeded', 'Success'],
    ['Failed', 'Failed'],
  ] as const) {
    if (isTrue(old, type) && !isTrue(status, type)) problems.push(`${shown} condition cannot be set to false once it is true`);
  }
  const type = typeAt(reader.resource('storagemigration.k8s.io', 'storageversionmigrations').storage.type, 'status', 'conditions');
  return [...errors, ...problems.map((problem) => invalid(conditionsPath, internalValue(type, conditions), problem))];
}

function isTrue({ conditions = [] }: StorageVersionMigrationObject['status'], wanted: string): boolean {
  return conditions.find(({ type }) => type === wanted)?.status === 'True';
}
