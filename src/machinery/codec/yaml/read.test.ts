import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DecodeError } from '../decode-error.ts';
import { createJsonCodec } from '../json/codec.ts';
import { writeSorted } from '../json/write.ts';
import { createYamlCodec } from './codec.ts';
import { readYaml } from './read.ts';

const values: readonly (readonly [text: string, value: unknown])[] = [
  ['a: yes\nb: Off\nc: y\nd: N\ne: "yes"', { a: true, b: false, c: true, d: false, e: 'yes' }],
  ['a: 0644\nb: 0o17\nc: 0x1f\nd: 0b11\ne: 1_000\nf: 08', { a: 420, b: 15, c: 31, d: 3, e: 1000, f: 8 }],
  ['a: .5\nb: 1e3\nc: 1.0\nd: 18446744073709551615', { a: 0.5, b: 1000, c: 1, d: 18446744073709551615n }],
  ['a: 2020-01-01\nb: 2020-01-01T10:00:00Z', { a: '2020-01-01', b: '2020-01-01T10:00:00Z' }],
  ['a: ~\nb:\nc: null', { a: null, b: null, c: null }],
  ['1: a\ntrue: b\n2.5: c', { 1: 'a', true: 'b', '2.5': 'c' }],
  ['a: &x {b: 1, c: 2}\nd:\n  <<: *x\n  c: 3', { a: { b: 1, c: 2 }, d: { b: 1, c: 3 } }],
  ['a: 1\n---\nb: 2', { a: 1 }],
  ['a: b\n---\n@', { a: 'b' }],
  ['', null],
  ['a: !!str 1\nb: !!float 1\nc: !custom 1\nd: !!binary aGk=', { a: '1', b: 1, c: '1', d: 'hi' }],
];

for (const [text, value] of values) {
  test(`readYaml() reads ${JSON.stringify(text)} by YAML 1.1 rules`, () => {
    assert.deepEqual(readYaml(text).value, value);
  });
}

test('readYaml() takes the last of a key given twice and names the line', () => {
  assert.deepEqual(readYaml('a: 1\nb: 2\na: 3'), { value: { a: 3, b: 2 }, duplicates: ['line 3: key "a" already set in map'] });
});

const refused: readonly (readonly [text: string, message: string])[] = [
  ['a: b: c', 'yaml: mapping values are not allowed in this context'],
  ['a: 1\n\tb: 2\n', 'yaml: line 2: found a tab character that violates indentation'],
  ['a:\n\tb: 2\n', 'yaml: line 2: found character that cannot start any token'],
  ['a: @x', 'yaml: found character that cannot start any token'],
  ['a: "x', 'yaml: found unexpected end of stream'],
  ['a: [1', `yaml: line 1: did not find expected ',' or ']'`],
  ['{a: 1', `yaml: line 1: did not find expected ',' or '}'`],
  ['key: - a', 'yaml: block sequence entries are not allowed in this context'],
  ['a: *x', `yaml: unknown anchor 'x' referenced`],
  ['a: &a [*a]', `yaml: anchor 'a' value contains itself`],
  ['<<: [1]', 'yaml: map merge requires map or sequence of maps as the value'],
  ['a: !!int x', 'yaml: cannot decode !!str `x` as a !!int'],
  ['a: .inf', 'json: unsupported value: +Inf'],
  ['[a]: b', 'yaml: invalid map key: []interface {}{"a"}'],
  ['x: ' + '['.repeat(10_001), 'yaml: exceeded max depth of 10000'],
];

for (const [text, message] of refused) {
  test(`readYaml() refuses ${JSON.stringify(text.slice(0, 40))} with ${message}`, () => {
    assert.throws(() => readYaml(text), new DecodeError(message));
  });
}

test('readYaml() stops aliases that multiply', () => {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
  for (let level = 1; level < 9; level++)
    lines.push(
      `a${level}: &a${level} [${Array(10)
        .fill(`*a${level - 1}`)
        .join(', ')}]`,
    );
  assert.throws(() => readYaml(lines.join('\n')), new DecodeError('yaml: document contains excessive aliasing'));
});

test('keys that come again are told with their lines, however many', { timeout: 20_000 }, () => {
  const { duplicates } = readYaml('a: 1\n'.repeat(40_000));
  assert.equal(duplicates.length, 39_999);
  assert.equal(duplicates.at(-1), 'line 40000: key "a" already set in map');
});

for (const [what, text] of [
  ['items', '- a\n'.repeat(200_000)],
  ['lines', '- a\n'.repeat(700_000)],
  ['aliases', `a: &a [${'1,'.repeat(1000)}]\nb:\n${'- *a\n'.repeat(200)}`],
  ['commas', `[${'1,'.repeat(300_000)}1]`],
] as const) {
  test(`more ${what} than YAML may have are refused`, () => assert.throws(() => readYaml(text), /limit is 100000 nodes of YAML/));
}

test('where a document ends is found without going through its blank lines again and again', { timeout: 20_000 }, () => {
  assert.throws(() => readYaml(`${'\n'.repeat(300_000)}---\n{`), /^DecodeError: yaml: /);
});

test('JSON reads the same as YAML and as JSON', () => {
  const codec = createYamlCodec(createJsonCodec());
  for (const text of [
    '{"a":1,"b":["c",{"d":null}],"e":"\\n\\"x\\\\"}',
    '{\n  "a": {"b": true}\n}',
    '{"a":1.5}',
    '{"a":12345678901234567890}',
    '{"a":"\\u00e9\\ud83d\\ude00"}',
    '{"a":"\\/"}',
    '{"<<":{"a":1}}',
    '{"é":"\u00a0ü"}',
    '{"1":1,"__proto__":{"x":1}}',
  ]) {
    const asYaml = readYaml(text).value;
    assert.deepEqual(
      codec.decodeUnstructured(text, 'strict').object,
      createJsonCodec().decodeUnstructured(writeSorted(asYaml), 'strict').object,
      text,
    );
  }
  assert.deepEqual(codec.decodeUnstructured('{"a":1,"a":2}', 'strict').strictErrors, [
    'yaml: unmarshal errors:\n  line 1: key "a" already set in map',
  ]);
  assert.throws(() => codec.decodeUnstructured('{"a":"\u0007"}', 'strict'));
});
