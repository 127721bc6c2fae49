// Upstream: github.com/google/cel-go/ext/comprehensions.go

import type { Expr } from '../ast.ts';
import { accumulatorName, oldAccumulator } from '../ast.ts';
import type { Macro, MacroExpansion, NodeBuilder } from '../builder.ts';
import { MacroError } from '../builder.ts';
import { EntryMap, GrowingMap } from '../collections.ts';
import type { Library } from '../declarations.ts';
import { declare, overload } from '../declarations.ts';
import { mapOf, typeParam } from '../types.ts';
import type { Value } from '../values.ts';
import { CelError, CelMap } from '../values.ts';

const insertFunction = 'cel.@mapInsert';
const K = typeParam('K');
const V = typeParam('V');
const mapKV = mapOf(K, V);

function iterationVariables(first: Expr, second: Expr): [string, string] | MacroError {
  for (const arg of [first, second]) if (arg.kind !== 'ident') return new MacroError(arg, 'argument must be a simple name');
  if (first.kind !== 'ident' || second.kind !== 'ident') return new MacroError(first, 'argument must be a simple name');
  if (first.name === second.name) return new MacroError(second, `duplicate variable name: ${first.name}`);
  for (const arg of [first, second])
    if (arg.name === accumulatorName || arg.name === oldAccumulator)
      return new MacroError(arg, 'iteration variable overwrites accumulator variable');
  return [first.name, second.name];
}

interface Parts {
  readonly init: Expr;
  readonly condition: Expr;
  readonly step: Expr;
  readonly result: Expr;
}

function twoVariables(
  name: string,
  argCount: number,
  parts: (build: NodeBuilder, names: [string, string], rest: readonly Expr[]) => Parts,
): Macro {
  const expand = (build: NodeBuilder, target: Expr | undefined, [first, second, ...rest]: readonly Expr[]): MacroExpansion => {
    const names = iterationVariables(first!, second!);
    return names instanceof MacroError ? names : build.fold(target!, names, accumulatorName, parts(build, names, rest));
  };
  return { name, isReceiver: true, argCount, expand };
}

const existsOne = (build: NodeBuilder, _names: [string, string], [predicate]: readonly Expr[]): Parts => ({
  init: build.literal(0),
  condition: build.literal(true),
  step: build.call('_?_:_', predicate!, build.call('_+_', build.accumulator(), build.literal(1)), build.accumulator()),
  result: build.call('_==_', build.accumulator(), build.literal(1)),
});

/** A transformation with an optional filter before the transform. */
function transform(
  name: string,
  init: (build: NodeBuilder) => Expr,
  step: (build: NodeBuilder, names: [string, string], to: Expr) => Expr,
): Macro[] {
  return [3, 4].map((argCount) =>
    twoVariables(name, argCount, (build, names, rest) => {
      const added = step(build, names, rest.at(-1)!);
      const filtered = rest.length === 2 ? build.call('_?_:_', rest[0]!, added, build.accumulator()) : added;
      return { init: init(build), condition: build.literal(true), step: filtered, result: build.accumulator() };
    }),
  );
}

function insert(map: CelMap, key: Value, value: Value): Value {
  if (map instanceof GrowingMap) return map.insert(key, value);
  const grown = new GrowingMap();
  for (const known of map.keys()) grown.insert(known, map.find(known)!);
  const inserted = grown.insert(key, value);
  return inserted instanceof CelError ? inserted : new EntryMap(grown.keys().map((known) => [known, grown.find(known)!]));
}

function insertAll(map: CelMap, added: CelMap): Value {
  let result: Value = map;
  for (const key of added.keys()) {
    result = insert(result as CelMap, key, added.find(key)!);
    if (result instanceof CelError) return result;
  }
  return result;
}

export const comprehensionsLibrary: Library = {
  name: 'comprehensions',
  macros: [
    twoVariables('all', 3, (build, _names, [predicate]) => ({
      init: build.literal(true),
      condition: build.call('@not_strictly_false', build.accumulator()),
      step: build.call('_&&_', build.accumulator(), predicate!),
      result: build.accumulator(),
    })),
    twoVariables('exists', 3, (build, _names, [predicate]) => ({
      init: build.literal(false),
      condition: build.call('@not_strictly_false', build.call('!_', build.accumulator())),
      step: build.call('_||_', build.accumulator(), predicate!),
      result: build.accumulator(),
    })),
    twoVariables('existsOne', 3, existsOne),
    twoVariables('exists_one', 3, existsOne),
    ...transform(
      'transformList',
      (build) => build.list(),
      (build, _names, to) => build.call('_+_', build.accumulator(), build.list(to)),
    ),
    ...transform(
      'transformMap',
      (build) => build.map(),
      (build, [key], to) => build.call(insertFunction, build.accumulator(), build.ident(key), to),
    ),
    ...transform(
      'transformMapEntry',
      (build) => build.map(),
      (build, _names, to) => build.call(insertFunction, build.accumulator(), to),
    ),
  ],
  functions: [
    declare(
      insertFunction,
      overload('@mapInsert_map_key_value', [mapKV, K, V], mapKV, insert),
      overload('@mapInsert_map_map', [mapKV, mapKV], mapKV, insertAll),
    ),
  ],
};
