// Upstream: k8s.io/apiserver/pkg/cel/library/lists.go

import { add } from '../arithmetic.ts';
import type { FunctionDeclaration, Implementation, Library } from '../declarations.ts';
import { declare, member } from '../declarations.ts';
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
import type { Value } from '../values.ts';
import { CelError, CelList, Double, Duration, noSuchOverload, Uint } from '../values.ts';

const comparable: readonly (readonly [string, CelType])[] = [
  ['int', intType],
  ['uint', uintType],
  ['double', doubleType],
  ['bool', boolType],
  ['duration', durationType],
  ['timestamp', timestampType],
  ['string', stringType],
  ['bytes', bytesType],
];

const summable: readonly (readonly [string, CelType, Value])[] = [
  ['int', intType, 0],
  ['uint', uintType, new Uint(0n)],
  ['double', doubleType, new Double(0)],
  ['duration', durationType, new Duration(0n)],
];

function isSorted(list: CelList): Value {
  for (let i = 0; i < list.length; i++) {
    const item = list.at(i);
    if (!isComparable(item)) return item instanceof CelError ? item : noSuchOverload;
    if (i > 0 && compare(list.at(i - 1), item) === 1) return false;
  }
  return true;
}

const sum =
  (zero: Value) =>
  (list: CelList): Value => {
    let total = zero;
    for (const item of list) {
      if (item instanceof CelError) return item;
      total = add(total, item);
      if (total instanceof CelError) return total;
    }
    return total;
  };

const extreme =
  (name: string, preferred: number) =>
  (list: CelList): Value => {
    if (list.length === 0) return new CelError(`${name} called on empty list`);
    let best = list.at(0);
    for (const item of list) {
      if (!isComparable(item)) return item instanceof CelError ? item : noSuchOverload;
      if (compare(best, item) === preferred) best = item;
    }
    return best;
  };

const A = typeParam('A');
const listA = listOf(A);

function indexOf(list: CelList, wanted: Value): Value {
  for (let i = 0; i < list.length; i++) if (equal(list.at(i), wanted) === true) return i;
  return -1;
}

function lastIndexOf(list: CelList, wanted: Value): Value {
  for (let i = list.length - 1; i >= 0; i--) if (equal(list.at(i), wanted) === true) return i;
  return -1;
}

function includes(target: Value, wanted: Value): Value {
  if (!(target instanceof CelList)) return equal(target, wanted) === true;
  for (const item of target) if (equal(item, wanted) === true) return true;
  return false;
}

const perType = (
  name: string,
  id: (type: string) => string,
  result: (type: CelType) => CelType,
  run: Implementation,
): FunctionDeclaration => declare(name, ...comparable.map(([shortName, type]) => member(id(shortName), [listOf(type)], result(type), run)));

const includesFunction = declare('includes', member('list_includes_dyn_dyn', [dynType, dynType], boolType, includes));

/** includes() for those who have it before every expression has. */
export const includesLibrary: Library = { name: 'kubernetes.includes', functions: [includesFunction] };

/** List functions; version 1 adds includes(). */
export function kubernetesListsLibrary(version: number): Library {
  return {
    name: 'kubernetes.lists',
    functions: [
      perType(
        'isSorted',
        (type) => `list_${type}_is_sorted_bool`,
        () => boolType,
        isSorted,
      ),
      declare('sum', ...summable.map(([name, type, zero]) => member(`list_${name}_sum_${name}`, [listOf(type)], type, sum(zero)))),
      perType(
        'max',
        (type) => `list_${type}_max_${type}`,
        (type) => type,
        extreme('max', -1),
      ),
      perType(
        'min',
        (type) => `list_${type}_min_${type}`,
        (type) => type,
        extreme('min', 1),
      ),
      declare('indexOf', member('list_a_index_of_int', [listA, A], intType, indexOf)),
      declare('lastIndexOf', member('list_a_last_index_of_int', [listA, A], intType, lastIndexOf)),
      ...(version >= 1 ? [includesFunction] : []),
    ],
  };
}
