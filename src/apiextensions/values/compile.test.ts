import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allSteps } from '../../base/steps.ts';
import type { JSONSchemaProps } from '../../schema/types/apiextensions-v1.ts';
import { ValueValidator, writtenFormat } from './compile.ts';
import { amountOf } from './faults.ts';

const within = (schema: JSONSchemaProps): JSONSchemaProps => ({ type: 'object', properties: { a: schema } });

/** schema of `a`, value of `a`, what clients hear */
const cases: readonly (readonly [JSONSchemaProps, unknown, readonly string[]])[] = [
  [{ type: 'string' }, 'x', []],
  [{ type: 'string' }, null, ['a: Invalid value: "null": a in body must be of type string: "null"']],
  [{ type: 'string', nullable: true }, null, []],
  [
    { type: 'integer' },
    1.5,
    [
      'a: Invalid value: "number": a in body must be of type integer: "number"',
      '<nil>: Invalid value: "": Checked value must be of type integer (default format) in a',
    ],
  ],
  [
    { type: 'integer', format: 'int32' },
    2 ** 40,
    ['<nil>: Invalid value: "": Checked value must be of type integer with format int32 in a'],
  ],
  [{ type: 'number', multipleOf: 0.1 }, 0.25, ['a: Invalid value: 0.25: a in body should be a multiple of 0.1']],
  [{ type: 'integer', exclusiveMaximum: true, maximum: 5 }, 5, ['a: Invalid value: 5: a in body should be less than 5']],
  [{ 'x-kubernetes-int-or-string': true }, 'x', []],
  [{ 'x-kubernetes-int-or-string': true }, true, ['a: Invalid value: "boolean": a in body must be of type integer,string: "boolean"']],
  [{ type: 'string', maxLength: 2 }, '🎈🎈🎈', ['a: Too long: may not be more than 2 bytes']],
  [{ type: 'string', minLength: 2 }, '🎈', ['a: Invalid value: "🎈": a in body should be at least 2 chars long']],
  [{ type: 'string', pattern: '^b+$' }, 'ab', [`a: Invalid value: "ab": a in body should match '^b+$'`]],
  [{ type: 'string', enum: ['x', 'y'] }, 'z', ['a: Unsupported value: "z": supported values: "x", "y"']],
  [{ type: 'string', format: 'uuid' }, 'z', ['a: Invalid value: "z": a in body must be of type uuid: "z"']],
  [{ type: 'string', format: 'nobody-knows' }, 'z', []],
  [
    { type: 'array', maxItems: 1, items: { type: 'integer' } },
    [1, 'x'],
    ['a[1]: Invalid value: "string": a[1] in body must be of type integer: "string"', 'a: Too many: 2: must have at most 1 item'],
  ],
  [
    { type: 'object', additionalProperties: { type: 'integer' } },
    { k: 'x' },
    ['a.k: Invalid value: "string": a.k in body must be of type integer: "string"'],
  ],
  [
    { type: 'object', required: ['b'], minProperties: 1 },
    {},
    ['a: Invalid value: 0: a in body should have at least 1 properties', 'a.b: Required value'],
  ],
  [{ type: 'integer', not: { enum: [3] } }, 3, ['<nil>: Invalid value: "": "a" must not validate the schema (not)']],
  [
    { type: 'integer', oneOf: [{ minimum: 1 }, { minimum: 2 }] },
    5,
    ['<nil>: Invalid value: "": "a" must validate one and only one schema (oneOf). Found 2 valid alternatives'],
  ],
  [
    { type: 'integer', anyOf: [{ minimum: 10 }, { maximum: 2 }] },
    5,
    [
      '<nil>: Invalid value: "": "a" must validate at least one schema (anyOf)',
      'a: Invalid value: 5: a in body should be greater than or equal to 10',
    ],
  ],
  [
    { type: 'integer', allOf: [{ minimum: 10 }, { maximum: 20 }] },
    5,
    [
      'a: Invalid value: 5: a in body should be greater than or equal to 10',
      '<nil>: Invalid value: "": "a" must validate all the schemas (allOf)',
    ],
  ],
];

