// Upstream: k8s.io/kubernetes/pkg/apis/storage/validation/validation.go#ValidateStorageClass
import { append } from '../../../machinery/append.ts';
import { semanticDeepEqual } from '../../../machinery/deep-equal.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { FieldPath as Path, duplicate, invalid, notSupported, required, typedValue } from '../../../machinery/field.ts';
import { fieldImmutableMessage, validateLabelName } from '../../../machinery/object-meta-validation.ts';
import { repeatsIn } from '../../../machinery/repeats.ts';
import type { TopologySelectorLabelRequirement, TopologySelectorTerm } from '../../../schema/types/core-v1.ts';
import type { StorageClass } from '../../../schema/types/storage-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { validateMetadata } from '../../../server/registry/rules.ts';
import { validateParameters, validateProvisioner } from '../../common/storage-parameters.ts';

type Class = StorageClass & KubeObject;

const reclaimPolicies: readonly string[] = ['Delete', 'Retain'];
const bindingModes: readonly string[] = ['Immediate', 'WaitForFirstConsumer'];
/** what makes a class what it is */
const fixedFields = ['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode'] as const;

export function validate(storageClass: Class): FieldError[] {
  const { provisioner, parameters = {}, reclaimPolicy, volumeBindingMode, allowedTopologies = [] } = storageClass;
  const errors = [
    ...validateProvisioner(provisioner, Path.root('provisioner')),
    ...validateParameters(parameters, Path.root('parameters'), { allowNone: true }),
  ];
  if (reclaimPolicy && !reclaimPolicies.includes(reclaimPolicy)) {
    errors.push(notSupported(Path.root('reclaimPolicy'), typedValue(reclaimPolicy), reclaimPolicies));
  }
  const modePath = Path.root('volumeBindingMode');
  if (volumeBindingMode === undefined) errors.push(required(modePath, ''));
  else if (!bindingModes.includes(volumeBindingMode)) errors.push(notSupported(modePath, typedValue(volumeBindingMode), bindingModes));
  return [...errors, ...validateTopologies(allowedTopologies, Path.root('allowedTopologies'))];
}

export function validateUpdate(storageClass: Class, old: Class): FieldError[] {
  return [
    ...validateMetadata(storageClass.metadata, false),
    ...validate(storageClass),
    ...fixedFields
      .filter((field) => !semanticDeepEqual(storageClass[field], old[field]))
      .map((field) => invalid(Path.root(field), storageClass[field] ?? null, fieldImmutableMessage).withOrigin('immutable')),
  ];
}

/** Terms that ask for the same are duplicates, whatever the order of their words; so is one that asks for nothing. */
function validateTopologies(terms: readonly TopologySelectorTerm[], path: FieldPath): FieldError[] {
  const seen = new Set(['{}']);
  return terms.flatMap((term, index) => {
    const at = path.index(index).child('matchLabelExpressions');
    const expressions = term.matchLabelExpressions ?? [];
    const errors = validateExpressions(expressions, at);
    const meaning = Object.fromEntries(
      expressions.map(({ key, values }) => [key, [...new Set(values)].sort()] as const).sort(([a], [b]) => (a < b ? -1 : 1)),
    );
    const text = JSON.stringify(meaning);
    if (seen.has(text)) errors.push(duplicate(at, ''));
    seen.add(text);
    return errors;
  });
}

function validateExpressions(expressions: readonly TopologySelectorLabelRequirement[], path: FieldPath): FieldError[] {
  const keys = new Set<string>();
  return expressions.flatMap(({ key, values }, index) => {
    const at = path.index(index);
    const list = values ?? [];
    const errors = list.length === 0 ? [required(at.child('values'), '')] : [];
    for (const position of repeatsIn(list)) errors.push(duplicate(at.child('values').index(position), list[position]));
    append(errors, validateLabelName(key, at.child('key')));
    if (keys.has(key)) errors.push(duplicate(at.child('key'), key));
    keys.add(key);
    return errors;
  });
}
