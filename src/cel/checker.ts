// Upstream: github.com/google/cel-go/checker/checker.go, github.com/google/cel-go/checker/errors.go

import { mostGeneral, Substitutions } from './assignability.ts';
import type { CallExpr, ComprehensionExpr, Expr, ListExpr, MapExpr, ParsedExpression, SelectExpr, StructExpr } from './ast.ts';
import type { FunctionDeclaration } from './declarations.ts';
import type { Environment } from './environment.ts';
import { Issues } from './syntax/source.ts';
import {
  boolType,
  CelType,
  dynType,
  errorType,
  intType,
  isDyn,
  isOptional,
  listOf,
  mapOf,
  optionalOf,
  sameType,
  showFunction,
  structType,
  typeOfType,
  typeParam,
} from './types.ts';
import type { Value } from './values.ts';
import { typeOf } from './values.ts';

/** What an identifier or a call refers to. */
export type Reference =
  | { readonly name: string; readonly isAbsolute: boolean; readonly value?: Value }
  | { readonly overloads: readonly string[] };

export interface CheckedExpression {
  readonly expression: string;
  readonly root: Expr;
  readonly offsets: readonly number[];
  /** By node id. */
  readonly types: readonly CelType[];
  readonly references: ReadonlyMap<number, Reference>;
  readonly resultType: CelType;
}

const crossTypeOverload = /^(?:less|greater)(?:_equals)?_(?:int64|uint64|double)_(?:int64|uint64|double)$/;

/** Resolves every name and finds the type of every node. */
export function check(parsed: ParsedExpression, environment: Environment): CheckedExpression | Issues {
  const checker = new Checker(parsed, environment);
  const root = checker.check(parsed.root);
  if (checker.issues.count > 0) return checker.issues;
  const types = checker.types.map((type) => type && checker.substitutions.apply(type, true));
  return {
    expression: parsed.expression,
    root,
    offsets: parsed.offsets,
    types,
    references: checker.references,
    resultType: types[root.id]!,
  };
}

interface Resolved {
  readonly name: string;
  readonly type: CelType;
  readonly isAbsolute: boolean;
  readonly value?: Value;
}

class Checker {
  readonly issues = new Issues();
  readonly types: CelType[] = [];
  readonly references = new Map<number, Reference>();
  readonly substitutions = new Substitutions();
  readonly #offsets: readonly number[];
  readonly #environment: Environment;
  /** Variables of the comprehensions around the node being checked, innermost last. */
  readonly #scopes: ReadonlyMap<string, CelType>[] = [];
  #variableCount = 0;

  constructor(parsed: ParsedExpression, environment: Environment) {
    this.#offsets = parsed.offsets;
    this.#environment = environment;
  }

  check(expr: Expr): Expr {
    switch (expr.kind) {
      case 'literal':
        this.types[expr.id] = typeOf(expr.value);
        return expr;
      case 'ident':
        return this.#checkIdent(expr.id, expr.name);
      case 'select':
        return this.#checkSelect(expr);
      case 'call':
        return this.#checkCall(expr);
      case 'list':
        return this.#checkList(expr);
      case 'map':
        return this.#checkMap(expr);
      case 'struct':
        return this.#checkStruct(expr);
      case 'comprehension':
        return this.#checkComprehension(expr);
      case 'unspecified':
        this.#report(expr.id, 'unexpected unspecified type: ');
        this.types[expr.id] = errorType;
        return expr;
    }
  }

  #report(id: number, message: string): void {
    this.issues.report(this.#offsets[id]!, message);
  }

