// Upstream: github.com/google/cel-go/interpreter/planner.go, github.com/google/cel-go/interpreter/decorators.go, github.com/google/cel-go/common/decls/decls.go

import type { CallExpr } from './ast.ts';
import { equal } from './equality.ts';
import type { FunctionDeclaration, Implementation, Overload } from './declarations.ts';
import type { Evaluate } from './frame.ts';
import type { Plan, Planner } from './plan.ts';
import { InstantiationError } from './instantiation-error.ts';
import { compileRegex, constantPatternRunners } from './regex.ts';
import { callCost } from './runtime-cost.ts';
import type { CelType } from './types.ts';
import type { Value } from './values.ts';
import { CelError, CelList, CelMap, noSuchOverload, Optional, typeOf, Uint, Double } from './values.ts';

const conversions: ReadonlySet<string> = new Set([
  'bool',
  'bytes',
  'double',
  'duration',
  'dyn',
  'int',
  'string',
  'timestamp',
  'type',
  'uint',
]);

/** Plans a call of a declared function. */
export function planCall(planner: Planner, expr: CallExpr): Plan {
  const operands = expr.target ? [expr.target, ...expr.args] : expr.args;
  const args = operands.map((operand) => planner.plan(operand));
  const overload = singleOverload(planner, expr);
  switch (expr.name) {
    case '_==_':
      return code(binary(equal, planner, args, callCost(planner.environment, '_==_', 'equals')));
    case '_!=_':
      return code(binary((a, b) => equal(a, b) !== true, planner, args, callCost(planner.environment, '_!=_', 'not_equals')));
    case 'or':
    case 'orValue':
      if (args.length === 2 && expr.target)
        return code(optionalOr(planner.close(args[0]!), planner.close(args[1]!), expr.name === 'orValue'));
  }
  const member = overload === 'in_list' ? planMembership(planner, args) : undefined;
  if (member) return member;
  const declaration = planner.environment.functions.get(expr.name)!;
  const cost = callCost(planner.environment, expr.name, overload);
  const pattern = planPatternCall(planner, expr.name, args, cost);
  if (pattern) return pattern;
  const run = implementation(declaration, overload, expr.target !== undefined, args.length);
  if (quadratic.test(overload)) return code(chargedFirst(run, planner, args, cost));
  const only = args.length === 1 ? args[0] : undefined;
  if (only?.kind === 'constant' && conversions.has(expr.name)) return constantConversion(run, only.value);
  if (declaration.isVariadic) return code(variadic(run, planner, args, cost));
  if (args.length === 1) return code(unary(run, planner, args, cost, declaration.isLenient === true));
  return code(args.length === 2 ? binary(run, planner, args, cost) : variadic(run, planner, args, cost));
}

const code = (run: Evaluate): Plan => ({ kind: 'code', run });

type Cost = ReturnType<typeof callCost>;

function singleOverload(planner: Planner, expr: CallExpr): string {
  const reference = planner.checked.references.get(expr.id);
  return reference && 'overloads' in reference && reference.overloads.length === 1 ? reference.overloads[0]! : '';
}

function constantConversion(run: Implementation, value: Value): Plan {
  const converted = run(value);
  if (converted instanceof CelError) throw new InstantiationError(converted.message);
  return { kind: 'constant', value: converted };
}

function unary(run: Implementation, planner: Planner, args: readonly Plan[], cost: Cost, isLenient: boolean): Evaluate {
  const arg = planner.close(args[0]!);
  if (typeof cost === 'number') {
    return (frame) => {
      const value = arg(frame);
      const result = value instanceof CelError && !isLenient ? value : run(value);
      frame.charge(cost);
      return result;
    };
  }
  return (frame) => {
    const value = arg(frame);
    const result = value instanceof CelError && !isLenient ? value : run(value);
    frame.charge(cost([value], result));
    return result;
  };
}

function binary(run: Implementation, planner: Planner, args: readonly Plan[], cost: Cost): Evaluate {
  const left = planner.close(args[0]!);
  const right = planner.close(args[1]!);
  return (frame) => {
    const a = left(frame);
    const b = right(frame);
    const result = a instanceof CelError ? a : b instanceof CelError ? b : run(a, b);
    frame.charge(typeof cost === 'number' ? cost : cost([a, b], result));
    return result;
  };
}

/** Calls whose cost grows with the square of their arguments, and depends on nothing else. */
const quadratic = /^list_(distinct|sets_\w+)$/;

/** What a budget does not allow is not begun. */
function chargedFirst(run: Implementation, planner: Planner, args: readonly Plan[], cost: Cost): Evaluate {
  const evaluate = args.map((arg) => planner.close(arg));
  return (frame) => {
    const values = evaluate.map((arg) => arg(frame));
    const failed = values.find((value) => value instanceof CelError);
    frame.charge(typeof cost === 'number' ? cost : cost(values, failed ?? null));
    return failed ?? run(...values);
  };
}

