// Upstream: github.com/google/cel-go/cel/library.go#optionalLib

import type { Expr } from '../ast.ts';
import type { Macro, MacroExpansion, NodeBuilder } from '../builder.ts';
import { MacroError } from '../builder.ts';
import { ArrayList } from '../collections.ts';
import type { Library } from '../declarations.ts';
import { declare, member, overload } from '../declarations.ts';
import { isZeroValue } from '../equality.ts';
import { showValue } from '../show.ts';
import { boolType, dynType, intType, listOf, mapOf, optionalOf, stringType, typeParam } from '../types.ts';
import type { CelList, Value } from '../values.ts';
import { CelError, Optional } from '../values.ts';

const K = typeParam('K');
const V = typeParam('V');
const optionalV = optionalOf(V);
const listV = listOf(V);
const mapKV = mapOf(K, V);

/** `target.optMap(v, f(v))`: computed only when there is a value. */
function optionalMap(name: string, wraps: boolean): Macro {
  const expand = (build: NodeBuilder, target: Expr | undefined, [variable, body]: readonly Expr[]): MacroExpansion => {
    if (variable!.kind !== 'ident') return new MacroError(variable!, `${name}() variable name must be a simple identifier`);
    const fold = build.fold(build.list(), ['#unused'], variable!.name, {
      init: build.memberCall('value', build.copy(target!)),
      condition: build.literal(false),
      step: build.ident(variable!.name),
      result: body!,
    });
    const mapped = wraps ? build.call('optional.of', fold) : fold;
    return build.call('_?_:_', build.memberCall('hasValue', target!), mapped, build.call('optional.none'));
  };
  return { name, isReceiver: true, argCount: 2, expand };
}

const element = (list: CelList, index: number): Value => (list.length === 0 ? Optional.none : new Optional(list.at(index)));

function unwrap(list: CelList): Value {
  const values: Value[] = [];
  for (const item of list) {
    if (!(item instanceof Optional)) return new CelError(`value ${showValue(item)} is not optional`);
    if (item.value !== undefined) values.push(item.value);
  }
  return new ArrayList(values);
}

export const optionalLibrary: Library = {
  name: 'optional',
  optionalSyntax: true,
  types: [optionalOf(dynType)],
  macros: [optionalMap('optMap', true), optionalMap('optFlatMap', false)],
  functions: [
    declare(
      'optional.of',
      overload('optional_of', [V], optionalV, (value: Value) => new Optional(value)),
    ),
    declare(
      'optional.ofNonZeroValue',
      overload('optional_ofNonZeroValue', [V], optionalV, (value: Value) => (isZeroValue(value) ? Optional.none : new Optional(value))),
    ),
    declare(
      'optional.none',
      overload('optional_none', [], optionalV, () => Optional.none),
    ),
    declare(
      'value',
      member('optional_value', [optionalV], V, (value: Optional) =>
        value.value === undefined ? new CelError('optional.none() dereference') : value.value,
      ),
    ),
    declare(
      'hasValue',
      member('optional_hasValue', [optionalV], boolType, (value: Optional) => value.value !== undefined),
    ),
    declare('or', member('optional_or_optional', [optionalV, optionalV], optionalV)),
    declare('orValue', member('optional_orValue_value', [optionalV, V], V)),
    declare('_?._', overload('select_optional_field', [dynType, stringType], optionalV)),
    declare(
      '_[?_]',
      overload('list_optindex_optional_int', [listV, intType], optionalV),
      overload('optional_list_optindex_optional_int', [optionalOf(listV), intType], optionalV),
      overload('map_optindex_optional_value', [mapKV, K], optionalV),
      overload('optional_map_optindex_optional_value', [optionalOf(mapKV), K], optionalV),
    ),
    declare(
      '_[_]',
      overload('optional_list_index_int', [optionalOf(listV), intType], optionalV),
      overload('optional_map_index_value', [optionalOf(mapKV), K], optionalV),
    ),
    declare(
      'first',
      member('list_first', [listV], optionalV, (list: CelList) => element(list, 0)),
    ),
    declare(
      'last',
      member('list_last', [listV], optionalV, (list: CelList) => element(list, list.length - 1)),
    ),
    declare('optional.unwrap', overload('optional_unwrap', [listOf(optionalV)], listV, unwrap)),
    declare('unwrapOpt', member('optional_unwrapOpt', [listOf(optionalV)], listV, unwrap)),
  ],
};
