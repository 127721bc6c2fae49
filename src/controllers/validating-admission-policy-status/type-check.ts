// Upstream: k8s.io/apiserver/pkg/admission/plugin/policy/validating/typechecking.go
import type { DeclaredType } from '../../cel/declared-types.ts';
import { declared, typeProvider } from '../../cel/declared-types.ts';
import type { Environment } from '../../cel/environment.ts';
import { compile } from '../../cel/index.ts';
import { authorizerType } from '../../cel/kubernetes/authorizer.ts';
import { baseEnvironment } from '../../cel/kubernetes/environments.ts';
import { admissionRequestType, namespaceType } from '../../cel/kubernetes/variables.ts';
import { dynType } from '../../cel/types.ts';
import { describeKind } from '../../machinery/group-version.ts';
import type { GroupVersionKind } from '../../machinery/type-model.ts';
import { variableType } from '../../cel/kubernetes/expression-compiler.ts';
import type { ExpressionWarning, ValidatingAdmissionPolicySpec, Variable } from '../../schema/types/admissionregistration-v1.ts';

/** A kind with what is known of its type; undefined: it may be anything. */
export interface TypedKind extends GroupVersionKind {
  readonly type: DeclaredType | undefined;
}

/** What expressions get wrong about the types of the objects they are for, and of the parameters. `params` undefined: there are none. */
export function typeWarnings(
  { validations = [], variables = [] }: ValidatingAdmissionPolicySpec,
  kinds: readonly TypedKind[],
  params: { readonly type: DeclaredType | undefined } | undefined,
): ExpressionWarning[] {
  const environments = kinds.map((kind) => ({ kind, environment: environmentFor(kind.type, params, variables) }));
  const check = (fieldRef: string, expression: string): ExpressionWarning[] => {
    const warnings = environments.flatMap(({ kind, environment }) => {
      const compiled = compile(expression, environment);
      return 'issues' in compiled ? [`${describeKind(kind)}: ${compiled.issues}\n`] : [];
    });
    return warnings.length === 0 ? [] : [{ fieldRef, warning: warnings.join('\n') }];
  };
  return validations.flatMap(({ expression, messageExpression }, i) => [
    ...check(`spec.validations[${i}].expression`, expression),
    ...(messageExpression ? check(`spec.validations[${i}].messageExpression`, messageExpression) : []),
  ]);
}

function environmentFor(
  object: DeclaredType | undefined,
  params: { readonly type: DeclaredType | undefined } | undefined,
  variables: readonly Variable[],
): Environment {
  const objectType = object?.celType ?? dynType;
  const known = [namespaceType, admissionRequestType, object, params?.type].filter((type) => type !== undefined);
  const names = {
    namespaceObject: namespaceType.celType,
    request: admissionRequestType.celType,
    object: objectType,
    oldObject: objectType,
    ...(params && { params: params.type?.celType ?? dynType }),
    // A quirk: authorizer.requestResource is missed here, although policies may use it.
    authorizer: authorizerType,
  };
  const fields: Record<string, DeclaredType> = {};
  const withVariables = (): Environment => {
    const type = declared.object('kubernetes.variables', fields);
    return baseEnvironment('stored').extend({ ...names, variables: type.celType }, typeProvider(...known, type));
  };
  for (const { name, expression } of variables) {
    const compiled = compile(expression, withVariables());
    const type = 'issues' in compiled ? dynType : variableType('program' in compiled ? compiled.program.resultType : compiled.resultType);
    fields[name] = { ...declared.dyn, celType: type };
  }
  return withVariables();
}
