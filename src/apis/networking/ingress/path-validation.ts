// Upstream: k8s.io/kubernetes/pkg/apis/networking/validation/validation.go#validateHTTPIngressPath
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { invalid, notSupported, required, typedValue } from '../../../machinery/field.ts';
import type { HTTPIngressPath } from '../../../schema/types/networking-v1.ts';
import type { BackendOptions } from './backend-validation.ts';
import { validateBackend } from './backend-validation.ts';

const forbiddenSequences = ['//', '/./', '/../', '%2f', '%2F'];
const forbiddenEnds = ['/..', '/.'];
const pathTypes: readonly string[] = ['Exact', 'ImplementationSpecific', 'Prefix'];

export function validatePath({ path = '', pathType, backend }: HTTPIngressPath, at: FieldPath, options: BackendOptions): FieldError[] {
  if (pathType === undefined || pathType === null) return [required(at.child('pathType'), 'pathType must be specified')];
  const errors: FieldError[] = [];
  const pathField = at.child('path');
  const relative = !path.startsWith('/');
  switch (pathType) {
    case 'Exact':
    case 'Prefix':
      if (relative) errors.push(invalid(pathField, path, 'must be an absolute path'));
      for (const part of forbiddenSequences) if (path.includes(part)) errors.push(invalid(pathField, path, `must not contain '${part}'`));
      for (const end of forbiddenEnds) if (path.endsWith(end)) errors.push(invalid(pathField, path, `cannot end with '${end}'`));
      break;
    case 'ImplementationSpecific':
      if (path !== '' && relative) errors.push(invalid(pathField, path, 'must be an absolute path'));
      break;
    default:
      errors.push(notSupported(at.child('pathType'), typedValue(pathType), pathTypes));
  }
  return [...errors, ...validateBackend(backend, at.child('backend'), options)];
}