  #typeOf(expr: Expr): CelType {
    return this.types[expr.id]!;
  }

  #mismatch(at: Expr, expected: CelType, actual: CelType): void {
    this.#report(at.id, `expected type '${expected}' but found '${actual}'`);
  }

  #undeclared(id: number, name: string): void {
    this.#report(id, `undeclared reference to '${name}' (in container '${this.#environment.container}')`);
    this.types[id] = errorType;
  }

  #newVariable(): CelType {
    return typeParam(`_var${this.#variableCount++}`);
  }

  // Names

  #checkIdent(id: number, name: string): Expr {
    const resolved = this.#resolve(name, [name]);
    if (resolved) return this.#refer(id, resolved);
    this.#undeclared(id, name);
    return { kind: 'ident', id, name };
  }

  #refer(id: number, { name, type, isAbsolute, value }: Resolved): Expr {
    this.types[id] = type;
    this.references.set(id, value === undefined ? { name, isAbsolute } : { name, isAbsolute, value });
    return { kind: 'ident', id, name };
  }

  #local(name: string): CelType | undefined {
    const plain = name.startsWith('.') ? name.slice(1) : name;
    for (let i = this.#scopes.length - 1; i >= 0; i--) {
      const type = this.#scopes[i]!.get(plain);
      if (type) return type;
    }
    return undefined;
  }

  #resolve(head: string, qualifiers: readonly string[]): Resolved | undefined {
    const local = this.#scopes.length > 0 ? this.#local(head) : undefined;
    if (local && !head.startsWith('.')) return qualifiers.length === 1 ? { name: head, type: local, isAbsolute: false } : undefined;
    const name = qualifiers.length === 1 ? head : qualifiers.join('.');
    for (const candidate of this.#environment.candidates(name)) {
      const global = this.#global(candidate);
      if (global) return { ...global, isAbsolute: local !== undefined };
    }
    return undefined;
  }

  #global(name: string): { name: string; type: CelType; value?: Value } | undefined {
    const { variables, typeNames, types } = this.#environment;
    const variable = variables.get(name);
    if (variable) return { name, type: variable };
    const typeName = typeNames.get(name);
    if (typeName) return { name, type: typeOfType(typeName), value: typeName };
    const struct = this.#environment.providerOf(name)?.struct(name);
    if (struct) return { name, type: typeOfType(struct), value: struct };
    const constant = types?.constant?.(name);
    return constant === undefined ? undefined : { name, type: intType, value: constant };
  }

  #checkSelect(expr: SelectExpr): Expr {
    const qualifiers = qualifiedName(expr);
    if (qualifiers) {
      const resolved = this.#resolve(qualifiers[0]!, qualifiers);
      if (resolved) return this.#refer(expr.id, resolved);
    }
    const operand = this.check(expr.operand);
    const type = this.#selectField(expr.id, operand, expr.field, false);
    this.types[expr.id] = expr.testOnly ? boolType : this.substitutions.apply(type, false);
    return { ...expr, operand };
  }

  #selectField(id: number, operand: Expr, field: string, optional: boolean): CelType {
    const operandType = this.substitutions.apply(this.#typeOf(operand), false);
    const isInOptional = isOptional(operandType);
    const target = isInOptional ? operandType.parameters[0]! : operandType;
    const type = this.#fieldOf(id, target, field);
    return isInOptional || optional ? optionalOf(type) : type;
  }

  #fieldOf(id: number, target: CelType, field: string): CelType {
    switch (target.kind) {
      case 'map':
        return target.parameters[1]!;
      case 'struct':
        return this.#lookupField(id, target.name, field) ?? errorType;
      case 'param':
        this.substitutions.isAssignable(dynType, target);
        return dynType;
      case 'dyn':
      case 'any':
      case 'error':
        return dynType;
      default:
        this.#report(id, `type '${target}' does not support field selection`);
        return dynType;
    }
  }

  #lookupField(id: number, struct: string, field: string): CelType | undefined {
    const provider = this.#environment.providerOf(struct);
    if (!provider) {
      this.#report(id, `unexpected failed resolution of '${struct}'`);
      return undefined;
    }
    const type = provider.field(struct, field);
    if (!type) this.#report(id, `undefined field '${field}'`);
    return type;
  }

  // Calls

  #checkCall(expr: CallExpr): Expr {
    if (expr.name === '_?._') return this.#checkOptionalSelect(expr);
    const args = expr.args.map((arg) => this.check(arg));
    if (!expr.target) {
      const declaration = this.#environment.function(expr.name);
      if (!declaration) {
        this.#undeclared(expr.id, expr.name);
        return { ...expr, args };
      }
      return this.#resolveCall(expr.id, declaration, undefined, args);
    }
    const prefix = targetName(expr.target);
    const qualified = prefix === undefined ? undefined : this.#environment.function(`${prefix}.${expr.name}`);
    if (qualified) return this.#resolveCall(expr.id, qualified, undefined, args);
    const target = this.check(expr.target);
    const declaration = this.#environment.function(expr.name);
    if (declaration) return this.#resolveCall(expr.id, declaration, target, args);
    this.#undeclared(expr.id, expr.name);
    return { ...expr, target, args };
  }

  #checkOptionalSelect(expr: CallExpr): Expr {
    const [operandArg, fieldArg] = expr.args as [Expr, Expr];
    const operand = this.check(operandArg);
    const field = fieldArg.kind === 'literal' && typeof fieldArg.value === 'string' ? fieldArg.value : '';
    this.types[fieldArg.id] = typeOf(field);
    this.types[expr.id] = this.substitutions.apply(this.#selectField(expr.id, operand, field, true), false);
    this.references.set(expr.id, { overloads: ['select_optional_field'] });
    return { ...expr, args: [operand, fieldArg] };
  }

  #resolveCall(id: number, declaration: FunctionDeclaration, target: Expr | undefined, args: readonly Expr[]): Expr {
    const call: CallExpr = { kind: 'call', id, name: declaration.name, target, args };
    const type =
      declaration.name === '_&&_' || declaration.name === '_||_' ? this.#resolveLogic(call) : this.#resolveOverload(call, declaration);
    this.types[id] = type ?? errorType;
    return call;
  }

  #resolveLogic(call: CallExpr): CelType | undefined {
    let isValid = true;
    for (const arg of call.args) {
      const type = this.#typeOf(arg);
      if (this.substitutions.isAssignable(type, boolType)) continue;
      this.#mismatch(arg, boolType, type);
      isValid = false;
    }
    this.references.set(call.id, { overloads: [call.name === '_&&_' ? 'logical_and' : 'logical_or'] });
    return isValid ? boolType : undefined;
  }

  #resolveOverload(call: CallExpr, declaration: FunctionDeclaration): CelType | undefined {
    const operands = call.target ? [call.target, ...call.args] : call.args;
    const argTypes = operands.map((operand) => this.#typeOf(operand));
    const matching: string[] = [];
    let result: CelType | undefined;
    for (const overload of declaration.overloads) {
      if (overload.isMember !== (call.target !== undefined)) continue;
      if (overload.args.length !== argTypes.length) continue;
      // Upstream forgets the restriction inside a comprehension.
      if (!this.#environment.crossTypeComparisons && this.#scopes.length === 0 && crossTypeOverload.test(overload.id)) continue;
      const [parameters, declaredResult] = this.#instantiate(overload.args, overload.result);
      if (!this.substitutions.areAssignable(argTypes, parameters)) continue;
      matching.push(overload.id);
      const type = this.substitutions.apply(declaredResult, false);
      if (!result) result = type;
      else if (!isDyn(result) && !sameType(type, result)) result = dynType;
    }
    if (!result) {
      const shown = showFunction(
        argTypes.map((type) => this.substitutions.apply(type, true)),
        call.target !== undefined,
      );
      this.#report(call.id, `found no matching overload for '${call.name}' applied to '${shown}'`);
      return undefined;
    }
    this.references.set(call.id, { overloads: matching });
    return result;
  }

  /** The signature with fresh type variables in place of its parameters. */
  #instantiate(args: readonly CelType[], result: CelType): [readonly CelType[], CelType] {
    if (!result.isGeneric && !args.some((arg) => arg.isGeneric)) return [args, result];
    const fresh = new Map<string, CelType>();
    const replace = (type: CelType): CelType => {
      if (!type.isGeneric) return type;
      if (type.kind === 'param') {
        const known = fresh.get(type.name) ?? this.#newVariable();
        fresh.set(type.name, known);
        return known;
      }
      return new CelType(type.kind, type.name, type.parameters.map(replace));
    };
    return [args.map(replace), replace(result)];
  }

  // Literals

  #optionalElement(at: Expr, type: CelType): CelType {
    if (isOptional(type)) return type.parameters[0]!;
    if (!isDyn(type)) this.#mismatch(at, optionalOf(type), type);
    return type;
  }

  #join(at: Expr, previous: CelType | undefined, current: CelType): CelType {
    if (!previous) return current;
    if (this.substitutions.isAssignable(previous, current)) return mostGeneral(previous, current);
    if (!this.#environment.homogeneousLiterals) return dynType;
    this.#mismatch(at, previous, current);
    return errorType;
  }

  #checkList(expr: ListExpr): Expr {
    let elementType: CelType | undefined;
    const elements = expr.elements.map((element, i) => {
      const checked = this.check(element);
      const type = this.#typeOf(checked);
      elementType = this.#join(checked, elementType, expr.optionals.includes(i) ? this.#optionalElement(checked, type) : type);
      return checked;
    });
    this.types[expr.id] = listOf(elementType ?? this.#newVariable());
    return { ...expr, elements };
  }

  #checkMap(expr: MapExpr): Expr {
    let keyType: CelType | undefined;
    let valueType: CelType | undefined;
    const entries = expr.entries.map((entry) => {
      const key = this.check(entry.key);
      keyType = this.#join(key, keyType, this.#typeOf(key));
      const value = this.check(entry.value);
      const type = this.#typeOf(value);
      valueType = this.#join(value, valueType, entry.isOptional ? this.#optionalElement(value, type) : type);
      return { ...entry, key, value };
    });
    this.types[expr.id] = mapOf(keyType ?? this.#newVariable(), valueType ?? this.#newVariable());
    return { ...expr, entries };
  }

  #checkStruct(expr: StructExpr): Expr {
    const resolved = this.#resolveStruct(expr);
    if (!resolved) {
      this.#undeclared(expr.id, expr.typeName);
      return expr;
    }
    this.types[expr.id] = resolved.type;
    this.references.set(expr.id, { name: resolved.name, isAbsolute: false });
    const fields = expr.fields.map((field) => {
      const value = this.check(field.value);
      const declared = this.#lookupField(field.id, resolved.name, field.name) ?? errorType;
      const type = field.isOptional ? this.#optionalElement(value, this.#typeOf(value)) : this.#typeOf(value);
      if (!this.substitutions.isAssignable(declared, type))
        this.#report(field.id, `expected type of field '${field.name}' is '${declared}' but provided type is '${type}'`);
      return { ...field, value };
    });
    return { ...expr, typeName: resolved.name, fields };
  }

  #resolveStruct(expr: StructExpr): { name: string; type: CelType } | undefined {
    const environment = this.#environment;
    for (const candidate of environment.candidates(expr.typeName)) {
      if (environment.providerOf(candidate)) return { name: candidate, type: structType(candidate) };
      const typeName = environment.typeNames.get(candidate);
      if (typeName) {
        this.#report(expr.id, `'${typeName}' is not a message type`);
        return { name: candidate, type: errorType };
      }
    }
    return undefined;
  }

  // Comprehensions

  #checkComprehension(expr: ComprehensionExpr): Expr {
    const range = this.check(expr.range);
    const init = this.check(expr.init);
    const rangeType = this.substitutions.apply(this.#typeOf(range), false);
    const accumulatorType = this.#typeOf(init);
    this.#scopes.push(new Map([[expr.accumulator, accumulatorType]]));
    const [first, second] = this.#iterationTypes(range, rangeType, expr.variable2 !== '');
    const variables = new Map([[expr.variable, first]]);
    if (second) variables.set(expr.variable2, second);
    this.#scopes.push(variables);
    const condition = this.check(expr.condition);
    this.#assertType(condition, boolType);
    const step = this.check(expr.step);
    this.#assertType(step, accumulatorType);
    this.#scopes.pop();
    const result = this.check(expr.result);
    this.#scopes.pop();
    this.types[expr.id] = this.substitutions.apply(this.#typeOf(result), false);
    return { ...expr, range, init, condition, step, result };
  }

  #iterationTypes(range: Expr, type: CelType, isPair: boolean): [CelType, CelType?] {
    switch (type.kind) {
      case 'list':
        return isPair ? [intType, type.parameters[0]!] : [type.parameters[0]!];
      case 'map':
        return isPair ? [type.parameters[0]!, type.parameters[1]!] : [type.parameters[0]!];
      case 'dyn':
      case 'error':
      case 'param':
        this.substitutions.isAssignable(dynType, type);
        return isPair ? [dynType, dynType] : [dynType];
      default:
        this.#report(range.id, `expression of type '${type}' cannot be range of a comprehension (must be list, map, or dynamic)`);
        return isPair ? [errorType, errorType] : [errorType];
    }
  }

  #assertType(expr: Expr, type: CelType): void {
    if (!this.substitutions.isAssignable(type, this.#typeOf(expr))) this.#mismatch(expr, type, this.#typeOf(expr));
  }
}

/** The parts of `a.b.c` when it is only names. */
function qualifiedName(expr: SelectExpr): string[] | undefined {
  const names: string[] = [];
  let at: Expr = expr;
  while (at.kind === 'select') {
    if (at.testOnly) return undefined;
    names.unshift(at.field);
    at = at.operand;
  }
  return at.kind === 'ident' ? [at.name, ...names] : undefined;
}

function targetName(target: Expr): string | undefined {
  if (target.kind === 'ident') return target.name;
  return target.kind === 'select' ? qualifiedName(target)?.join('.') : undefined;
}
