// Upstream: k8s.io/kubernetes/pkg/apis/admissionregistration/validation/validation.go#validateValidatingAdmissionPolicySpec
import type { Steps } from '../../../base/steps.ts';
import { append } from '../../../machinery/append.ts';
import { boolType, nullType, stringType } from '../../../cel/types.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { duplicate, invalid, required } from '../../../machinery/field.ts';
import { checkQualifiedName } from '../../../machinery/names.ts';
import type {
  AuditAnnotation,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicySpec,
  Validation,
} from '../../../schema/types/admissionregistration-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import type { ExpressionCompiler } from '../../common/admission-rules/expressions.ts';
import { oneOf } from '../../common/admission-rules/one-of.ts';
import type { PolicyKind } from '../../common/admission-rules/policy-spec.ts';

export type ValidatingPolicy = ValidatingAdmissionPolicy & KubeObject;

const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];
const mostAuditAnnotations = 20;
const longestAuditExpression = 5 * 1024;
const nothingToDo = 'validations or auditAnnotations must contain at least one item';
const lineBreak = /[\n\r]/;

interface StoredExpressions {
  readonly validations: ReadonlySet<string>;
  readonly messages: ReadonlySet<string>;
  readonly auditValues: ReadonlySet<string>;
}

const useOf = (expression: string, stored: ReadonlySet<string>): 'stored' | 'new' => (stored.has(expression) ? 'stored' : 'new');

export const validatingPolicy: PolicyKind<ValidatingAdmissionPolicySpec> = {
  mutates: false,
  hasVariables: ({ variables = [] }) => variables.length > 0,
  // A quirk: a variable passes as stored where a validation had its expression.
  storedBesideVariables: ({ validations = [] }) => validations.map(({ expression }) => expression),
  *validate({ validations = [], auditAnnotations = [] }, old, compiler, path, policyName) {
    if (validations.length === 0 && auditAnnotations.length === 0) {
      return [required(path.child('validations'), nothingToDo), required(path.child('auditAnnotations'), nothingToDo)];
    }
    const stored: StoredExpressions = {
      validations: new Set(old?.validations?.map(({ expression }) => expression)),
      messages: new Set(old?.validations?.map(({ messageExpression = '' }) => messageExpression)),
      auditValues: new Set(old?.auditAnnotations?.map(({ valueExpression }) => valueExpression)),
    };
    const errors: FieldError[] = [];
    for (const [i, validation] of validations.entries())
      append(errors, yield* validateValidation(validation, compiler, stored, path.child('validations').index(i)));
    const annotations = validateAuditAnnotations(auditAnnotations, compiler, stored, path.child('auditAnnotations'), policyName);
    return [...errors, ...(yield* annotations)];
  },
};

function* validateValidation(
  { expression, message = '', messageExpression = '', reason }: Validation,
  compiler: ExpressionCompiler,
  stored: StoredExpressions,
  path: FieldPath,
): Steps<FieldError[]> {
  const errors: FieldError[] = [];
  const expressionPath = path.child('expression');
  if (expression.trim() === '') errors.push(required(expressionPath, 'expression is not specified'));
  else {
    const use = useOf(expression, stored.validations);
    append(errors, yield* compiler.check(expression, expressionPath, { use, returns: [boolType] }));
  }
  const messagePath = path.child('messageExpression');
  if (messageExpression.trim() !== '') {
    const use = useOf(messageExpression, stored.messages);
    append(errors, yield* compiler.check(messageExpression, messagePath, { use, returns: [stringType], hasAuthorizer: false }));
  } else if (messageExpression !== '') errors.push(invalid(messagePath, messageExpression, 'must be non-empty if specified'));
  if (message !== '' && message.trim() === '') errors.push(invalid(path.child('message'), message, 'must be non-empty if specified'));
  else if (lineBreak.test(message.trim())) errors.push(invalid(path.child('message'), message, 'must not contain line breaks'));
  return [...errors, ...oneOf(reason, reasons, path.child('reason'))];
}

function* validateAuditAnnotations(
  annotations: readonly AuditAnnotation[],
  compiler: ExpressionCompiler,
  stored: StoredExpressions,
  path: FieldPath,
  policyName: string,
): Steps<FieldError[]> {
  const errors: FieldError[] = [];
  if (annotations.length > mostAuditAnnotations) {
    // shown with the names that they have inside upstream
    const shown = annotations.map(({ key, valueExpression }) => ({ Key: key, ValueExpression: valueExpression }));
    errors.push(invalid(path, shown, `must not have more than ${mostAuditAnnotations} auditAnnotations`));
  }
  const seen = new Set<string>();
  for (const [i, { key, valueExpression }] of annotations.entries()) {
    const at = path.index(i);
    append(errors, validateAuditKey(key, policyName, at.child('key')));
    append(errors, yield* validateAuditValue(valueExpression, compiler, stored, at.child('valueExpression')));
    if (seen.has(key)) errors.push(duplicate(at.child('key'), key));
    seen.add(key);
  }
  return errors;
}

/** In the audit log the policy's name stands before the key. */
function validateAuditKey(key: string, policyName: string, path: FieldPath): FieldError[] {
  if (policyName === '') return [invalid(path, key, 'requires metadata.name be non-empty')];
  const name = `${policyName}/${key}`;
  return checkQualifiedName(name).map((problem) => invalid(path, name, problem));
}

function* validateAuditValue(
  expression: string,
  compiler: ExpressionCompiler,
  stored: StoredExpressions,
  path: FieldPath,
): Steps<FieldError[]> {
  const trimmed = expression.trim();
  if (trimmed === '') return [required(path, 'valueExpression is not specified')];
  if (Buffer.byteLength(trimmed) > longestAuditExpression) {
    return [required(path, `must not exceed ${longestAuditExpression} bytes in length`)];
  }
  return yield* compiler.check(trimmed, path, { use: useOf(expression, stored.auditValues), returns: [stringType, nullType] }, expression);
}
