// Upstream: github.com/google/cel-go/ext/lists.go

import type { Expr } from '../ast.ts';
import type { MacroExpansion, NodeBuilder } from '../builder.ts';
import { MacroError } from '../builder.ts';
import { unsupported } from '../arithmetic.ts';
import { ArrayList } from '../collections.ts';
import type { CallCost, CallEstimator, CostNode, Range } from '../cost-model.ts';
import { fixed, listCost, plus, scale, times, traversalFactor, unbounded } from '../cost-model.ts';
import type { FunctionDeclaration, Library, Overload } from '../declarations.ts';
import { declare, member, overload } from '../declarations.ts';
import { compare, equal, isComparable } from '../equality.ts';
import type { CelType } from '../types.ts';
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listOf,
  stringType,
  timestampType,
  typeParam,
  uintType,
} from '../types.ts';
import type { Truth, Value } from '../values.ts';
import { CelError, CelList, measure, noSuchOverload, typeOf } from '../values.ts';
import { standardMacros } from './macros.ts';

const listT = listOf(typeParam('T'));
const listDyn = listOf(dynType);

const comparable: readonly CelType[] = [intType, uintType, doubleType, boolType, durationType, timestampType, stringType, bytesType];

/** `lists.range(n)` without its elements in memory, so that n may be anything. */
class NumberRange extends CelList {
  readonly length: number;

  constructor(length: number) {
    super();
    this.length = length;
  }

  at(index: number): Value {
    return index;
  }

  equals(other: Value): Truth {
    if (!(other instanceof CelList) || other.length !== this.length) return false;
    for (let i = 0; i < this.length; i++) if (equal(i, other.at(i)) === false) return false;
    return true;
  }

  contains(value: Value): Truth {
    return typeof value === 'number' && value >= 0 && value < this.length;
  }

  concat(other: CelList): Value {
    return new ArrayList([...this, ...other]);
  }
}

function range(length: Value): Value {
  if ((length as number) < 0) return new CelError(`lists.range: size must be non-negative, got ${length as number}`);
  return new NumberRange(Number(length));
}

function slice(list: CelList, start: number, end: number): Value {
  const complain = (why: string): CelError => new CelError(`cannot slice(${start}, ${end}), ${why}`);
  if (start < 0 || end < 0) return complain('negative indexes not supported');
  if (start > end) return complain('start index must be less than or equal to end index');
  if (list.length < end) return complain(`list is length ${list.length}`);
  const items: Value[] = [];
  for (let i = start; i < end; i++) items.push(list.at(i));
  return new ArrayList(items);
}

function flatten(list: Value, level?: Value): Value {
  const depth = level ?? 1;
  if (!(list instanceof CelList) || typeof depth !== 'number')
    return new CelError(`no such overload: ${typeOf(list).name}.flatten(${level === undefined ? '' : typeOf(level).name})`);
  if (depth < 0) return new CelError('level must be non-negative');
  const items: Value[] = [];
  collect(list, depth, items);
  return new ArrayList(items);
}

function collect(list: CelList, depth: number, into: Value[]): void {
  for (const item of list) {
    if (item instanceof CelList && depth > 0) collect(item, depth - 1, into);
    else into.push(item);
  }
}

function sortBy(list: Value, keys: Value): Value {
  if (!(list instanceof CelList)) return unsupported(list, list === keys ? 'sort' : '@sortByAssociatedKeys');
  if (!(keys instanceof CelList)) return noSuchOverload;
  if (list.length !== keys.length)
    return new CelError(
      `@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got ${list.length} and ${keys.length} elements respectively`,
    );
  if (list.length === 0) return list;
  if (!isComparable(keys.at(0))) return new CelError('list elements must be comparable');
  const type = typeOf(keys.at(0));
  const entries = [...list].map((item, i) => ({ item, key: keys.at(i) }));
  if (entries.length > 1 && entries.some(({ key }) => typeOf(key) !== type)) return new CelError('list elements must have the same type');
  entries.sort((a, b) => {
    const order = compare(a.key, b.key);
    return typeof order === 'number' ? order : 0;
  });
  return new ArrayList(entries.map(({ item }) => item));
}

function distinct(list: CelList): Value {
  const unique: Value[] = [];
  for (const item of list) if (!unique.some((known) => equal(item, known) === true)) unique.push(item);
  return list.length === 0 ? list : new ArrayList(unique);
}

const sortable: ReadonlySet<Expr['kind']> = new Set(['list', 'select', 'ident', 'comprehension', 'call']);
const sortInput = '@__sortBy_input__';