for (const [schema, value, expected] of cases) {
  test(`${JSON.stringify(value)} against ${JSON.stringify(schema)} is ${expected.length === 0 ? 'fine' : 'refused'}`, () => {
    assert.deepEqual(new ValueValidator(within(schema)).validate({ a: value }).map(String), expected);
  });
}

test('what has not changed is let through on update, and what has is not', () => {
  const validator = new ValueValidator({
    type: 'object',
    properties: { a: { type: 'string', maxLength: 1 }, b: { type: 'string', maxLength: 1 } },
  });
  assert.deepEqual(allSteps(validator.validateUpdate({ a: 'long', b: 'x' }, { a: 'long', b: 'y' })), []);
  assert.deepEqual(allSteps(validator.validateUpdate({ a: 'long', b: 'long' }, { a: 'long', b: 'y' })).map(String), [
    'b: Too long: may not be more than 1 byte',
  ]);
});

test('values that would have to be compared with more alternatives than can be in a moment are refused', () => {
  const items = { anyOf: Array.from({ length: 50 }, (_, index) => ({ minimum: 100 - index })) };
  const validator = new ValueValidator(within({ type: 'array', items: { type: 'integer', ...items } }));
  const list = (length: number): { a: number[] } => ({ a: Array.from({ length }, () => 51) });
  assert.deepEqual(validator.validate(list(1200)), []);
  assert.throws(() => validator.validate(list(1201)), /limit is 60000 alternatives to compare with/);
});

test('no more faults are kept than an answer tells', () => {
  const values = Array.from({ length: 1000 }, (_, index) => `value-${index}`);
  const validator = new ValueValidator(within({ type: 'array', items: { type: 'string', enum: values } }));
  const found = validator.validate({ a: Array.from({ length: 50_000 }, () => 'x') });
  assert.ok(found.length > 100 && found.length < 1000, `${found.length} faults`);
});

test('a long list of values outside a long enumeration is compared with a table, and worded as far as an answer reports', () => {
  let worded = 0;
  const values = Array.from({ length: 30_000 }, (_, index) => ({
    toJSON: () => {
      worded++;
      return { index };
    },
  }));
  const validator = new ValueValidator(within({ type: 'array', items: { type: 'object', enum: values } }));
  const errors = validator.validate({ a: Array.from({ length: 100_000 }, () => ({ index: -1 })) });
  assert.ok(errors.length > 0 && errors.length < 100, String(errors.length));
  // once to look them up, once to list them
  assert.ok(worded <= 2 * values.length, `${worded} values were written`);
});

test('an enumeration has what is equal, whole numbers by their whole part, and never null', () => {
  const isValid = (values: unknown[], value: unknown): boolean =>
    new ValueValidator(within({ enum: values, 'x-kubernetes-preserve-unknown-fields': true })).validate({ a: value }).length === 0;
  assert.ok(isValid([1, 'b', true], 1.7));
  assert.ok(!isValid([1.5], 1.7));
  assert.ok(isValid([1.5], 1.5));
  assert.ok(isValid([{ a: 1, b: [2] }], { b: [2], a: 1 }));
  assert.ok(!isValid([{ a: 1 }], { a: 2 }));
  assert.ok(isValid([true], true));
  assert.ok(!isValid(['1'], 1));
});

test('faults beyond what an answer reports are not worded', () => {
  const validator = new ValueValidator(within({ type: 'array', items: { type: 'integer' } }));
  const errors = validator.validate({ a: Array.from({ length: 300_000 }, () => 'x') });
  assert.ok(errors.length > 10_000 && errors.length < 50_000, String(errors.length));
});

test('a default is held against the format of a type that has none, an object is not', () => {
  const schema = within({ type: 'surprise', format: 'int32' });
  assert.deepEqual(
    new ValueValidator(schema, writtenFormat).validate({ a: 3 }).map(({ detail }) => detail),
    ['a in body must be of type int32: "int64"'],
  );
  assert.deepEqual(
    new ValueValidator(schema).validate({ a: 3 }).map(({ detail }) => detail),
    ['a in body must be of type surprise: "integer"'],
  );
});