/** Stops at the first argument that fails, and then charges nothing for the call. */
function variadic(run: Implementation, planner: Planner, args: readonly Plan[], cost: Cost): Evaluate {
  const evaluate = args.map((arg) => planner.close(arg));
  return (frame) => {
    const values: Value[] = [];
    for (const arg of evaluate) {
      const value = arg(frame);
      if (value instanceof CelError) return value;
      values.push(value);
    }
    const result = run(...values);
    frame.charge(typeof cost === 'number' ? cost : cost(values, result));
    return result;
  };
}

function optionalOr(left: Evaluate, right: Evaluate, unwraps: boolean): Evaluate {
  return (frame) => {
    const value = left(frame);
    if (value instanceof CelError) return value;
    if (!(value instanceof Optional)) return noSuchOverload;
    if (value.value === undefined) return right(frame);
    return unwraps ? value.value : value;
  };
}

/** `x in [constants]` becomes a set lookup, which upstream does not charge for. */
function planMembership(planner: Planner, args: readonly Plan[]): Plan | undefined {
  const list = args[1]!;
  if (list.kind !== 'constant' || !(list.value instanceof CelList)) return undefined;
  const items = [...list.value];
  if (items.length === 0) return { kind: 'constant', value: false };
  if (!items.every(isScalar)) return undefined;
  const quick = new Set<Value>(items.filter((item) => typeof item !== 'object'));
  const isQuick = quick.size > 0 && items.every((item) => typeof item !== 'object');
  const value = planner.close(args[0]!);
  return code((frame) => {
    const wanted = value(frame);
    if (wanted instanceof CelError) return wanted;
    if (typeof wanted !== 'object' && (quick.has(wanted) || isQuick)) return quick.has(wanted);
    return items.some((item) => equal(item, wanted) === true);
  });
}

const isScalar = (item: Value): boolean =>
  typeof item === 'string' ||
  typeof item === 'boolean' ||
  typeof item === 'number' ||
  typeof item === 'bigint' ||
  item instanceof Uint ||
  item instanceof Double;

/** A regular expression that is a constant is compiled once, with the program. */
function planPatternCall(planner: Planner, name: string, args: readonly Plan[], cost: Cost): Plan | undefined {
  const make = constantPatternRunners.get(name);
  const pattern = args[1];
  if (!make || pattern?.kind !== 'constant' || typeof pattern.value !== 'string') return undefined;
  const regex = compileRegex(pattern.value);
  if (regex instanceof CelError) throw new InstantiationError(regex.message);
  return code(variadic(make(regex), planner, args, cost));
}

/** What runs the call: the one overload the checker found, or a choice by the types of the values. */
function implementation(declaration: FunctionDeclaration, overloadId: string, isMember: boolean, argCount: number): Implementation {
  if (declaration.run) return declaration.run;
  const overload = overloadId === '' ? undefined : declaration.overloads.find((candidate) => candidate.id === overloadId);
  if (overload?.run)
    return declaration.isGuarded || overload.args.every((arg) => !needsGuard(arg)) ? overload.run : guarded(declaration.name, overload);
  const candidates = declaration.overloads.filter(
    (candidate) => candidate.run && candidate.isMember === isMember && candidate.args.length === argCount,
  );
  return (...args: Value[]) => {
    const match = candidates.find((candidate) => candidate.args.every((type, i) => isOfType(args[i]!, type)));
    return match ? match.run!(...args) : unknownOverload(declaration.name, args);
  };
}

const needsGuard = (type: CelType): boolean => type.kind !== 'dyn' && type.kind !== 'param';

function guarded(name: string, overload: Overload): Implementation {
  const { run, args: types } = overload;
  return (...args: Value[]) => (types.every((type, i) => isOfType(args[i]!, type)) ? run!(...args) : unknownOverload(name, args));
}

const unknownOverload = (name: string, args: readonly Value[]): CelError =>
  new CelError(`no such overload: ${name}(${args.map((arg) => typeOf(arg).name).join(', ')})`);

/** Whether a value fits a declared type. Of a collection only the first element is looked at, as upstream does. */
function isOfType(value: Value, type: CelType): boolean {
  if (type.kind === 'dyn' || type.kind === 'any' || type.kind === 'param') return true;
  if (typeOf(value).name !== type.name) return false;
  if (value instanceof CelList) return value.length === 0 || isOfType(value.at(0), type.parameters[0]!);
  if (value instanceof CelMap && value.size > 0) {
    const key = value.keys()[0]!;
    return isOfType(key, type.parameters[0]!) && isOfType(value.find(key) ?? null, type.parameters[1]!);
  }
  return true;
}
