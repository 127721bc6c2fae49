// Upstream: github.com/google/cel-go/common/stdlib/standard.go

import * as arithmetic from '../arithmetic.ts';
import { convert } from '../convert.ts';
import type { FunctionDeclaration, Implementation, Library, Overload } from '../declarations.ts';
import { declare, member, overload } from '../declarations.ts';
import { compileRegex } from '../regex.ts';
import type { CalendarTime } from '../time.ts';
import { durationHours, durationMillis, durationMinutes, durationSeconds, inZone } from '../time.ts';
import type { CelType } from '../types.ts';
import {
  boolType as bool,
  bytesType as bytes,
  doubleType as double,
  durationType as duration,
  dynType as dyn,
  intType as int,
  listOf,
  mapOf,
  stringType as string,
  timestampType as timestamp,
  typeOfType,
  typeParam,
  typeType,
  uintType as uint,
} from '../types.ts';
import type { Duration, Timestamp, Value } from '../values.ts';
import { CelError, CelList, CelMap, noSuchOverload, stringSize } from '../values.ts';
import { standardMacros } from './macros.ts';

const A = typeParam('A');
const B = typeParam('B');
const listA = listOf(A);
const mapAB = mapOf(A, B);

const singleton = (name: string, run: Implementation, ...overloads: Overload[]): FunctionDeclaration => ({ name, overloads, run });
/** Operators that the planner compiles by itself. */
const builtin = (name: string, ...overloads: Overload[]): FunctionDeclaration => ({ name, overloads });

const numbers: readonly (readonly [string, CelType])[] = [
  ['int64', int],
  ['uint64', uint],
  ['double', double],
];

/** Overloads of an ordering: same types, and every pair of numeric types. */
function orderings(prefix: string): Overload[] {
  const same = (name: string, type: CelType): Overload => overload(`${prefix}_${name}`, [type, type], bool);
  const numeric = numbers.flatMap(([name, type]) => [
    same(name, type),
    ...numbers
      .filter(([other]) => other !== name)
      .map(([other, otherType]) => overload(`${prefix}_${name}_${other}`, [type, otherType], bool)),
  ]);
  return [
    same('bool', bool),
    ...numeric,
    same('string', string),
    same('bytes', bytes),
    same('timestamp', timestamp),
    same('duration', duration),
  ];
}

const arithmeticOf = (prefix: string, ...types: (readonly [string, CelType])[]): Overload[] =>
  types.map(([name, type]) => overload(`${prefix}_${name}`, [type, type], type));

function contains(item: Value, container: Value): Value {
  if (container instanceof CelList) return container.contains(item);
  if (!(container instanceof CelMap)) return noSuchOverload;
  const found = container.find(item);
  return found instanceof CelError ? found : found !== undefined;
}

function size(value: Value): Value {
  if (typeof value === 'string') return stringSize(value);
  if (value instanceof CelList || value instanceof Uint8Array) return value.length;
  return value instanceof CelMap ? value.size : arithmetic.unsupported(value, 'size');
}

function matches(text: Value, pattern: Value): Value {
  if (typeof text !== 'string') return arithmetic.unsupported(text, 'matches');
  if (typeof pattern !== 'string') return noSuchOverload;
  const regex = compileRegex(pattern);
  return regex instanceof CelError ? regex : regex.test(text);
}

