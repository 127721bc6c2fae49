// Upstream: k8s.io/kubernetes/pkg/apis/core/validation/validation.go#ValidateEnv, #ValidateEnvFrom
import { append } from '../../../machinery/append.ts';
import { invalid, required } from '../../../machinery/field.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { checkConfigMapKey, checkEnvVarName, checkRelaxedEnvVarName, nameIsDnsSubdomain } from '../../../machinery/names.ts';
import type * as core from '../../../schema/types/core-v1.ts';
import { envFieldPaths, validateFieldRef, validateResourceFieldRef } from './downward-api.ts';
import type { PodValidationOptions } from './options.ts';
import { problemsOf, validateDnsLabel, validateNoBacksteps } from './rules.ts';

const none: readonly string[] = Object.freeze([]);

function nameProblems(name: string, options: PodValidationOptions): readonly string[] {
  return options.allowRelaxedEnvironmentVariableValidation ? checkRelaxedEnvVarName(name) : checkEnvVarName(name);
}

export function validateEnv(vars: readonly core.EnvVar[], path: FieldPath, options: PodValidationOptions): FieldError[] {
  const errors: FieldError[] = [];
  vars.forEach((variable, index) => {
    const { name, valueFrom } = variable;
    const problems = name === '' ? none : nameProblems(name, options);
    // Most have a good name and a value, and nothing to say of their place.
    if (name !== '' && problems.length === 0 && valueFrom === undefined) return;
    const at = path.index(index);
    if (name === '') errors.push(required(at.child('name'), ''));
    append(errors, problemsOf(problems, name, at.child('name')), validateValueFrom(variable, at.child('valueFrom'), options));
  });
  return errors;
}

function validateValueFrom({ value, valueFrom }: core.EnvVar, path: FieldPath, options: PodValidationOptions): FieldError[] {
  if (valueFrom === undefined) return [];
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef } = valueFrom;
  const errors: FieldError[] = [];
  if (fieldRef !== undefined) append(errors, validateFieldRef(fieldRef, envFieldPaths, path.child('fieldRef')));
  if (resourceFieldRef !== undefined) append(errors, validateResourceFieldRef(resourceFieldRef, path.child('resourceFieldRef'), false));
  if (configMapKeyRef !== undefined) append(errors, validateKeySelector(configMapKeyRef, path.child('configMapKeyRef')));
  if (secretKeyRef !== undefined) append(errors, validateKeySelector(secretKeyRef, path.child('secretKeyRef')));
  if (fileKeyRef !== undefined) append(errors, validateFileKeySelector(fileKeyRef, path.child('fileKeyRef')));
  const sources = [fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef].filter((source) => source !== undefined);
  if (sources.length === 0) {
    const choices = options.allowEnvFilesValidation
      ? '`fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`'
      : '`fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`';
    errors.push(invalid(path, '', `must specify one of: ${choices}`));
  } else if (value) errors.push(invalid(path, '', 'may not be specified when `value` is not empty'));
  else if (sources.length > 1) errors.push(invalid(path, '', 'may not have more than one field specified at a time'));
  return errors;
}

function validateKeySelector({ name = '', key }: core.ConfigMapKeySelector, path: FieldPath): FieldError[] {
  return [
    ...problemsOf(nameIsDnsSubdomain(name, false), name, path.child('name')),
    ...(key === '' ? [required(path.child('key'), '')] : problemsOf(checkConfigMapKey(key), key, path.child('key'))),
  ];
}

function validateFileKeySelector({ key, volumeName, path: file }: core.FileKeySelector, path: FieldPath): FieldError[] {
  return [
    ...(key === '' ? [required(path.child('key'), '')] : problemsOf(checkRelaxedEnvVarName(key), key, path.child('key'))),
    ...(volumeName === '' ? [required(path.child('volumeName'), '')] : validateDnsLabel(volumeName, path.child('volumeName'))),
    ...(file === '' ? [required(path.child('path'), '')] : validateNoBacksteps(file, path.child('path'))),
  ];
}

export function validateEnvFrom(
  sources: readonly core.EnvFromSource[] | undefined,
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  return (sources ?? []).flatMap(({ prefix, configMapRef, secretRef }, index) => {
    const at = path.index(index);
    const errors: FieldError[] = [];
    if (prefix) append(errors, problemsOf(nameProblems(prefix, options), prefix, at.child('prefix')));
    if (configMapRef !== undefined) append(errors, validateReference(configMapRef.name, at.child('configMapRef')));
    if (secretRef !== undefined) append(errors, validateReference(secretRef.name, at.child('secretRef')));
    // Reported at the list, as by upstream.
    if (configMapRef === undefined && secretRef === undefined) {
      errors.push(invalid(path, '', 'must specify one of: `configMapRef` or `secretRef`'));
    } else if (configMapRef !== undefined && secretRef !== undefined) {
      errors.push(invalid(path, '', 'may not have more than one field specified at a time'));
    }
    return errors;
  });
}

function validateReference(name: string | undefined, path: FieldPath): FieldError[] {
  // A trailing dash passes: upstream takes the name for a prefix here.
  return name ? problemsOf(nameIsDnsSubdomain(name, true), name, path.child('name')) : [required(path.child('name'), '')];
}