function expandSortBy(build: NodeBuilder, target: Expr | undefined, args: readonly Expr[]): MacroExpansion {
  const input = build.ident(sortInput);
  if (!sortable.has(target!.kind))
    return new MacroError(target!, 'sortBy can only be applied to a list, identifier, comprehension, call or select expression');
  const map = standardMacros.find((macro) => macro.name === 'map' && macro.argCount === 2)!;
  const keys = map.expand(build, build.copy(input), args);
  if (keys === undefined || keys instanceof MacroError) return keys;
  const sorted = build.memberCall('@sortByAssociatedKeys', build.copy(input), keys);
  return build.fold(build.list(), ['#unused'], sortInput, { init: target!, condition: build.literal(false), step: input, result: sorted });
}

const perType = (name: string, make: (type: CelType) => Overload, run: FunctionDeclaration['run']): FunctionDeclaration => ({
  name,
  overloads: comparable.map(make),
  ...(run && { run }),
});

// Costs

const literalCount = (node: CostNode | undefined, fallback: number): number => {
  const expr = node?.expr;
  return expr?.kind === 'literal' && typeof expr.value === 'number' ? Math.max(expr.value, 0) : fallback;
};

const allocating = (factor: number, size: Range) => ({
  cost: plus(plus(scale(size, factor), fixed(1)), fixed(listCost)),
  resultSize: size,
});

// Unsigned subtraction upstream: an end before the start wraps around to the largest count.
const difference = (end: number, start: number): number => (end < start ? unbounded : end - start);

const estimateSort =
  (type: CelType, pick: 'target' | 'keys'): CallEstimator =>
  (sizeOf, target, args) => {
    const size = sizeOf(pick === 'target' ? target! : args[0]!);
    return allocating(2 + (type === stringType || type === bytesType ? traversalFactor : 0), times(size, size));
  };

const charge = (factor: number, size: number): number => Math.trunc(size * (factor < 0 ? 1 : factor)) + 1 + listCost;

function chargeComparisons(list: Value): number {
  const size = measure(list);
  const first = list instanceof CelList && size > 0 ? list.at(0) : undefined;
  return charge(2 + (typeof first === 'string' || first instanceof Uint8Array ? traversalFactor : 0), size * size);
}

const byResult: CallCost = (_args, result) => charge(1, measure(result));
const byDepth: CallCost = ([list, depth]) => charge(typeof depth === 'number' ? depth : 1, measure(list!));

export const listsLibrary: Library = {
  name: 'lists',
  macros: [{ name: 'sortBy', isReceiver: true, argCount: 2, expand: expandSortBy }],
  functions: [
    declare('slice', member('list_slice', [listT, intType, intType], listT, slice)),
    {
      ...declare(
        'flatten',
        member('list_flatten', [listOf(listT)], listT, flatten),
        member('list_flatten_int', [listDyn, intType], listDyn, flatten),
      ),
      isGuarded: true,
    },
    perType(
      'sort',
      (type) => member(`list_${type.name}_sort`, [listOf(type)], listOf(type)),
      (list: Value) => sortBy(list, list),
    ),
    perType('@sortByAssociatedKeys', (type) => member(`list_${type.name}_sortByAssociatedKeys`, [listT, listOf(type)], listT), sortBy),
    declare('lists.range', overload('lists_range', [intType], listOf(intType), range)),
    declare(
      'reverse',
      member('list_reverse', [listT], listT, (list: CelList) => new ArrayList([...list].reverse())),
    ),
    declare('distinct', member('list_distinct', [listT], listT, distinct)),
  ],
  estimators: {
    list_slice: (sizeOf, target, [start, end]) =>
      allocating(1, fixed(difference(literalCount(end, sizeOf(target!).max), literalCount(start, 0)))),
    list_flatten: (sizeOf, target) => allocating(1, sizeOf(target!)),
    list_flatten_int: (sizeOf, target, [depth]) => allocating(literalCount(depth, unbounded), sizeOf(target!)),
    lists_range: (_sizeOf, _target, [length]) => allocating(1, fixed(literalCount(length, unbounded))),
    list_reverse: (sizeOf, target) => allocating(1, sizeOf(target!)),
    list_distinct: (sizeOf, target) => allocating(2, times(sizeOf(target!), sizeOf(target!))),
    ...Object.fromEntries(comparable.map((type) => [`list_${type.name}_sort`, estimateSort(type, 'target')])),
    ...Object.fromEntries(comparable.map((type) => [`list_${type.name}_sortByAssociatedKeys`, estimateSort(type, 'keys')])),
  },
  costs: {
    list_slice: byResult,
    list_flatten: byDepth,
    list_flatten_int: byDepth,
    lists_range: byResult,
    list_reverse: byResult,
    list_distinct: ([list]) => chargeComparisons(list!),
    ...Object.fromEntries(comparable.map((type) => [`list_${type.name}_sort`, ([list]: readonly Value[]) => chargeComparisons(list!)])),
    ...Object.fromEntries(
      comparable.map((type) => [`list_${type.name}_sortByAssociatedKeys`, ([, keys]: readonly Value[]) => chargeComparisons(keys!)]),
    ),
  },
};
