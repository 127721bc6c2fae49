// Upstream: k8s.io/kubernetes/pkg/apis/admissionregistration/validation/validation.go
// What policies of both kinds share.
import type { Steps } from '../../../base/steps.ts';
import { append } from '../../../machinery/append.ts';
import { semanticDeepEqual } from '../../../machinery/deep-equal.ts';
import type { FieldError } from '../../../machinery/field.ts';
import { FieldPath, invalid, required } from '../../../machinery/field.ts';
import type {
  MutatingAdmissionPolicySpec,
  ValidatingAdmissionPolicySpec,
  Variable,
} from '../../../schema/types/admissionregistration-v1.ts';
import type { WriteContext } from '../../../server/registry/context.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { defaultMatchResources } from './defaults.ts';
import { expressionsIn, validateExpressionAmount } from './expression-amount.ts';
import { ExpressionCompiler } from './expressions.ts';
import { expressionsOf, validateMatchConditions } from './match-conditions.ts';
import { validateFailurePolicy } from './one-of.ts';
import { validateParamAccess } from './param-authorization.ts';
import { validateParamKind } from './parameters.ts';
import { validateMatchResources, validateMutatingOperations } from './rules.ts';
import { staticNameWarnings, staticNameWarningsOnCreate, validateNotStatic, validateOwnMetadata } from './static-names.ts';

type PolicySpec = Omit<ValidatingAdmissionPolicySpec, 'validations' | 'auditAnnotations'>;

interface Policy<S extends PolicySpec> extends KubeObject {
  spec: S;
}

const specPath = FieldPath.root('spec');
const identifier = /^[_a-zA-Z][_a-zA-Z0-9]*$/;
const reservedWords: ReadonlySet<string> = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(' '),
);

export function defaultPolicy({ spec }: { readonly spec: ValidatingAdmissionPolicySpec | MutatingAdmissionPolicySpec }): void {
  spec.failurePolicy ??= 'Fail';
  defaultMatchResources(spec.matchConstraints);
}

/** Rules of a policy kind: those of its own are asked after its variables, with the compiler that knows them. */
export interface PolicyKind<S extends PolicySpec> {
  readonly mutates: boolean;
  /** whether expressions know `variables` */
  hasVariables(spec: S): boolean;
  /** stored expressions among which those of variables are looked up */
  storedBesideVariables(old: S): readonly string[];
  validate(spec: S, old: S | undefined, compiler: ExpressionCompiler, path: FieldPath, policyName: string): Steps<FieldError[]>;
}

export function policyRules<S extends PolicySpec>(kind: PolicyKind<S>) {
  function* validate({ metadata, spec }: Policy<S>, old: S | undefined): Steps<FieldError[]> {
    const amount = validateExpressionAmount(expressionsIn(spec), specPath);
    if (amount.length > 0) return amount;
    const compiler = new ExpressionCompiler({ hasParams: spec.paramKind !== undefined, hasVariables: kind.hasVariables(spec) });
    const stored = new Set(old === undefined ? [] : kind.storedBesideVariables(old));
    const errors = [...validateOwnMetadata(metadata), ...(yield* validateShared(spec, old, kind.mutates))];
    for (const [i, variable] of (spec.variables ?? []).entries())
      append(errors, yield* validateVariable(variable, compiler, stored, specPath.child('variables').index(i)));
    return [...errors, ...(yield* kind.validate(spec, old, compiler, specPath, metadata.name ?? ''))];
  }
  return {
    // The kinds' own rules begin with the metadata.
    skipsMetadataValidation: true,
    generation: true,
    allowUnconditionalUpdate: false,
    *validateInSteps(policy: Policy<S>, old: Policy<S> | undefined, context: WriteContext): Steps<FieldError[]> {
      const errors = yield* validate(policy, old?.spec);
      return old === undefined ? [...errors, ...validateNotStatic(policy.metadata, context)] : errors;
    },
    validateReferences: validateParamAccess,
    warningsOnCreate: staticNameWarningsOnCreate,
    warningsOnUpdate: staticNameWarnings,
  };
}

function* validateShared(spec: PolicySpec, old: PolicySpec | undefined, mutates: boolean): Steps<FieldError[]> {
  const { failurePolicy, paramKind, matchConstraints, matchConditions } = spec;
  const matchPath = specPath.child('matchConstraints');
  const errors = failurePolicy === undefined ? [required(specPath.child('failurePolicy'), '')] : [];
  append(errors, validateFailurePolicy(failurePolicy, specPath.child('failurePolicy')));
  append(errors, validateParamKind(paramKind, specPath.child('paramKind')));
  if (matchConstraints === undefined) errors.push(required(matchPath, ''));
  else {
    append(errors, validateMatchResources(matchConstraints, matchPath));
    if (!matchConstraints.resourceRules?.length) errors.push(required(matchPath.child('resourceRules'), ''));
    if (mutates) append(errors, validateMutatingOperations(matchConstraints, matchPath));
  }
  // Conditions that were accepted once stay so until they, or what they may refer to, change.
  const unchanged =
    old !== undefined && semanticDeepEqual(paramKind, old.paramKind) && semanticDeepEqual(matchConditions, old.matchConditions);
  if (unchanged) return errors;
  const options = { hasParams: paramKind !== undefined, stored: new Set(expressionsOf(old?.matchConditions)) };
  return [...errors, ...(yield* validateMatchConditions(matchConditions, specPath.child('matchConditions'), options))];
}

function* validateVariable(
  { name, expression }: Variable,
  compiler: ExpressionCompiler,
  stored: ReadonlySet<string>,
  path: FieldPath,
): Steps<FieldError[]> {
  const errors: FieldError[] = [];
  if (name.trim() === '') errors.push(required(path.child('name'), 'name is not specified'));
  else if (!identifier.test(name) || reservedWords.has(name)) {
    errors.push(invalid(path.child('name'), name, 'must be a valid CEL identifier'));
  }
  if (expression.trim() === '') return [...errors, required(path.child('expression'), 'expression is not specified')];
  return [...errors, ...(yield* compiler.define(name, expression, path.child('expression'), stored.has(expression) ? 'stored' : 'new'))];
}
