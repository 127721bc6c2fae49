import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Field, ScalarName, StructType, Type } from '../../machinery/type-model.ts';
import { DeclarativeRules } from './declarative-rules.ts';

interface Options {
  readonly pointer?: boolean;
  readonly default?: unknown;
}

const scalar = (name: ScalarName): Type => ({ kind: 'scalar', scalar: name });
const string = scalar('string');
const int = scalar('int32');
const list = (element: Type): Type => ({ kind: 'list', element });
const map = (value: Type): Type => ({ kind: 'map', value });
const beta = (marker: string): string => `beta(since: "1.37")=+k8s:${marker}`;
const alpha = (marker: string): string => `alpha(since: "1.37")=+k8s:${marker}`;

function field(name: string, type: Type, validation: readonly string[], { pointer = false, ...more }: Options = {}): Field {
  return { name, type, pointer, omit: 'empty', optional: true, required: false, validation, ...more };
}

function struct(...fields: readonly Field[]): StructType {
  return { kind: 'struct', name: 'example.Thing', fields, byName: new Map(fields.map((one) => [one.name, one])), proto: [], ruled: true };
}

function find(type: StructType, object: object, old?: object, on: readonly string[] = []): string[] {
  const rules = new DeclarativeRules((value) => JSON.stringify(value));
  return rules.validate(type, object, old, (name) => on.includes(name)).map(String);
}

type Case = readonly [
  what: string,
  field: Field,
  object: object,
  errors: readonly string[],
  old?: object | undefined,
  on?: readonly string[],
];

function table(title: string, cases: readonly Case[]): void {
  describe(title, () => {
    for (const [what, one, object, errors, old, on] of cases) {
      test(what, () => assert.deepEqual(find(struct(one), object, old, on), errors));
    }
  });
}

table('presence', [
  ['what is required is missing', field('a', string, ['required']), {}, ['a: Required value']],
  ['an empty list is missing', field('a', list(string), ['required']), { a: [] }, ['a: Required value']],
  ['an empty map is missing', field('a', map(string), ['required']), { a: {} }, ['a: Required value']],
  ['a pointer to nothing much is there', field('a', string, ['required'], { pointer: true }), { a: '' }, []],
  ['a struct is always there', field('a', struct(), ['required']), {}, []],
  ['what is missing is judged no further', field('a', int, ['required', 'minimum=1']), {}, ['a: Required value']],
  ['what is optional need not be anything', field('a', string, ['optional', 'format=k8s-short-name']), {}, []],
  ['a default has been filled in', field('a', int, ['optional'], { default: 1 }), {}, ['a: Required value']],
  ['a default of zero says nothing', field('a', int, ['optional', 'minimum=0'], { default: 0 }), { a: -1 }, [atLeast('a', -1, 0)]],
  ['what is forbidden is there', field('a', string, ['forbidden']), { a: 'x' }, ['a: Forbidden']],
]);

table('limits', [
  ['items', field('a', list(string), ['maxItems=1']), { a: ['x', 'y'] }, ['a: Too many: 2: must have at most 1 item']],
  [
    'too many items are not looked at',
    field('a', list(string), ['maxItems=1', 'eachVal=+k8s:format=k8s-short-name']),
    { a: ['X', 'Y'] },
    ['a: Too many: 2: must have at most 1 item'],
  ],
  ['characters', field('a', string, ['maxLength=2']), { a: 'äöü' }, ['a: Too long: may not be more than 2 characters']],
  ['characters of several bytes count once', field('a', string, ['maxLength=2']), { a: '😀ü' }, []],
  ['bytes', field('a', string, ['maxBytes=3']), { a: 'äö' }, ['a: Too long: may not be more than 3 bytes']],
  ['minimum', field('a', int, ['minimum=1']), { a: 0 }, [atLeast('a', 0, 1)]],
  ['maximum', field('a', int, ['maximum=1']), { a: 2 }, ['a: Invalid value: 2: must be less than or equal to 1']],
]);

