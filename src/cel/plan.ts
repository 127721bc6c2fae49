// Upstream: github.com/google/cel-go/interpreter/{planner,interpretable,decorators}.go, github.com/google/cel-go/cel/library.go#optionalLib

import type { CallExpr, ComprehensionExpr, Expr, ListExpr, MapExpr, StructExpr } from './ast.ts';
import type { Attribute } from './attributes.ts';
import { addQualifier, resolveAttribute } from './attributes.ts';
import { planCall } from './calls.ts';
import type { CheckedExpression } from './checker.ts';
import { ArrayList, EntryMap } from './collections.ts';
import { planFold } from './comprehension.ts';
import { listCost, mapCost, structCost } from './cost-model.ts';
import type { Environment } from './environment.ts';
import type { Evaluate } from './frame.ts';
import { resumable } from './frame.ts';
import { InstantiationError } from './instantiation-error.ts';
import { goTypeName, showValue } from './show.ts';
import type { Value } from './values.ts';
import { CelError, Double, noSuchOverload, Optional, Uint } from './values.ts';

/**
 * A planned node. Constants and attributes stay open until their parent is planned: a list of constants is a constant,
 * and a selection joins the attribute it selects from.
 */
export type Plan =
  | { readonly kind: 'constant'; readonly value: Value }
  | { readonly kind: 'attribute'; readonly attribute: Attribute; readonly isTest: boolean }
  | { readonly kind: 'code'; readonly run: Evaluate };

export interface Code {
  readonly run: Evaluate;
  /** Names of the variables to put into the first slots. */
  readonly variables: readonly string[];
  readonly slotCount: number;
}

/** Compiles a checked expression into closures; with `isResumable`, into slower ones that keep a journal. */
export function plan(checked: CheckedExpression, environment: Environment, isResumable = false): Code {
  const globals = collectGlobals(checked);
  const planner = new Planner(checked, environment, globals, isResumable);
  const run = emit(planner.plan(checked.root), environment.presenceTestCost);
  return { run, variables: globals, slotCount: planner.slotCount };
}

function collectGlobals(checked: CheckedExpression): string[] {
  const names = new Set<string>();
  for (const reference of checked.references.values()) if ('name' in reference && reference.value === undefined) names.add(reference.name);
  return [...names];
}

/** Closes a plan: from here on it only runs. */
export function emit(node: Plan, presenceTestCost: number): Evaluate {
  switch (node.kind) {
    case 'constant': {
      const { value } = node;
      return () => value;
    }
    case 'code':
      return node.run;
    case 'attribute':
      return emitAttribute(node, presenceTestCost);
  }
}

function emitAttribute({ attribute, isTest }: Plan & { kind: 'attribute' }, presenceTestCost: number): Evaluate {
  const resolve = resolveAttribute(attribute);
  // A conditional has no cost of its own, and a free presence test gives back the cost of its variable.
  const cost = (attribute.kind === 'base' ? 1 : 0) - (isTest ? 1 - presenceTestCost : 0);
  if (isTest) {
    return (frame) => {
      const value = resolve(frame);
      frame.charge(cost);
      return value instanceof Optional ? value.value !== undefined : value;
    };
  }
  if (cost === 0) return resolve;
  return (frame) => {
    const value = resolve(frame);
    frame.charge(cost);
    return value;
  };
}

export class Planner {
  readonly environment: Environment;
  readonly checked: CheckedExpression;
  readonly isResumable: boolean;
  slotCount: number;
  readonly #globals: ReadonlyMap<string, number>;
  readonly #locals = new Map<string, LocalVariable[]>();

  constructor(checked: CheckedExpression, environment: Environment, globals: readonly string[], isResumable: boolean) {
    this.checked = checked;
    this.isResumable = isResumable;
    this.environment = environment;
    this.#globals = new Map(globals.map((name, slot) => [name, slot]));
    this.slotCount = globals.length;
  }

  emit(expr: Expr): Evaluate {
    return emit(this.plan(expr), this.environment.presenceTestCost);
  }

  close(node: Plan): Evaluate {
    return emit(node, this.environment.presenceTestCost);
  }

  /** Runs `within` with a variable in a slot of its own. */
  declare<T>(variables: readonly LocalVariable[], within: () => T): T {
    for (const variable of variables) this.#locals.set(variable.name, [...(this.#locals.get(variable.name) ?? []), variable]);
    const result = within();
    for (const variable of variables) this.#locals.get(variable.name)!.pop();
    return result;
  }

