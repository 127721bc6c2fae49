// Upstream: k8s.io/apiserver/pkg/authentication/cel/{compile,mapper}.go, k8s.io/apiserver/plugin/pkg/authenticator/token/oidc/oidc.go#newClaimsValue
import type { Steps } from '../../../../base/steps.ts';
import type { Expr } from '../../../../cel/ast.ts';
import { unescapeField } from '../../../../cel/escaping.ts';
import type { Program, Value } from '../../../../cel/index.ts';
import { compile, evaluateInParts, evaluateQuickly } from '../../../../cel/index.ts';
import { JsonList, JsonMap, adaptJson } from '../../../../cel/json-values.ts';
import { perCallLimit } from '../../../../cel/kubernetes/environments.ts';
import { authenticationEnvironment } from '../../../../cel/kubernetes/variables.ts';
import { boolType, sameType } from '../../../../cel/types.ts';
import { CelList, Double } from '../../../../cel/values.ts';
import type { FieldError, FieldPath } from '../../../../machinery/field.ts';
import { internalError, invalid } from '../../../../machinery/field.ts';
import type { UserInfo } from '../../../request/user.ts';

export interface JwtExpression {
  readonly expression: string;
  readonly variable: 'claims' | 'user';
  readonly program: Program;
}

/** Of claims nothing is known before there are some: only rules have a type that they must have. */
export function compileExpression(
  expression: string,
  variable: 'claims' | 'user',
  isRule: boolean,
  path: FieldPath,
): JwtExpression | FieldError {
  const compiled = compile(expression, authenticationEnvironment(variable));
  if ('issues' in compiled) return invalid(path, expression, `compilation failed: ${compiled.issues}`);
  const type = 'program' in compiled ? compiled.program.resultType : compiled.resultType;
  if (isRule && !sameType(type, boolType)) return invalid(path, expression, 'must evaluate to bool');
  if ('failure' in compiled) return internalError(path, `program instantiation failed: ${compiled.failure}`);
  return { expression, variable, program: compiled.program };
}

/** Throws when the expression fails. */
export function* evaluateExpression({ expression, variable, program }: JwtExpression, value: Value): Steps<Value> {
  yield;
  const [activation, budget] = [{ [variable]: value }, { limit: perCallLimit }];
  const outcome = evaluateQuickly(program, activation, budget) ?? (yield* evaluateInParts(program, activation, budget));
  if ('value' in outcome) return outcome.value;
  throw new Error(`expression '${expression}' resulted in error: ${outcome.error}`);
}

export function claimsValue(claims: object): Value {
  return adaptClaim(claims);
}

export function userValue({ name, uid, groups, extra }: UserInfo): Value {
  return adaptJson({ username: name, uid, groups, extra });
}

/** The texts of a value that is one, or a list of them; empty ones do not count. */
export function textsOf(value: Value): string[] {
  if (value === null) return [];
  const items = value instanceof CelList ? [...value] : [value];
  return items.flatMap((item) => {
    if (typeof item !== 'string') throw new Error('expression must return a string or a list of strings');
    return item === '' ? [] : [item];
  });
}

/** Whether the expression looks at this claim by name. */
export function usesClaim({ program }: JwtExpression, claim: string): boolean {
  return selects(program.checked.root, claim);
}

function selects(expr: Expr | undefined, field: string): boolean {
  switch (expr?.kind) {
    case 'select':
      return (expr.field === field && isClaims(expr.operand)) || selects(expr.operand, field);
    case 'call': {
      const [operand, name] = expr.args;
      const isOptional = expr.target === undefined && expr.name === '_?._' && expr.args.length === 2;
      if (isOptional && isClaims(operand) && name?.kind === 'literal' && name.value === field) return true;
      return [expr.target, ...expr.args].some((part) => selects(part, field));
    }
    case 'list':
      return expr.elements.some((part) => selects(part, field));
    case 'map':
      return expr.entries.some(({ key, value }) => selects(key, field) || selects(value, field));
    case 'struct':
      return expr.fields.some(({ value }) => selects(value, field));
    case 'comprehension':
      return [expr.range, expr.init, expr.condition, expr.step, expr.result].some((part) => selects(part, field));
    default:
      return false;
  }
}

function isClaims(expr: Expr | undefined): boolean {
  return expr?.kind === 'ident' && expr.name === 'claims';
}

/** All numbers are doubles, and claims whose names are no identifiers go by escaped ones. */
function adaptClaim(json: unknown): Value {
  if (typeof json === 'number') return new Double(json);
  if (Array.isArray(json)) return new ClaimList(json);
  return typeof json === 'object' && json !== null ? new ClaimMap(json as Record<string, unknown>) : adaptJson(json);
}

class ClaimList extends JsonList {
  override at(index: number): Value {
    return adaptClaim(this.json[index]);
  }
}

class ClaimMap extends JsonMap {
  override find(key: Value): Value | undefined {
    if (typeof key !== 'string') return undefined;
    const name = unescapeField(key) ?? key;
    return Object.hasOwn(this.json, name) ? adaptClaim(this.json[name]) : undefined;
  }
}
