// Upstream: k8s.io/kubernetes/pkg/registry/scheduling/priorityclass/{strategy.go,storage/storage.go}
// Upstream: k8s.io/kubernetes/pkg/apis/scheduling/validation/validation.go
import { append } from '../../../machinery/append.ts';
import { forbidden as forbiddenError } from '../../../machinery/errors.ts';
import type { FieldError } from '../../../machinery/field.ts';
import { FieldPath, forbidden, invalid, notSupported, required, typedValue } from '../../../machinery/field.ts';
import { fieldImmutableMessage } from '../../../machinery/object-meta-validation.ts';
import type { PriorityClass } from '../../../schema/types/scheduling-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import { ageColumn } from '../../../table/common-columns.ts';
import { docOf } from '../../../table/described.ts';

type PriorityClassObject = PriorityClass & KubeObject;

const group = 'scheduling.k8s.io';
const plural = 'priorityclasses';
const typeName = 'io.k8s.api.scheduling.v1.PriorityClass';
const systemPrefix = 'system-';
const highestUserPriority = 1_000_000_000;
const systemClasses: ReadonlyMap<string, number> = new Map([
  ['system-node-critical', 2_000_001_000],
  ['system-cluster-critical', 2_000_000_000],
]);
const preemptionPolicies: readonly string[] = ['PreemptLowerPriority', 'Never'];

export const priorityClasses = defineResource<PriorityClassObject>({
  group,
  plural,
  strategy: {
    defaults(priorityClass) {
      priorityClass.preemptionPolicy ??= 'PreemptLowerPriority';
    },
    // It stays 1: what could change the generation cannot change.
    prepareForCreate({ metadata }) {
      metadata.generation = 1;
    },
    validate,
    validateUpdate,
    beforeDelete({ metadata: { name = '' } }, _, { inCollection }) {
      // Quirk: with all others they can be.
      if (systemClasses.has(name) && !inCollection) {
        throw forbiddenError({ group, resource: plural }, name, 'this is a system priority class and cannot be deleted');
      }
      return { proceed: true };
    },
  },
  columns: [
    { name: 'Value', type: 'integer', description: docOf(typeName, 'value'), cell: ({ value }) => value },
    {
      name: 'Global-Default',
      type: 'boolean',
      description: docOf(typeName, 'globalDefault'),
      cell: ({ globalDefault }) => globalDefault ?? false,
    },
    ageColumn,
    {
      name: 'PreemptionPolicy',
      type: 'string',
      description: docOf(typeName, 'preemptionPolicy'),
      cell: ({ preemptionPolicy }) => preemptionPolicy ?? '',
    },
  ],
});

function validate({ metadata: { name = '' }, value, globalDefault = false, preemptionPolicy }: PriorityClassObject): FieldError[] {
  const errors: FieldError[] = [];
  if (name.startsWith(systemPrefix)) {
    const problem = systemClassProblem(name, value, globalDefault);
    if (problem !== undefined) {
      const detail = `priority class names with '${systemPrefix}' prefix are reserved for system use only. error: ${problem}`;
      errors.push(forbidden(FieldPath.root('metadata', 'name'), detail));
    }
  } else if (value > highestUserPriority) {
    errors.push(forbidden(FieldPath.root('value'), `maximum allowed value of a user defined priority is ${highestUserPriority}`));
  }
  if (preemptionPolicy !== undefined) append(errors, validatePreemptionPolicy(preemptionPolicy));
  return errors;
}

function systemClassProblem(name: string, value: number, globalDefault: boolean): string | undefined {
  const expected = systemClasses.get(name);
  if (expected === undefined) return `${name} is not a known system priority class`;
  if (value !== expected) return `value of ${name} PriorityClass must be ${expected}`;
  return globalDefault ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}

function validatePreemptionPolicy(policy: string): FieldError[] {
  const path = FieldPath.root('preemptionPolicy');
  if (policy === '') return [required(path, '')];
  return preemptionPolicies.includes(policy) ? [] : [notSupported(path, typedValue(policy), preemptionPolicies)];
}

function validateUpdate({ value, preemptionPolicy }: PriorityClassObject, old: PriorityClassObject): FieldError[] {
  const errors = value === old.value ? [] : [forbidden(FieldPath.root('value'), 'may not be changed in an update.')];
  if (preemptionPolicy !== old.preemptionPolicy) {
    errors.push(invalid(FieldPath.root('preemptionPolicy'), typedValue(preemptionPolicy ?? null), fieldImmutableMessage));
  }
  return errors;
}
