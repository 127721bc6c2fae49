// Upstream: k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go#ValidateCustomResourceDefinitionNames
import type { FieldError, FieldPath } from '../../machinery/field.ts';
import { invalid } from '../../machinery/field.ts';
import { checkDns1035Label } from '../../machinery/names.ts';
import type { CustomResourceDefinitionNames } from '../../schema/types/apiextensions-v1.ts';

export function validateNames(names: CustomResourceDefinitionNames, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const label = (value: string, at: FieldPath): void => {
    const faults = checkDns1035Label(value);
    if (faults.length > 0) errors.push(invalid(at, value, faults.join(',')));
  };
  const kind = (value: string, at: FieldPath): void => {
    const faults = checkDns1035Label(value.toLowerCase());
    if (faults.length > 0) errors.push(invalid(at, value, `may have mixed case, but should otherwise match: ${faults.join(',')}`));
  };
  if (names.plural) label(names.plural, path.child('plural'));
  if (names.singular) label(names.singular, path.child('singular'));
  if (names.kind) kind(names.kind, path.child('kind'));
  if (names.listKind) kind(names.listKind, path.child('listKind'));
  names.shortNames?.forEach((name, i) => label(name, path.child('shortNames').index(i)));
  if (names.kind && names.kind === names.listKind)
    errors.push(invalid(path.child('listKind'), names.listKind, 'kind and listKind may not be the same'));
  names.categories?.forEach((name, i) => label(name, path.child('categories').index(i)));
  return errors;
}