test('texts are matched with patterns in steps, and each of them once', (context) => {
  const validator = new ValueValidator(within({ type: 'array', items: { type: 'string', pattern: 'a{1000}$|^(b|c)+$' } }));
  const a = Array.from({ length: 50 }, (_, index) => (index === 7 ? 'x' : 'b'.repeat(index + 1)));
  const whole = validator.validate({ a }).map(String);
  assert.equal(whole.length, 1);
  let now = performance.now();
  // Each search takes 10 ms by this clock.
  context.mock.method(performance, 'now', () => (now += 10));
  let pauses = 0;
  const steps = validator.validateInSteps({ a });
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) pauses++;
  assert.equal(pauses, 49);
  assert.deepEqual(step.value.map(String), whole);
});

/** An object that counts how often it is asked whether it has a property. */
function countingObject(): { readonly object: object; readonly count: () => number } {
  let asked = 0;
  const handler: ProxyHandler<object> = {
    getOwnPropertyDescriptor: (target, key) => {
      asked++;
      return Reflect.getOwnPropertyDescriptor(target, key);
    },
  };
  return { object: new Proxy({}, handler), count: () => asked };
}

test('properties that an object does not have are not looked for one by one', () => {
  const properties = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`p${index}`, { type: 'string' }]));
  const { object, count } = countingObject();
  assert.deepEqual(new ValueValidator(within({ type: 'object', properties })).validate({ a: object }), []);
  assert.ok(count() < 100, `${count()} times`);
});

test('fields that are missing in each of many objects are looked for until there are more faults than a response tells', () => {
  const required = Array.from({ length: 10_000 }, (_, index) => `p${index}`);
  const { object, count } = countingObject();
  const schema = within({ type: 'array', items: { type: 'object', required } });
  const errors = new ValueValidator(schema).validate({ a: Array.from({ length: 1000 }, () => object) });
  assert.ok(errors.length > 10_000);
  assert.ok(count() < 100_000, `${count()} times`);
});

test('an object whose unchanged items lack many fields is let through without wording each time what they lack', () => {
  const required = Array.from({ length: 10_000 }, (_, index) => `p${index}`);
  const { object, count } = countingObject();
  const schema = within({
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['k'],
    items: { type: 'object', required, properties: { k: { type: 'integer' } } },
  });
  const items = Array.from({ length: 1000 }, (_, k) => Object.assign(k === 500 ? object : {}, { k }));
  assert.deepEqual(allSteps(new ValueValidator(schema).validateUpdate({ a: items, b: 1 }, { a: items })), []);
  assert.ok(count() < 100, `${count()} times`);
});

test('a list is compared with a few alternatives until that takes too long', () => {
  const items = Array.from({ length: 40_000 }, () => 'x');
  const schema = (count: number): JSONSchemaProps =>
    within({ type: 'array', allOf: Array.from({ length: count }, () => ({ items: { maxLength: 5 } })) });
  assert.deepEqual(new ValueValidator(schema(5)).validate({ a: items }), []);
  assert.throws(() => new ValueValidator(schema(10)).validate({ a: items }), /limit is 300000 values to compare with alternatives/);
});

test('objects are compared with those of an enumeration, unless they are larger than all of it', () => {
  const validate = new ValueValidator(within({ type: 'object', enum: [{ a: 1 }, { b: { c: 2 } }] }));
  const isListed = (a: unknown): boolean => validate.validate({ a }).length === 0;
  assert.deepEqual([{ a: 1 }, { b: { c: 2 } }, { b: { c: 3 } }, {}, { a: 1, b: { c: 2 } }].map(isListed), [
    true,
    true,
    false,
    false,
    false,
  ]);
  assert.equal(amountOf([1, [2, 3], { a: 4 }], Infinity), 7);
  const { object, count } = countingObject();
  Object.assign(
    object,
    Array.from({ length: 1000 }, () => object),
  );
  assert.ok(amountOf(object, 50) > 50);
  assert.ok(count() < 100_000);
});
