// Upstream: k8s.io/kubernetes/pkg/apis/admissionregistration/validation/validation.go#validateValidatingAdmissionPolicyStatus
import { validateConditions } from '../../../machinery/conditions.ts';
import type { FieldError } from '../../../machinery/field.ts';
import { FieldPath, invalid, required } from '../../../machinery/field.ts';
import type { ExpressionWarning } from '../../../schema/types/admissionregistration-v1.ts';
import { JsonPathError, parseJsonPath } from '../../../table/jsonpath.ts';
import type { ValidatingPolicy } from './validation.ts';

const statusPath = FieldPath.root('status');
const warningsPath = statusPath.child('typeChecking', 'expressionWarnings');

export function validateStatus({ status }: ValidatingPolicy): FieldError[] {
  const warnings = status?.typeChecking?.expressionWarnings ?? [];
  return [
    ...warnings.flatMap((warning, i) => validateWarning(warning, warningsPath.index(i))),
    ...validateConditions(status?.conditions as Parameters<typeof validateConditions>[0], statusPath.child('conditions')),
  ];
}

function validateWarning({ fieldRef, warning }: ExpressionWarning, path: FieldPath): FieldError[] {
  const errors = warning === '' ? [required(path.child('warning'), '')] : [];
  return [...errors, ...validateFieldRef(fieldRef.trim(), path.child('fieldRef'))];
}

function validateFieldRef(fieldRef: string, path: FieldPath): FieldError[] {
  if (fieldRef === '') return [required(path, '')];
  try {
    parseJsonPath(fieldRef);
    return [];
  } catch (error) {
    if (error instanceof JsonPathError) return [invalid(path, fieldRef, `invalid JSONPath: ${error.message}`)];
    throw error;
  }
}