table('formats', [
  ['uuid', field('a', string, ['format=k8s-uuid']), { a: 'x' }, ['a: Invalid value: "x": must be a lowercase UUID in 8-4-4-4-12 format']],
  ['short name', field('a', string, ['format=k8s-short-name']), { a: 'a.b' }, ['a: Invalid value: "a.b": must not contain dots']],
  ['path segment', field('a', string, ['format=k8s-path-segment-name']), { a: '..' }, [`a: Invalid value: "..": may not be '..'`]],
  [
    'pool name',
    field('a', string, ['format=k8s-resource-pool-name']),
    { a: 'a//b' },
    ['a: Invalid value: "a//b": segment 1: must not be empty'],
  ],
  [
    'extended resource',
    field('a', string, ['format=k8s-extended-resource-name']),
    { a: 'x.kubernetes.io/a' },
    ['a: Invalid value: "x.kubernetes.io/a": must not have "kubernetes.io/" domain'],
  ],
  [
    'qualified name',
    field('a', string, ['format=k8s-resource-fully-qualified-name']),
    { a: '/' },
    ['a: Invalid value: "": prefix must not be empty', 'a: Invalid value: "": name must not be empty'],
  ],
]);

const enumerated: Type = { kind: 'scalar', scalar: 'string', goName: 'v1.Mode', enum: ['Off', 'On'], validation: ['enum'] };

table('values', [
  ['one of several', field('a', enumerated, []), { a: 'In<' }, [unsupported('a')]],
  ['each one of several', field('a', list(enumerated), []), { a: ['On', 'In<'] }, [unsupported('a[1]')]],
  ['an optional one of several', field('a', enumerated, ['optional']), { a: '' }, []],
  ['a rule that needs a feature', field('a', int, ['ifEnabled(X)=+k8s:minimum=1']), { a: 0 }, []],
  ['the same with the feature', field('a', int, ['ifEnabled("X")=+k8s:minimum=1']), { a: 0 }, [atLeast('a', 0, 1)], undefined, ['X']],
  ['a rule while a feature is off', field('a', int, ['ifDisabled(X)=+k8s:forbidden']), { a: 1 }, ['a: Forbidden']],
]);

const immutable = (name: string): string => `${name}: Invalid value: null: field is immutable`;
const named = struct(field('name', string, []), field('size', int, ['minimum=0']));
const byName = ['listType=map', 'listMapKey=name'];

table('changes', [
  ['what never changes', field('a', string, ['immutable']), { a: 'x' }, [immutable('a')], { a: 'y' }],
  ['what never changes may be created', field('a', string, ['immutable']), { a: 'x' }, []],
  ['what did not change is not judged', field('a', int, ['minimum=1']), { a: 0 }, [], { a: 0 }],
  ['an empty list is no list', field('a', list(string), ['immutable']), { a: [] }, [], {}],
  ['a change may be all that is said', field('a', int, ['immutable', 'minimum=1']), { a: 0 }, [immutable('a')], { a: 1 }],
  ['set too late', field('a', string, ['update=NoSet']), { a: 'x' }, ['a: Invalid value: null: field cannot be set once created'], {}],
  ['cleared', field('a', string, ['update=NoUnset']), {}, ['a: Invalid value: null: field cannot be cleared once set'], { a: 'x' }],
  [
    'modified',
    field('a', string, ['update=NoModify']),
    { a: 'y' },
    ['a: Invalid value: null: field cannot be modified once set'],
    { a: 'x' },
  ],
  [
    'items that come and go',
    field('a', list(named), [...byName, 'update=NoRemoveItem', 'update=NoAddItem']),
    { a: [{ name: 'new' }] },
    ['a[0]: Forbidden: item may not be added', 'a: Forbidden: item may not be removed'],
    { a: [{ name: 'old' }] },
  ],
  ['less than before', field('a', int, ['monotonic']), { a: 1 }, ['a: Invalid value: 1: may not be decreased from 2'], { a: 2 }],
]);

