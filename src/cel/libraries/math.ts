// Upstream: github.com/google/cel-go/ext/math.go

import type { Expr } from '../ast.ts';
import type { Macro } from '../builder.ts';
import { anyCount, MacroError } from '../builder.ts';
import type { FunctionDeclaration, Library, Overload } from '../declarations.ts';
import { declare, overload } from '../declarations.ts';
import { compare } from '../equality.ts';
import type { Int } from '../numbers.ts';
import { isInt, isNumeric, negateInt, toInt } from '../numbers.ts';
import type { CelType } from '../types.ts';
import { boolType as bool, doubleType as double, dynType as dyn, intType as int, listOf, uintType as uint } from '../types.ts';
import type { CelList, Value } from '../values.ts';
import { CelError, Double, Uint } from '../values.ts';

const numbers: readonly (readonly [string, CelType])[] = [
  ['double', double],
  ['int', int],
  ['uint', uint],
];

/** Literals that can never be numbers are refused when parsing. */
function canBeNumber(expr: Expr): boolean {
  if (expr.kind === 'literal') return isNumeric(expr.value);
  return expr.kind !== 'list' && expr.kind !== 'map' && expr.kind !== 'struct';
}

function extremeMacro(name: string, run: string): Macro {
  const title = `math.${name}()`;
  return {
    name,
    isReceiver: true,
    argCount: anyCount,
    expand: (build, target, args) => {
      if (target?.kind !== 'ident' || target.name !== 'math') return undefined;
      const [only] = args;
      if (!only) return new MacroError(target, `${title} requires at least one argument`);
      if (args.length === 1) {
        const isList = only.kind === 'list' && only.elements.length > 0 && only.elements.every(canBeNumber);
        return isList || canBeNumber(only) ? build.call(run, only) : new MacroError(only, `${title} invalid single argument value`);
      }
      const bad = args.find((arg) => !canBeNumber(arg));
      if (bad) return new MacroError(bad, `${title} simple literal arguments must be numeric`);
      return build.call(run, ...(args.length === 2 ? args : [build.list(...args)]));
    },
  };
}

function extreme(name: string, preferred: number): FunctionDeclaration {
  const pick = (a: Value, b: Value): Value => {
    const order = compare(a, b);
    return order instanceof CelError ? order : order === preferred ? b : a;
  };
  const ofList = (list: CelList): Value => {
    if (list.length === 0) return new CelError(`${name}(list) argument must not be empty`);
    let best = list.at(0);
    if (!isNumeric(best)) return new CelError(`no such overload: ${name}`);
    for (const item of list) best = pick(best, item);
    return best;
  };
  const id = name.replace('.', '_');
  const singles = numbers.map(([type, celType]) => overload(`${id}_${type}`, [celType], celType, (value: Value) => value));
  const pairs = numbers.flatMap(([a, typeA]) =>
    numbers.map(([b, typeB]) => overload(`${id}_${a}_${b}`, [typeA, typeB], typeA === typeB ? typeA : dyn, pick)),
  );
  const lists = numbers.map(([type, celType]) => overload(`${id}_list_${type}`, [listOf(celType)], celType, ofList));
  return declare(name, ...singles, ...pairs, ...lists);
}

const onDouble = (name: string, run: (value: number) => number): FunctionDeclaration =>
  declare(
    `math.${name}`,
    overload(`math_${name}_double`, [double], double, ({ value }: Double) => new Double(run(value))),
  );

const testDouble = (name: string, run: (value: number) => boolean): FunctionDeclaration =>
  declare(
    `math.${name}`,
    overload(`math_${name}_double`, [double], bool, ({ value }: Double) => run(value)),
  );

// Go rounds halves away from zero.
const round = (value: number): number =>
  Number.isInteger(value) || !Number.isFinite(value) ? value : Math.sign(value) * Math.round(Math.abs(value));

const numberOf = (value: Int | Uint | Double): number => Number(isInt(value) ? value : value.value);
const sqrt = (value: Int | Uint | Double): Value => new Double(Math.sqrt(numberOf(value)));

function bitwise(name: string, run: (a: bigint, b: bigint) => bigint): FunctionDeclaration {
  return declare(
    `math.${name}`,
    overload(`math_${name}_int_int`, [int, int], int, (a: Int, b: Int) => toInt(BigInt.asIntN(64, run(BigInt(a), BigInt(b))))),
    overload(`math_${name}_uint_uint`, [uint, uint], uint, (a: Uint, b: Uint) => new Uint(BigInt.asUintN(64, run(a.value, b.value)))),
  );
}

function shift(name: string, run: (value: bigint, by: bigint) => bigint): FunctionDeclaration {
  const shifted = (value: bigint, by: Int, settle: (bits: bigint) => Value): Value => {
    if (by < 0) return new CelError(`math.${name}() negative offset: ${by}`);
    return settle(by >= 64 ? 0n : run(BigInt.asUintN(64, value), BigInt(by)));
  };
  return declare(
    `math.${name}`,
    overload(`math_${name}_int_int`, [int, int], int, (a: Int, by: Int) =>
      shifted(BigInt(a), by, (bits) => toInt(BigInt.asIntN(64, bits))),
    ),
    overload(`math_${name}_uint_int`, [uint, int], uint, (a: Uint, by: Int) =>
      shifted(a.value, by, (bits) => new Uint(BigInt.asUintN(64, bits))),
    ),
  );
}

const perNumber = (name: string, make: (type: string, celType: CelType) => Overload): FunctionDeclaration =>
  declare(`math.${name}`, ...numbers.map(([type, celType]) => make(type, celType)));

function absolute(value: Int | Uint | Double): Value {
  if (value instanceof Double) return new Double(Math.abs(value.value));
  return value instanceof Uint || value >= 0 ? value : negateInt(value);
}

function signOf(value: Int | Uint | Double): Value {
  if (value instanceof Double) return new Double(Number.isNaN(value.value) ? NaN : Math.sign(value.value) + 0);
  if (value instanceof Uint) return new Uint(value.value === 0n ? 0n : 1n);
  return value > 0 ? 1 : value < 0 ? -1 : 0;
}

export const mathLibrary: Library = {
  name: 'math',
  macros: [extremeMacro('least', 'math.@min'), extremeMacro('greatest', 'math.@max')],
  functions: [
    extreme('math.@min', 1),
    extreme('math.@max', -1),
    onDouble('ceil', Math.ceil),
    onDouble('floor', Math.floor),
    onDouble('round', round),
    onDouble('trunc', Math.trunc),
    testDouble('isInf', (value) => !Number.isFinite(value) && !Number.isNaN(value)),
    testDouble('isNaN', Number.isNaN),
    testDouble('isFinite', Number.isFinite),
    perNumber('abs', (type, celType) => overload(`math_abs_${type}`, [celType], celType, absolute)),
    perNumber('sign', (type, celType) => overload(`math_sign_${type}`, [celType], celType, signOf)),
    bitwise('bitAnd', (a, b) => a & b),
    bitwise('bitOr', (a, b) => a | b),
    bitwise('bitXor', (a, b) => a ^ b),
    declare(
      'math.bitNot',
      overload('math_bitNot_int_int', [int], int, (value: Int) => toInt(~BigInt(value))),
      overload('math_bitNot_uint_uint', [uint], uint, (value: Uint) => new Uint(BigInt.asUintN(64, ~value.value))),
    ),
    shift('bitShiftLeft', (value, by) => value << by),
    shift('bitShiftRight', (value, by) => value >> by),
    perNumber('sqrt', (type, celType) => overload(`math_sqrt_${type}`, [celType], double, sqrt)),
  ],
};