const operators: readonly FunctionDeclaration[] = [
  builtin('_?_:_', overload('conditional', [bool, A, A], A)),
  builtin('_&&_', overload('logical_and', [bool, bool], bool)),
  builtin('_||_', overload('logical_or', [bool, bool], bool)),
  singleton('!_', (value: Value) => (typeof value === 'boolean' ? !value : noSuchOverload), overload('logical_not', [bool], bool)),
  {
    name: '@not_strictly_false',
    overloads: [overload('not_strictly_false', [bool], bool)],
    run: (value: Value) => (typeof value === 'boolean' ? value : true),
    isLenient: true,
  },
  builtin('_==_', overload('equals', [A, A], bool)),
  builtin('_!=_', overload('not_equals', [A, A], bool)),
  singleton(
    '_+_',
    arithmetic.add,
    ...arithmeticOf('add', ['bytes', bytes], ['double', double]),
    overload('add_duration_duration', [duration, duration], duration),
    overload('add_duration_timestamp', [duration, timestamp], timestamp),
    overload('add_timestamp_duration', [timestamp, duration], timestamp),
    overload('add_int64', [int, int], int),
    overload('add_list', [listA, listA], listA),
    ...arithmeticOf('add', ['string', string], ['uint64', uint]),
  ),
  singleton('_/_', arithmetic.divide, ...arithmeticOf('divide', ['double', double], ['int64', int], ['uint64', uint])),
  singleton('_%_', arithmetic.modulo, ...arithmeticOf('modulo', ['int64', int], ['uint64', uint])),
  singleton('_*_', arithmetic.multiply, ...arithmeticOf('multiply', ['double', double], ['int64', int], ['uint64', uint])),
  singleton('-_', arithmetic.negate, overload('negate_double', [double], double), overload('negate_int64', [int], int)),
  singleton(
    '_-_',
    arithmetic.subtract,
    overload('subtract_double', [double, double], double),
    overload('subtract_duration_duration', [duration, duration], duration),
    overload('subtract_int64', [int, int], int),
    overload('subtract_timestamp_duration', [timestamp, duration], timestamp),
    overload('subtract_timestamp_timestamp', [timestamp, timestamp], duration),
    overload('subtract_uint64', [uint, uint], uint),
  ),
  singleton('_<_', arithmetic.less, ...orderings('less')),
  singleton('_<=_', arithmetic.lessOrEqual, ...orderings('less_equals')),
  singleton('_>_', arithmetic.greater, ...orderings('greater')),
  singleton('_>=_', arithmetic.greaterOrEqual, ...orderings('greater_equals')),
  builtin('_[_]', overload('index_list', [listA, int], A), overload('index_map', [mapAB, A], B)),
  ...['@in', '_in_', 'in'].map((name) =>
    singleton(name, contains, overload('in_list', [A, listA], bool), overload('in_map', [A, mapAB], bool)),
  ),
  singleton(
    'size',
    size,
    overload('size_bytes', [bytes], int),
    member('bytes_size', [bytes], int),
    overload('size_list', [listA], int),
    member('list_size', [listA], int),
    overload('size_map', [mapAB], int),
    member('map_size', [mapAB], int),
    overload('size_string', [string], int),
    member('string_size', [string], int),
  ),
  singleton('matches', matches, overload('matches', [string, string], bool), member('matches_string', [string, string], bool)),
];

const identity: Implementation = (value: Value) => value;

function conversion(name: string, to: CelType, ...from: (readonly [string, CelType])[]): FunctionDeclaration {
  return declare(
    name,
    ...from.map(([id, type]) => overload(id, [type], to, type === to ? identity : (value: Value) => convert(value, to))),
  );
}

