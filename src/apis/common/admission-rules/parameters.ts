// Upstream: k8s.io/kubernetes/pkg/apis/admissionregistration/validation/validation.go#validateParamKind, #validateParamRef
import { append } from '../../../machinery/append.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { forbidden, invalid, required } from '../../../machinery/field.ts';
import { parseGroupVersion, unexpectedGroupVersionMessage } from '../../../machinery/group-version.ts';
import { validateLabelSelector } from '../../../machinery/label-selector.ts';
import { checkDns1035Label, checkDns1123Subdomain, nameIsPathSegment } from '../../../machinery/names.ts';
import type { ParamKind, ParamRef } from '../../../schema/types/admissionregistration-v1.ts';
import { oneOf } from './one-of.ts';

const notFoundActions = ['Deny', 'Allow'];
const exclusive = 'name and selector are mutually exclusive';

export function validateParamKind(paramKind: ParamKind | undefined, path: FieldPath): FieldError[] {
  if (paramKind === undefined) return [];
  const { apiVersion = '', kind = '' } = paramKind;
  const errors = validateApiVersion(apiVersion, path.child('apiVersion'));
  if (kind === '') errors.push(required(path.child('kind'), ''));
  else {
    const problems = checkDns1035Label(kind.toLowerCase()).join(',');
    if (problems !== '') errors.push(invalid(path.child('kind'), kind, `may have mixed case, but should otherwise match: ${problems}`));
  }
  return errors;
}

function validateApiVersion(apiVersion: string, path: FieldPath): FieldError[] {
  if (apiVersion === '') return [required(path, '')];
  const parsed = parseGroupVersion(apiVersion);
  if (parsed === undefined) return [invalid(path, apiVersion, unexpectedGroupVersionMessage(apiVersion))];
  const { group, version } = parsed;
  const errors: FieldError[] = [];
  const wrongGroup = group === '' ? [] : checkDns1123Subdomain(group);
  if (wrongGroup.length > 0) errors.push(invalid(path, group, wrongGroup.join(',')));
  if (version === '') return [...errors, invalid(path, apiVersion, 'version must be specified')];
  const wrongVersion = checkDns1035Label(version);
  if (wrongVersion.length > 0) errors.push(invalid(path, version, wrongVersion.join(',')));
  return errors;
}

export function validateParamRef(paramRef: ParamRef | undefined, path: FieldPath): FieldError[] {
  if (paramRef === undefined) return [];
  const { name = '', selector, parameterNotFoundAction } = paramRef;
  const both = name !== '' && selector !== undefined;
  const errors: FieldError[] = [];
  if (name !== '') for (const problem of nameIsPathSegment(name, false)) errors.push(invalid(path.child('name'), name, problem));
  if (both) errors.push(forbidden(path.child('name'), exclusive));
  append(errors, validateLabelSelector(selector, path.child('selector')));
  if (both) errors.push(forbidden(path.child('selector'), exclusive));
  if (name === '' && selector === undefined) errors.push(required(path, 'one of name or selector must be specified'));
  const actionPath = path.child('parameterNotFoundAction');
  if (!parameterNotFoundAction) errors.push(required(actionPath, ''));
  else append(errors, oneOf(parameterNotFoundAction, notFoundActions, actionPath));
  return errors;
}
