import type { Random } from '../../fuzz/random.ts';
import type { Field, ScalarName, ScalarType, StructType, Type } from '../../../src/machinery/type-model.ts';
import type { Json } from './bases.ts';

const texts = [
  '',
  ' ',
  'a',
  'UPPER',
  'under_score',
  '-dash-',
  'a.b',
  'a/b',
  'x'.repeat(64),
  'x'.repeat(254),
  'ünï',
  '1.2.3.4',
  '2001:db8::1',
  '10.0.0.0/8',
  '*',
  '0',
  'https://example.com/x',
  '$(A)',
  'metadata.name',
  'example.com/name',
  'a b',
  '../up',
  '%',
];
const values: Readonly<Record<ScalarName, readonly unknown[]>> = {
  string: texts,
  bool: [true, false],
  int32: [0, 1, -1, 2, 100, 65_535, 65_536, 2_147_483_647],
  int64: [0, 1, -1, 2, 3600, 2_147_483_648, Number.MAX_SAFE_INTEGER],
  uint32: [0, 1, 4_294_967_295],
  uint64: [0, 1, 1000],
  float32: [0, 0.5, -1, 1e10],
  float64: [0, 0.5, -1, 1e10],
  bytes: ['', 'YQ==', 'AAECAw=='],
  quantity: ['0', '1', '-1', '100m', '1.5Gi', '1e3', '0.0001', '1Ki', 5],
  intOrString: [0, 80, -1, 70_000, 'http', '', '50%', '101%', 'UPPER'],
  time: ['2020-01-02T03:04:05Z', '2020-01-02T03:04:05+02:00', '2100-01-01T00:00:00Z'],
  microTime: ['2020-01-02T03:04:05.123456Z', '2020-01-02T03:04:05Z'],
  duration: ['1s', '1h30m', '0s', '-5s'],
  raw: [{}, { a: 1 }, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } }],
  fieldsV1: [{}, { 'f:spec': {} }],
  json: [null, 1, 'x', { a: [1] }],
  unknown: [{}, 'x', 1],
};
/** Of no type that fits. */
const misfits: readonly unknown[] = [null, 'text', 7, 1.5, true, [], {}, [null], ['x'], { a: 'b' }, [{}], -1, '5', 99_999_999_999];

export function misfit(random: Random): unknown {
  return random.pick(misfits);
}

/** A value of the type, sound by its shape but not always by its meaning. */
export function valueOf(type: Type, random: Random, depth = 0): unknown {
  switch (type.kind) {
    case 'scalar':
      return scalarOf(type, random);
    case 'list':
      return Array.from({ length: depth > 4 ? 0 : random.below(3) }, () => valueOf(type.element, random, depth + 1));
    case 'map':
      return Object.fromEntries(
        Array.from({ length: random.below(3) }, () => [random.pick(texts.slice(2)), valueOf(type.value, random, depth + 1)]),
      );
    case 'struct':
      return structOf(type, random, depth);
    case 'variant':
      return type.bool && random.below(2) === 0 ? random.below(2) === 0 : valueOf(type.object, random, depth + 1);
  }
}

function scalarOf({ scalar, enum: choices }: ScalarType, random: Random): unknown {
  return choices !== undefined && random.below(4) > 0 ? random.pick(choices) : random.pick(values[scalar]);
}

function structOf({ fields }: StructType, random: Random, depth: number): Json {
  const chosen = depth > 4 ? fields.filter(({ required }) => required) : fields.filter((field) => isChosen(field, random));
  return Object.fromEntries(chosen.map(({ name, type }) => [name, valueOf(type, random, depth + 1)]));
}

const isChosen = ({ required }: Field, random: Random): boolean => (required ? random.below(8) > 0 : random.below(5) === 0);
