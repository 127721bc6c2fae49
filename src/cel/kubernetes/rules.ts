// Upstream: k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/compilation.go

import type { Steps } from '../../base/steps.ts';
import { allSteps } from '../../base/steps.ts';
import type { FieldPath } from '../../machinery/field.ts';
import { estimateCost } from '../cost-estimate.ts';
import type { DeclaredType } from '../declared-types.ts';
import { sizeHints, typeProvider } from '../declared-types.ts';
import type { Environment } from '../environment.ts';
import type { Program } from '../index.ts';
import { compiling } from '../index.ts';
import type { OpenApiSchema } from '../schema-types.ts';
import { boolType, optionalOf, stringType } from '../types.ts';
import type { Use } from './environments.ts';
import { baseEnvironment, maxRequestSize } from './environments.ts';
import { normalizeFieldPath } from './field-path.ts';

/** One entry of `x-kubernetes-validations`. */
export interface ValidationRule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

export interface CompiledRule {
  readonly rule: ValidationRule;
  /** Why the rule cannot be used, in upstream's words. */
  readonly error?: string;
  /** Absent when the rule is blank or wrong. */
  readonly program?: Program;
  readonly usesOldSelf: boolean;
  /** The most that one evaluation can cost, and the most often a value like this can occur in one request. */
  readonly maxCost: number;
  readonly maxCardinality: number;
  readonly messageProgram?: Program;
  readonly messageError?: string;
  readonly messageMaxCost: number;
  /** The rule's fieldPath when it leads somewhere. */
  readonly fieldPath?: FieldPath;
}

/** Name of the type of `self` in messages of the checker; upstream has a number in its place. */
const selfType = 'selfType';

export const selfTypeName = selfType;

interface RuleContext {
  readonly schema: OpenApiSchema;
  readonly type: DeclaredType;
  readonly environments: { readonly plain: Environment; readonly optional: Environment };
}

/** Compiles the rules of one schema node. Its type must have been made with the name `selfTypeName`. */
export function compileRules(rules: readonly ValidationRule[], schema: OpenApiSchema, type: DeclaredType, use: Use): CompiledRule[] {
  return allSteps(compilingRules(rules, schema, type, use));
}

/** The same in steps: they may be long. */
export function* compilingRules(
  rules: readonly ValidationRule[],
  schema: OpenApiSchema,
  type: DeclaredType,
  use: Use,
): Steps<CompiledRule[]> {
  const compileOne = ruleCompiler(schema, type);
  const compiled: CompiledRule[] = [];
  for (const rule of rules) compiled.push(yield* compileOne(rule, use));
  return compiled;
}

/** The same one by one: there may be thousands. */
export function ruleCompiler(schema: OpenApiSchema, type: DeclaredType): (rule: ValidationRule, use: Use) => Steps<CompiledRule> {
  const types = typeProvider(type);
  const extend = (kind: Use, isOptional: boolean): Environment =>
    baseEnvironment(kind).extend({ self: type.celType, oldSelf: isOptional ? optionalOf(type.celType) : type.celType }, types);
  const contexts = new Map<Use, RuleContext>();
  return (rule, use) => {
    let context = contexts.get(use);
    if (context === undefined)
      contexts.set(use, (context = { schema, type, environments: { plain: extend(use, false), optional: extend(use, true) } }));
    return compilingRule(rule, context);
  };
}

function* compilingRule(rule: ValidationRule, context: RuleContext): Steps<CompiledRule> {
  const maxCardinality = Math.trunc(maxRequestSize / (context.type.minSerializedSize + 1));
  const nothing = { rule, usesOldSelf: false, maxCost: 0, maxCardinality, messageMaxCost: 0 };
  if (rule.rule.trim() === '') return { ...nothing, maxCardinality: 0 };
  const environment = rule.optionalOldSelf ? context.environments.optional : context.environments.plain;
  const compiled = yield* compiling(rule.rule, environment);
  if ('issues' in compiled) return { ...nothing, error: `compilation failed: ${compiled.issues}` };
  if ('failure' in compiled) {
    const isBoolean = compiled.resultType === boolType;
    return {
      ...nothing,
      error: isBoolean ? `program instantiation failed: ${compiled.failure}` : 'cel expression must evaluate to a bool',
    };
  }
  const { program } = compiled;
  if (program.resultType !== boolType) return { ...nothing, error: 'cel expression must evaluate to a bool' };
  yield;
  const hints = sizeHints(context.type);
  const result: CompiledRule = {
    ...nothing,
    program,
    usesOldSelf: program.code.variables.includes('oldSelf'),
    maxCost: estimateCost(program.checked, environment, hints).max,
  };
  const message = rule.messageExpression ? yield* compilingMessage(rule.messageExpression, environment, hints) : {};
  if (message.messageError !== undefined) return { ...result, ...message };
  const fieldPath = rule.fieldPath ? normalizeFieldPath(rule.fieldPath, context.schema) : undefined;
  return { ...result, ...message, ...(fieldPath && !('error' in fieldPath) && { fieldPath: fieldPath.path }) };
}

function* compilingMessage(
  expression: string,
  environment: Environment,
  hints: ReturnType<typeof sizeHints>,
): Steps<{ messageError?: string; messageProgram?: Program; messageMaxCost?: number }> {
  yield;
  const compiled = yield* compiling(expression, environment);
  if ('issues' in compiled) return { messageError: `messageExpression compilation failed: ${compiled.issues}` };
  if (('failure' in compiled ? compiled.resultType : compiled.program.resultType) !== stringType)
    return { messageError: 'messageExpression must evaluate to a string' };
  if ('failure' in compiled) return { messageError: `messageExpression instantiation failed: ${compiled.failure}` };
  return { messageProgram: compiled.program, messageMaxCost: estimateCost(compiled.program.checked, environment, hints).max };
}