const conversions: readonly FunctionDeclaration[] = [
  singleton('type', (value: Value) => convert(value, typeType), overload('type', [A], typeOfType(A))),
  conversion('bool', bool, ['bool_to_bool', bool], ['string_to_bool', string]),
  conversion('bytes', bytes, ['bytes_to_bytes', bytes], ['string_to_bytes', string]),
  conversion(
    'double',
    double,
    ['double_to_double', double],
    ['int64_to_double', int],
    ['string_to_double', string],
    ['uint64_to_double', uint],
  ),
  conversion('duration', duration, ['duration_to_duration', duration], ['string_to_duration', string]),
  singleton('dyn', identity, overload('to_dyn', [A], dyn)),
  conversion(
    'int',
    int,
    ['int64_to_int64', int],
    ['double_to_int64', double],
    ['duration_to_int64', duration],
    ['string_to_int64', string],
    ['timestamp_to_int64', timestamp],
    ['uint64_to_int64', uint],
  ),
  conversion(
    'string',
    string,
    ['string_to_string', string],
    ['bool_to_string', bool],
    ['bytes_to_string', bytes],
    ['double_to_string', double],
    ['duration_to_string', duration],
    ['int64_to_string', int],
    ['timestamp_to_string', timestamp],
    ['uint64_to_string', uint],
  ),
  conversion('timestamp', timestamp, ['timestamp_to_timestamp', timestamp], ['int64_to_timestamp', int], ['string_to_timestamp', string]),
  conversion(
    'uint',
    uint,
    ['uint64_to_uint64', uint],
    ['double_to_uint64', double],
    ['int64_to_uint64', int],
    ['string_to_uint64', string],
  ),
];

const textual = (name: string, id: string, run: (text: string, part: string) => boolean): FunctionDeclaration => ({
  name,
  overloads: [
    member(id, [string, string], bool, (text: Value, part: Value) =>
      typeof text === 'string' && typeof part === 'string' ? run(text, part) : noSuchOverload,
    ),
  ],
  isGuarded: true,
});

const strings: readonly FunctionDeclaration[] = [
  textual('contains', 'contains_string', (text, part) => text.includes(part)),
  textual('endsWith', 'ends_with_string', (text, part) => text.endsWith(part)),
  textual('startsWith', 'starts_with_string', (text, part) => text.startsWith(part)),
];

type Part = (time: CalendarTime, nanos: number) => number;

function timePart(
  name: string,
  id: string,
  part: Part,
  ofDuration?: readonly [string, Implementation],
  zonedId = `${id}_with_tz`,
): FunctionDeclaration {
  const read = (time: Timestamp, zone: string): Value => {
    const local = inZone(time, zone);
    return local instanceof CelError ? local : part(local, time.nanos);
  };
  return declare(
    name,
    member(id, [timestamp], int, (time: Timestamp) => read(time, '')),
    member(zonedId, [timestamp, string], int, read),
    ...(ofDuration ? [member(ofDuration[0], [duration], int, ofDuration[1])] : []),
  );
}

const times: readonly FunctionDeclaration[] = [
  timePart('getFullYear', 'timestamp_to_year', (time) => time.year),
  timePart('getMonth', 'timestamp_to_month', (time) => time.month),
  timePart('getDayOfYear', 'timestamp_to_day_of_year', (time) => time.yearDay),
  timePart('getDayOfMonth', 'timestamp_to_day_of_month', (time) => time.day - 1),
  timePart('getDate', 'timestamp_to_day_of_month_1_based', (time) => time.day),
  timePart('getDayOfWeek', 'timestamp_to_day_of_week', (time) => time.weekday),
  timePart('getHours', 'timestamp_to_hours', (time) => time.hour, ['duration_to_hours', (value: Duration) => durationHours(value)]),
  timePart('getMinutes', 'timestamp_to_minutes', (time) => time.minute, [
    'duration_to_minutes',
    (value: Duration) => durationMinutes(value),
  ]),
  timePart(
    'getSeconds',
    'timestamp_to_seconds',
    (time) => time.second,
    ['duration_to_seconds', (value: Duration) => durationSeconds(value)],
    'timestamp_to_seconds_tz',
  ),
  timePart('getMilliseconds', 'timestamp_to_milliseconds', (_time, nanos) => Math.trunc(nanos / 1e6), [
    'duration_to_milliseconds',
    (value: Duration) => durationMillis(value),
  ]),
];

/** Operators, conversions, `size`, `matches`, the string tests, the parts of times, and the standard macros. */
export const standardLibrary: Library = {
  name: 'standard',
  functions: [...operators, ...conversions, ...strings, ...times],
  macros: standardMacros,
};
