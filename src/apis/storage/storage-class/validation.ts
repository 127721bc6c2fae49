// Upstream: pkg/apis/storage/validation/validation.go (ValidateStorageClass)
import { semanticDeepEqual } from '../../../machinery/deep-equal.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { FieldPath as Path, duplicate, invalid, notSupported, required, tooLong, typedValue } from '../../../machinery/field.ts';
import { isQualifiedName } from '../../../machinery/names.ts';
import { FIELD_IMMUTABLE_MESSAGE, validateLabelName } from '../../../machinery/object-meta-validation.ts';
import type { TopologySelectorLabelRequirement, TopologySelectorTerm } from '../../../schema/types/core-v1.ts';
import type { StorageClass } from '../../../schema/types/storage-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { validateMetadata } from '../../../server/registry/rules.ts';
import { Findings } from '../../common/findings.ts';

type Class = StorageClass & KubeObject;

const parametersMaxBytes = 256 * 1024;
const parametersMaxCount = 512;
const reclaimPolicies: readonly string[] = ['Delete', 'Retain'];
const bindingModes: readonly string[] = ['Immediate', 'WaitForFirstConsumer'];
/** what makes a class what it is, in the order of its type */
const fixedFields = ['provisioner', 'parameters', 'reclaimPolicy', 'volumeBindingMode'] as const;

export function validate(storageClass: Class): FieldError[] {
  const findings = new Findings();
  collect(storageClass, findings);
  return findings.errors;
}

export function validateUpdate(storageClass: Class, old: Class): FieldError[] {
  const findings = new Findings();
  findings.add(...validateMetadata(storageClass.metadata, false));
  collect(storageClass, findings);
  for (const field of fixedFields) {
    if (semanticDeepEqual(storageClass[field], old[field])) continue;
    // the value is not shown, as in all such declared rules
    findings.declare(invalid(Path.root(field), null, FIELD_IMMUTABLE_MESSAGE));
  }
  return findings.errors;
}

function collect(
  { provisioner, parameters = {}, reclaimPolicy, volumeBindingMode, allowedTopologies = [] }: Class,
  findings: Findings,
): void {
  const path = Path.root('provisioner');
  if (provisioner === '') findings.declare(required(path, ''));
  else {
    const lower = provisioner.toLowerCase();
    findings.add(...isQualifiedName(lower).map((problem) => invalid(path, lower, problem)));
  }
  findings.add(...validateParameters(parameters, Path.root('parameters')));
  if (reclaimPolicy && !reclaimPolicies.includes(reclaimPolicy)) {
    findings.add(notSupported(Path.root('reclaimPolicy'), typedValue(reclaimPolicy), reclaimPolicies));
  }
  const modePath = Path.root('volumeBindingMode');
  if (volumeBindingMode === undefined) findings.add(required(modePath, ''));
  else if (!bindingModes.includes(volumeBindingMode)) findings.add(notSupported(modePath, typedValue(volumeBindingMode), bindingModes));
  findings.add(...validateTopologies(allowedTopologies, Path.root('allowedTopologies')));
}

function validateParameters(parameters: Readonly<Record<string, string>>, path: FieldPath): FieldError[] {
  const entries = Object.entries(parameters);
  if (entries.length > parametersMaxCount) return [tooLong(path, parametersMaxCount)];
  const errors = entries.flatMap(([key]) => (key === '' ? [invalid(path, key, 'field can not be empty.')] : []));
  const size = entries.reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0);
  if (size > parametersMaxBytes) errors.push(tooLong(path, parametersMaxBytes));
  return errors;
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
    list.forEach((value, position) => {
      if (list.indexOf(value) < position) errors.push(duplicate(at.child('values').index(position), value));
    });
    errors.push(...validateLabelName(key, at.child('key')));
    if (keys.has(key)) errors.push(duplicate(at.child('key'), key));
    keys.add(key);
    return errors;
  });
}