  plan(expr: Expr): Plan {
    switch (expr.kind) {
      case 'literal':
        return { kind: 'constant', value: expr.value };
      case 'ident':
        return this.#planIdent(expr.id, expr.name);
      case 'select': {
        const attribute = this.attributeOf(this.plan(expr.operand));
        addQualifier(attribute, { key: expr.field, isOptional: false, isTest: expr.testOnly });
        return { kind: 'attribute', attribute, isTest: expr.testOnly };
      }
      case 'call':
        return this.#planOperator(expr);
      case 'list':
        return this.#planList(expr);
      case 'map':
        return this.#planMap(expr);
      case 'struct':
        return this.#planStruct(expr);
      case 'comprehension':
        return this.#planComprehension(expr);
      case 'unspecified':
        throw new InstantiationError('unsupported expr');
    }
  }

  /** The attribute of a plan; any other value becomes the base of a new one. */
  attributeOf(node: Plan): Attribute {
    if (node.kind === 'attribute' && !node.isTest) return node.attribute;
    return { kind: 'base', base: this.close(node), qualifiers: [] };
  }

  #planIdent(id: number, name: string): Plan {
    const reference = this.checked.references.get(id);
    if (reference && 'name' in reference) {
      if (reference.value !== undefined) return { kind: 'constant', value: reference.value };
      const local = reference.isAbsolute ? undefined : this.#locals.get(reference.name)?.at(-1);
      return attribute(local ? readLocal(local) : this.#readGlobal(reference.name));
    }
    const local = this.#locals.get(name)?.at(-1);
    return attribute(local ? readLocal(local) : this.#readGlobal(name));
  }

  #readGlobal(name: string): Evaluate {
    const slot = this.#globals.get(name)!;
    const missing = new CelError(`no such attribute(s): ${name}`);
    return (frame) => frame.slots[slot] ?? (frame.slots[slot] === null ? null : missing);
  }

  #planOperator(expr: CallExpr): Plan {
    switch (expr.name) {
      case '_&&_':
        return { kind: 'code', run: conjunction(this.emit(expr.args[0]!), this.emit(expr.args[1]!)) };
      case '_||_':
        return { kind: 'code', run: disjunction(this.emit(expr.args[0]!), this.emit(expr.args[1]!)) };
      case '_?_:_': {
        const [condition, then, otherwise] = expr.args as [Expr, Expr, Expr];
        const branches = { then: this.attributeOf(this.plan(then)), otherwise: this.attributeOf(this.plan(otherwise)) };
        return { kind: 'attribute', attribute: { kind: 'conditional', condition: this.emit(condition), ...branches }, isTest: false };
      }
      case '_[_]':
      case '_[?_]':
      case '_?._':
        return this.#planIndex(expr);
      default: {
        const call = planCall(this, expr);
        return this.isResumable && call.kind === 'code' ? { kind: 'code', run: resumable(call.run) } : call;
      }
    }
  }

  #planIndex(expr: CallExpr): Plan {
    const attribute = this.attributeOf(this.plan(expr.args[0]!));
    const index = this.plan(expr.args[1]!);
    // An attribute used as key is not charged for its variable, only for its selections.
    const key =
      index.kind === 'constant'
        ? index.value
        : index.kind === 'attribute' && !index.isTest
          ? resolveAttribute(index.attribute)
          : this.close(index);
    if (typeof key !== 'function' && !isKey(key)) throw new InstantiationError(`invalid qualifier type: ${goTypeName(key)}`);
    addQualifier(attribute, { key, isOptional: expr.name !== '_[_]', isTest: false });
    return { kind: 'attribute', attribute, isTest: false };
  }

  #planList(expr: ListExpr): Plan {
    const elements = expr.elements.map((element) => this.plan(element));
    if (elements.every((element) => element.kind === 'constant'))
      return { kind: 'constant', value: new ArrayList(elements.map((element) => element.value)) };
    const run = elements.map((element) => this.close(element));
    const optionals = new Set(expr.optionals);
    return {
      kind: 'code',
      run: (frame) => {
        const list = makeList(run.length, optionals, (i) => run[i]!(frame));
        frame.charge(listCost);
        return list;
      },
    };
  }

  #planMap(expr: MapExpr): Plan {
    const keys = expr.entries.map((entry) => this.plan(entry.key));
    const values = expr.entries.map((entry) => this.plan(entry.value));
    const isOptional = expr.entries.map((entry) => entry.isOptional);
    if (!isOptional.includes(true) && keys.every((key) => key.kind === 'constant') && values.every((value) => value.kind === 'constant'))
      return { kind: 'constant', value: new EntryMap(keys.map((key, i) => [key.value, values[i]!.value])) };
    const runKeys = keys.map((key) => this.close(key));
    const runValues = values.map((value) => this.close(value));
    return {
      kind: 'code',
      run: (frame) => {
        const map = makeMap(
          isOptional,
          (i) => runKeys[i]!(frame),
          (i) => runValues[i]!(frame),
        );
        frame.charge(mapCost);
        return map;
      },
    };
  }

  #planStruct(expr: StructExpr): Plan {
    const provider = this.environment.providerOf(expr.typeName);
    const construct = (fields: ReadonlyMap<string, Value>): Value =>
      provider?.construct ? provider.construct(expr.typeName, fields) : noSuchOverload;
    const values = expr.fields.map((field) => this.emit(field.value));
    const isOptional = expr.fields.map((field) => field.isOptional);
    return {
      kind: 'code',
      run: (frame) => {
        const fields = makeFields(
          expr.fields.map((field) => field.name),
          isOptional,
          (i) => values[i]!(frame),
        );
        const made = fields instanceof CelError ? fields : construct(fields);
        frame.charge(structCost);
        return made;
      },
    };
  }

  #planComprehension(expr: ComprehensionExpr): Plan {
    return { kind: 'code', run: planFold(this, expr) };
  }
}

