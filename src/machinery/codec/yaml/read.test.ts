import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DecodeError } from '../decode-error.ts';
import { createJsonCodec } from '../json/codec.ts';
import { writeSorted } from '../json/write.ts';
import { createYamlCodec } from './codec.ts';
import { readYaml, readingYaml } from './read.ts';

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
  const { duplicates } = readYaml('a: 1\n'.repeat(20_000));
  assert.equal(duplicates.length, 19_999);
  assert.equal(duplicates.at(-1), 'line 20000: key "a" already set in map');
});

for (const [what, text] of [
  ['items', '- a\n'.repeat(200_000)],
  ['lines', '- a\n'.repeat(700_000)],
  ['aliases', `a: &a [${'1,'.repeat(1000)}]\nb:\n${'- *a\n'.repeat(200)}`],
  ['commas', `[${'1,'.repeat(300_000)}1]`],
] as const) {
  test(`more ${what} than YAML may have are refused`, () => assert.throws(() => readYaml(text), /limit is 60000 nodes of YAML/));
}

test('where a document ends is found without going through its blank lines again and again', { timeout: 20_000 }, () => {
  assert.throws(() => readYaml(`${'\n'.repeat(150_000)}---\n{`), /^DecodeError: yaml: /);
});

test('JSON reads the same as YAML and as JSON', () => {
  const codec = createYamlCodec(createJsonCodec());
  for (const text of [
    '{"a":1,"b":["c",{"d":null}],"e":"\\n\\"x\\\\"}',
    '{\n  "a": {"b": true}\n}',
    '{"a":1.5}',
    '{"a":12345678901234567890}',
    '{"a":"\\u00e9"}',
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
  const refusesJson = (text: string, message: string): void =>
    assert.throws(() => codec.decodeUnstructured(text, 'strict'), { message }, text);
  refusesJson('{"a":"\\ud83d\\ude00"}', 'yaml: found invalid Unicode character escape code');
  refusesJson('{"a":"\\/"}', 'yaml: found unknown escape character');
  assert.deepEqual(codec.decodeUnstructured('{"a":1,"a":2}', 'strict').strictErrors, [
    'yaml: unmarshal errors:\n  line 1: key "a" already set in map',
  ]);
  assert.throws(() => codec.decodeUnstructured('{"a":"\u0007"}', 'strict'));
});

const same: readonly (readonly [yaml: string, json: string])[] = [
  ['a:\n  b: {\nc: d\n}\ne: f\n', '{"a":{"b":{"c":"d"}},"e":"f"}'],
  ['a:\n- b: [\n  1 # ]\n  ]\n- c\n', '{"a":[{"b":[1]},"c"]}'],
  ['a: "x\n  y\nz"\nb: 1\n', '{"a":"x y z","b":1}'],
  ["a: 'x\ny'\n", '{"a":"x y"}'],
  ['a: |\n  text', '{"a":"text"}'],
  ['a: |+\n  text', '{"a":"text"}'],
  ['a: >\n  text\n  more', '{"a":"text more"}'],
  ['a: |\n  text\n\n', '{"a":"text\\n"}'],
  ['a: |+\n  text\n\n', '{"a":"text\\n\\n"}'],
  ['a: >-\n x\n  y\n\n z\n', '{"a":"x\\n y\\n\\nz"}'],
  ['{"a":1} x', '{"a":1}'],
  ['{"a":1}{}', '{"a":1}'],
  ['a: b\n...\nx: {', '{"a":"b"}'],
  ['k: {a, b: , c: ~}\n', '{"k":{"a":null,"b":null,"c":null}}'],
  ['k: [a: b, ? c : d]\n', '{"k":[{"a":"b"},{"c":"d"}]}'],
  ['k: [-]\n', '{"k":["-"]}'],
  ['key:\n- a\n-\n- b\n', '{"key":["a",null,"b"]}'],
  ['a: &x {b: c}\nd: *x\n', '{"a":{"b":"c"},"d":{"b":"c"}}'],
  ['k: "a\\\n  b"\n', '{"k":"ab"}'],
  ['%TAG !e! tag:example.com,2000:\n---\nk: !e!x 1\n', '{"k":"1"}'],
  ['k: ! 12\n', '{"k":"12"}'],
  ['http://a:b\n', '"http://a:b"'],
];

test('escapes mean the same one by one and in long runs', () => {
  for (const [written, meant] of [
    ['\\x41', 'A'],
    ['\\u00e9', 'é'],
    ['\\U0001F600', '😀'],
    ['\\n\\t\\"\\\\', '\n\t"\\'],
    ['\\e\\0', '\u001b\0'],
    ['\\\\x41', '\\x41'],
    ['a\\x41b ', 'aAb '],
  ] as const) {
    for (const count of [1, 3, 5000]) {
      assert.deepEqual(readYaml(`a: "${written.repeat(count)}"`).value, { a: meant.repeat(count) }, written);
    }
  }
  assert.throws(() => readYaml(`a: "${'\\n'.repeat(5000)}\\xg0"`), /did not find expected hexdecimal number/);
  assert.throws(() => readYaml(`a: "${'\\n'.repeat(5000)}\\ud800"`), /found invalid Unicode character escape code/);
});

test('underscores in numbers count for nothing, however many there are', () => {
  assert.deepEqual(readYaml(`a: 1${'_'.repeat(2000)}2`).value, { a: 12 });
  const long = `1${'_1'.repeat(2000)}`;
  assert.deepEqual(readYaml(`a: ${long}`).value, { a: long });
});

test('what Go reads is read as Go reads it', () => {
  for (const [yaml, json] of same) assert.equal(writeSorted(readYaml(yaml).value), json, yaml);
});

const refusals: readonly (readonly [yaml: string, message: string])[] = [
  ['a: {b', `line 1: did not find expected ',' or '}'`],
  ['{"foo"\n: "bar"}\n', `line 1: did not find expected ',' or '}'`],
  ['foo: |\n \tbar\n', 'line 2: found a tab character where an indentation space is expected'],
  ['foo: 1\n\t\nbar: 2\n', 'line 2: found a tab character that violates indentation'],
  ['\t{}\n', 'found character that cannot start any token'],
  ['%YAML 1.2\n--- text\n', 'found incompatible YAML document'],
  ['%FOO bar\n---\n', 'found unknown directive name'],
  ['a: b: c\n', 'mapping values are not allowed in this context'],
  ['a: - b\n', 'block sequence entries are not allowed in this context'],
  ['a:\n- b\nc\n', `line 4: could not find expected ':'`],
  ['a: "b', 'found unexpected end of stream'],
  ['a: |0\n', 'found an indentation indicator equal to 0'],
  ['a: !x! b\n', 'did not find expected tag URI'],
  ['a: !x!y b\n', 'found undefined tag handle'],
  ['- a\nb: c\n', `line 1: did not find expected '-' indicator`],
  ['a: b\n  c: d\n', 'line 2: mapping values are not allowed in this context'],
  ['[:x]\n', 'did not find expected node content'],
];

test('what Go refuses is refused in its words', () => {
  for (const [yaml, message] of refusals) assert.throws(() => readYaml(yaml), { message: `yaml: ${message}` }, yaml);
});

test('a long text is read as a short one, and what is wrong with it is found at the same place', () => {
  const comment = `# ${'x'.repeat(100_000)}\n`;
  const outcome = (yaml: string): unknown => {
    try {
      return readYaml(yaml);
    } catch (error) {
      return (error as Error).message;
    }
  };
  for (const [yaml] of [...values, ...same, ...refused, ...refusals]) {
    assert.deepEqual(outcome(`${comment}${yaml}`), outcome(`# x\n${yaml}`), yaml.slice(0, 80));
  }
});

test('others get their turn while a long text is read, and what follows the first document is not', () => {
  const entries = Array.from({ length: 20_000 }, (_, index) => `k${index}: "\\e${index}"\n`).join('');
  let turns = 0;
  for (const steps = readingYaml(entries); !steps.next().done;) turns++;
  assert.ok(turns > 100, `${turns} turns`);
  turns = 0;
  for (const steps = readingYaml(`a: b\n---\n${entries}`); !steps.next().done;) turns++;
  assert.ok(turns < 10, `${turns} turns`);
});