table('containers', [
  [
    'duplicates in a set',
    field('a', list(string), ['listType=set']),
    { a: ['x', 'y', 'x', 'x'] },
    ['a[2]: Duplicate value: "x"', 'a[3]: Duplicate value: "x"'],
  ],
  [
    'duplicate keys',
    field('a', list(named), byName),
    { a: [{ name: 'x' }, { name: 'x', size: 1 }] },
    ['a[1]: Duplicate value: {"name":"x","size":1}'],
  ],
  ['absent keys are equal', field('a', list(named), byName), { a: [{}, { name: '' }] }, ['a[1]: Duplicate value: {"name":""}']],
  [
    'duplicates that the kind looks for itself',
    field('a', list(named), [...byName, 'customUnique']),
    { a: [{ name: 'x' }, { name: 'x' }] },
    [],
  ],
  [
    'uniqueness of a list that merges as a whole',
    field('a', list(string), ['listType=atomic', 'unique=set']),
    { a: ['x', 'x'] },
    ['a[1]: Duplicate value: "x"'],
  ],
  [
    'elements that did not change',
    field('a', list(named), byName),
    { a: [{ name: 'y' }, { name: 'x', size: -1 }] },
    [],
    { a: [{ name: 'x', size: -1 }] },
  ],
  [
    'elements without identity are all judged',
    field('a', list(named), []),
    { a: [{ name: 'x', size: -1 }, {}] },
    [atLeast('a[0].size', -1, 0)],
    { a: [{ name: 'x', size: -1 }] },
  ],
  ['values of a map', field('a', map(named), []), { a: { k: { size: -1 } } }, [atLeast('a[k].size', -1, 0)]],
  [
    'keys of a map, which errors do not name',
    field('a', map(string), ['eachKey=+k8s:format=k8s-short-name']),
    { a: { 'x.y': '' } },
    ['a: Invalid value: "x.y": must not contain dots'],
  ],
  [
    'known keys are not judged',
    field('a', map(string), ['eachKey=+k8s:format=k8s-short-name']),
    { a: { 'x.y': '1' } },
    [],
    { a: { 'x.y': '0' } },
  ],
  ['opaque types', field('a', named, ['opaqueType']), { a: { size: -1 } }, []],
  ['opaque elements', field('a', list(named), ['eachVal=+k8s:opaqueType']), { a: [{ size: -1 }] }, []],
  [
    'elements that exclude each other',
    field('a', list(named), ['item(name: "x")=+k8s:zeroOrOneOfMember', 'item(name: "y")=+k8s:zeroOrOneOfMember']),
    { a: [{ name: 'x' }, { name: 'y' }] },
    [
      `a: Invalid value: "{a[{\\"name\\": \\"x\\"}], a[{\\"name\\": \\"y\\"}]}": must specify at most one of: \`a[{"name": "x"}]\`, \`a[{"name": "y"}]\``,
    ],
  ],
  [
    'a field of a struct, for one use of it',
    field('a', named, ['subfield(name)=+k8s:format=k8s-short-name']),
    { a: { name: 'x.y' } },
    ['a.name: Invalid value: "x.y": must not contain dots'],
  ],
]);

table('levels', [
  ['alpha rules are not heard', field('a', int, [alpha('minimum=1')]), { a: 0 }, []],
  ['beta rules are', field('a', int, [beta('minimum=1')]), { a: 0 }, [atLeast('a', 0, 1)]],
  ['an alpha rule stops others', field('a', int, [alpha('required'), 'minimum=1']), {}, []],
]);

