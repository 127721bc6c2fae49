// Upstream: k8s.io/apimachinery/pkg/apis/meta/v1/validation/validation.go, k8s.io/apimachinery/pkg/apis/meta/internalversion/validation/validation.go
import { FieldPath, forbidden, invalid, notSupported, required, typedValue } from './field.ts';
import type { FieldError } from './field.ts';
import { validateFieldManager } from './object-meta-validation.ts';
import type { CreateOptions, DeleteOptions, ListOptions, PatchOptions, PatchType, TableOptions, UpdateOptions } from './option-types.ts';

const at = (name: string): FieldPath => FieldPath.root(name);

export function validateListOptions(options: ListOptions, watchList: boolean): FieldError[] {
  return options.watch ? validateWatchOptions(options, watchList) : validatePlainListOptions(options);
}

function validatePlainListOptions(options: ListOptions): FieldError[] {
  const errors: FieldError[] = [];
  const path = at('resourceVersionMatch');
  const { resourceVersionMatch: match, resourceVersion } = options;
  if (match !== '') {
    if (resourceVersion === '') errors.push(forbidden(path, 'resourceVersionMatch is forbidden unless resourceVersion is provided'));
    if (options.continue !== '') errors.push(forbidden(path, 'resourceVersionMatch is forbidden when continue is provided'));
    if (match !== 'Exact' && match !== 'NotOlderThan') {
      errors.push(notSupported(path, typedValue(match), ['Exact', 'NotOlderThan', '']));
    }
    if (match === 'Exact' && resourceVersion === '0') {
      errors.push(forbidden(path, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
    }
  }
  if (options.sendInitialEvents !== undefined) {
    errors.push(forbidden(at('sendInitialEvents'), 'sendInitialEvents is forbidden for list'));
  }
  return errors;
}

function validateWatchOptions(options: ListOptions, watchList: boolean): FieldError[] {
  const errors: FieldError[] = [];
  const path = at('resourceVersionMatch');
  const { resourceVersionMatch: match, sendInitialEvents } = options;
  if (sendInitialEvents !== undefined) {
    if (match !== 'NotOlderThan') {
      errors.push(forbidden(path, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'));
    }
    if (!watchList) {
      const detail = 'sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled';
      errors.push(forbidden(at('sendInitialEvents'), detail));
    }
  }
  if (match === '') return errors;
  if (sendInitialEvents === undefined) {
    errors.push(forbidden(path, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'));
  }
  if (match !== 'NotOlderThan') errors.push(notSupported(path, typedValue(match), ['NotOlderThan']));
  if (options.continue !== '') errors.push(forbidden(path, 'resourceVersionMatch is forbidden when continue is provided'));
  return errors;
}

export function validateCreateOptions(options: CreateOptions): FieldError[] {
  return [
    ...validateFieldManager(options.fieldManager, at('fieldManager')),
    ...validateDryRun(options.dryRun),
    ...validateFieldValidation(options.fieldValidation),
  ];
}

export function validateUpdateOptions(options: UpdateOptions): FieldError[] {
  return validateCreateOptions(options);
}

export function validatePatchOptions(options: PatchOptions, patchType: PatchType): FieldError[] {
  const errors: FieldError[] = [];
  if (patchType === 'application/apply-patch+yaml' || patchType === 'application/apply-patch+cbor') {
    if (options.fieldManager === '') errors.push(required(at('fieldManager'), 'is required for apply patch'));
  } else if (options.force !== undefined) {
    errors.push(forbidden(at('force'), 'may not be specified for non-apply patch'));
  }
  return [...errors, ...validateCreateOptions(options)];
}

export function validateDeleteOptions(options: DeleteOptions): FieldError[] {
  const errors: FieldError[] = [];
  const { propagationPolicy: policy } = options;
  const path = at('propagationPolicy');
  if (options.orphanDependents !== undefined && policy !== undefined) {
    errors.push(invalid(path, typedValue(policy), 'orphanDependents and deletionPropagation cannot be both set'));
  }
  if (policy !== undefined && policy !== 'Foreground' && policy !== 'Background' && policy !== 'Orphan') {
    errors.push(notSupported(path, typedValue(policy), ['Foreground', 'Background', 'Orphan', 'nil']));
  }
  return [...errors, ...validateDryRun(options.dryRun ?? []), ...validateIgnoreStoreReadError(options)];
}

function validateIgnoreStoreReadError(options: DeleteOptions): FieldError[] {
  if (options.ignoreStoreReadErrorWithClusterBreakingPotential !== true) return [];
  const path = at('ignoreStoreReadErrorWithClusterBreakingPotential');
  return (['propagationPolicy', 'orphanDependents', 'gracePeriodSeconds', 'preconditions'] as const)
    .filter((name) => options[name] !== undefined)
    .map((name) => invalid(path, true, `cannot be set together with .${name}`));
}

function validateDryRun(dryRun: readonly string[]): FieldError[] {
  return dryRun.every((value) => value === 'All') ? [] : [notSupported(at('dryRun'), dryRun, ['All'])];
}

const fieldValidation = ['', 'Ignore', 'Strict', 'Warn'] as const;

function validateFieldValidation(value: string): FieldError[] {
  const allowed: readonly string[] = fieldValidation;
  return allowed.includes(value) ? [] : [notSupported(at('fieldValidation'), value, allowed)];
}

export function validateTableOptions({ includeObject }: TableOptions): FieldError[] {
  if (includeObject === '' || includeObject === 'Metadata' || includeObject === 'None' || includeObject === 'Object') return [];
  return [invalid(at('includeObject'), typedValue(includeObject), "must be 'Metadata', 'Object', 'None', or empty")];
}
