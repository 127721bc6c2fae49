// Upstream: github.com/google/cel-go/ext/sets.go

import type { CallCost, CallEstimator } from '../cost-model.ts';
import { fixed, plus, scale, times } from '../cost-model.ts';
import type { Library } from '../declarations.ts';
import { declare, overload } from '../declarations.ts';
import { boolType, listOf, typeParam } from '../types.ts';
import type { CelList, Truth, Value } from '../values.ts';
import { measure } from '../values.ts';

const listT = listOf(typeParam('T'));

function containsAll(list: CelList, part: CelList): Truth {
  for (const item of part) {
    const found = list.contains(item);
    if (found !== true) return found;
  }
  return true;
}

function intersects(a: CelList, b: CelList): Value {
  for (const item of a) if (b.contains(item) === true) return true;
  return false;
}

function equivalent(a: CelList, b: CelList): Value {
  const contained = containsAll(a, b);
  return contained === true ? containsAll(b, a) : contained;
}

const estimate =
  (factor: number): CallEstimator =>
  (sizeOf, _target, [a, b]) => ({ cost: plus(scale(times(sizeOf(a!), sizeOf(b!)), factor), fixed(1)) });

const cost =
  (factor: number): CallCost =>
  ([a, b]) =>
    1 + Math.trunc(measure(a!) * measure(b!) * factor);

export const setsLibrary: Library = {
  name: 'sets',
  functions: [
    declare('sets.contains', overload('list_sets_contains_list', [listT, listT], boolType, containsAll)),
    declare('sets.equivalent', overload('list_sets_equivalent_list', [listT, listT], boolType, equivalent)),
    declare('sets.intersects', overload('list_sets_intersects_list', [listT, listT], boolType, intersects)),
  ],
  estimators: {
    list_sets_contains_list: estimate(1),
    list_sets_intersects_list: estimate(1),
    list_sets_equivalent_list: estimate(2),
  },
  costs: { list_sets_contains_list: cost(1), list_sets_intersects_list: cost(1), list_sets_equivalent_list: cost(2) },
};