describe('fields of one struct', () => {
  const union = struct(field('a', string, ['unionMember'], { pointer: true }), field('b', list(string), ['unionMember']));
  const either = '`a`, `b`';
  const unions: readonly (readonly [string, object, readonly string[], object?])[] = [
    ['one of them is chosen', { a: 'x' }, []],
    ['none is', {}, [`<nil>: Invalid value: "": must specify one of: ${either}`]],
    ['an empty list is none', { b: [] }, [`<nil>: Invalid value: "": must specify one of: ${either}`]],
    ['both are', { a: 'x', b: ['y'] }, [`<nil>: Invalid value: "{a, b}": must specify exactly one of: ${either}`]],
    ['both are, as before', { a: 'x', b: ['y'] }, [], { a: 'z', b: ['y'] }],
  ];
  for (const [what, object, errors, old] of unions) test(`union: ${what}`, () => assert.deepEqual(find(union, object, old), errors));

  const moded = struct(
    field('type', string, ['modeDiscriminator']),
    field('queue', named, ['optional', 'ifMode("Queue")=+k8s:required'], { pointer: true }),
  );
  const modes: readonly (readonly [string, object, readonly string[], object?])[] = [
    ['what a mode needs is missing', { type: 'Queue' }, ['queue: Required value']],
    ['what it needs is there', { type: 'Queue', queue: {} }, []],
    ['another mode has no use for it', { type: 'Reject', queue: {} }, ['queue: Forbidden']],
    ['it was there before', { type: 'Reject', queue: {} }, [], { type: 'Reject', queue: {} }],
  ];
  for (const [what, object, errors, old] of modes) test(`mode: ${what}`, () => assert.deepEqual(find(moded, object, old), errors));

  const dependent = struct(
    field('a', string, ['dependentRequired("b")', 'dependentForbidden("c")']),
    field('b', string, []),
    field('c', string, []),
  );
  const dependents: readonly (readonly [string, object, readonly string[], object?])[] = [
    ['nothing is set', {}, []],
    ['one needs another', { a: 'x' }, ['b: Required value: must be set when a is set']],
    ['one excludes another', { a: 'x', b: 'y', c: 'z' }, ['c: Forbidden: may not be set when a is set']],
    ['it was so before', { a: 'x' }, [], { a: 'y' }],
  ];
  for (const [what, object, errors, old] of dependents)
    test(`dependency: ${what}`, () => assert.deepEqual(find(dependent, object, old), errors));
});

test('a struct that is absent is one without fields', () => {
  assert.deepEqual(find(struct(field('spec', struct(field('a', string, ['required'])), [])), {}), ['spec.a: Required value']);
});

test('a type that holds itself is judged all the way down', () => {
  const fields: Field[] = [field('size', int, ['minimum=0'])];
  const type = { ...struct(), fields } as StructType;
  fields.push(field('inner', type, [], { pointer: true }));
  assert.deepEqual(find(type, { inner: { inner: { size: -1 } } }), [atLeast('inner.inner.size', -1, 0)]);
});

test('an inlined struct keeps the path and comes where it is declared', () => {
  const inner = struct(field('a', string, ['unionMember'], { pointer: true }), field('b', string, ['unionMember'], { pointer: true }));
  const first = field('first', int, ['minimum=1']);
  const outer: StructType = {
    ...struct(first, ...inner.fields),
    declared: [
      { field: first, inline: false },
      { field: field('', inner, []), inline: true },
    ],
  };
  assert.deepEqual(find(struct(field('spec', outer, [])), { spec: {} }), [
    atLeast('spec.first', 0, 1),
    'spec: Invalid value: "": must specify one of: `a`, `b`',
  ]);
});

test('types that are said to have no binding rules are not walked', () => {
  const quiet: StructType = { ...named, ruled: false };
  assert.deepEqual(find(struct(field('a', quiet, []), field('b', list(quiet), [])), { a: { size: -1 }, b: [{ size: -1 }] }), []);
});

test('a marker that nobody knows is an error, not a rule less', () => {
  assert.throws(() => find(struct(field('a', string, ['someday=1'])), {}), /unknown validation marker someday/);
});

function atLeast(path: string, value: number, minimum: number): string {
  return `${path}: Invalid value: ${value}: must be greater than or equal to ${minimum}`;
}

function unsupported(path: string): string {
  return `${path}: Unsupported value: "In\\u003c": supported values: "Off", "On"`;
}