export interface LocalVariable {
  readonly name: string;
  readonly slot: number;
  /** Set for accumulators that are computed when first read. */
  readonly init?: Evaluate;
}

const attribute = (base: Evaluate): Plan => ({ kind: 'attribute', attribute: { kind: 'base', base, qualifiers: [] }, isTest: false });

function readLocal({ slot, init }: LocalVariable): Evaluate {
  if (!init) return (frame) => frame.slots[slot]!;
  return (frame) => {
    const value = frame.slots[slot];
    return value === undefined ? (frame.slots[slot] = init(frame)) : value;
  };
}

const isKey = (value: Value): boolean => typeof value !== 'object' || value instanceof Uint || value instanceof Double;

const asTruth = (value: Value): Value => (value instanceof CelError ? value : noSuchOverload);

function conjunction(left: Evaluate, right: Evaluate): Evaluate {
  return (frame) => {
    const a = left(frame);
    if (a === false) return false;
    const b = right(frame);
    if (b === false) return false;
    return a !== true ? asTruth(a) : b === true ? true : asTruth(b);
  };
}

function disjunction(left: Evaluate, right: Evaluate): Evaluate {
  return (frame) => {
    const a = left(frame);
    if (a === true) return true;
    const b = right(frame);
    if (b === true) return true;
    return a !== false ? asTruth(a) : b === false ? false : asTruth(b);
  };
}

function makeList(length: number, optionals: ReadonlySet<number>, element: (i: number) => Value): Value {
  const items: Value[] = [];
  for (let i = 0; i < length; i++) {
    const item = element(i);
    if (item instanceof CelError) return item;
    if (!optionals.has(i)) items.push(item);
    else if (!(item instanceof Optional))
      return new CelError(`cannot initialize optional list element from non-optional value ${showValue(item)}`);
    else if (item.value !== undefined) items.push(item.value);
  }
  return new ArrayList(items);
}

const notOptional = (key: Value, value: Value): CelError =>
  new CelError(`cannot initialize optional entry '${showValue(key)}' from non-optional value ${showValue(value)}`);

function makeMap(isOptional: readonly boolean[], keyAt: (i: number) => Value, valueAt: (i: number) => Value): Value {
  const entries: [Value, Value][] = [];
  for (let i = 0; i < isOptional.length; i++) {
    const key = keyAt(i);
    if (key instanceof CelError) return key;
    const value = valueAt(i);
    if (value instanceof CelError) return value;
    if (!isOptional[i]) entries.push([key, value]);
    else if (!(value instanceof Optional)) return notOptional(key, value);
    else if (value.value !== undefined) entries.push([key, value.value]);
  }
  return new EntryMap(entries);
}

function makeFields(
  names: readonly string[],
  isOptional: readonly boolean[],
  valueAt: (i: number) => Value,
): Map<string, Value> | CelError {
  const fields = new Map<string, Value>();
  for (const [i, name] of names.entries()) {
    const value = valueAt(i);
    if (value instanceof CelError) return value;
    if (!isOptional[i]) fields.set(name, value);
    else if (!(value instanceof Optional)) return notOptional(name, value);
    else if (value.value !== undefined) fields.set(name, value.value);
    else fields.delete(name);
  }
  return fields;
}
