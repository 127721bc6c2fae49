import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JsonPathBudget, JsonPathError, parseJsonPath } from './jsonpath.ts';

const object = {
  spec: {
    a: 1,
    'b.c': 'dotted',
    ports: [
      { name: 'http', port: 80 },
      { name: 'https', port: 443 },
    ],
    empty: null,
  },
  status: {
    conditions: [
      { type: 'Ready', status: 'True' },
      { type: 'Synced', status: 'False' },
    ],
  },
};

const found: readonly (readonly [string, readonly unknown[]])[] = [
  ['.spec.a', [1]],
  ['.spec.missing.deeper', []],
  ['.spec.b\\.c', ['dotted']],
  [".spec['ports'][0].name", ['http']],
  ['.spec.ports[-1].port', [443]],
  ['.spec.ports[*].name', ['http', 'https']],
  ['.spec.ports[0:1].name', ['http']],
  ['.spec.ports[0,1].port', [80, 443]],
  ['.status.conditions[?(@.type=="Ready")].status', ['True']],
  ['.status.conditions[?(@.type == "Synced")].status', ['False']],
  ['.spec.ports[?(@.port>100)].name', ['https']],
  ['.spec.ports[?(@.name)].port', [80, 443]],
  ['.spec.empty', [null]],
  ['..port', [80, 443]],
];

for (const [path, expected] of found) {
  test(`the path ${path} leads to ${JSON.stringify(expected)}`, () => {
    assert.deepEqual(parseJsonPath(path).find(object), expected);
  });
}

for (const path of ['.spec.ports[x]', '.spec.ports[0', '.spec[?(@.a', '.a....b', '.a ^']) {
  test(`the path ${path} is refused`, () => {
    assert.throws(() => parseJsonPath(path), JsonPathError);
  });
}

test('an index beyond the end is an error and not nothing', () => {
  assert.throws(() => parseJsonPath('.spec.ports[5]').find(object), /array index out of bounds: index 5, length 2/);
});

test('a character that no path has is described as Go does', () => {
  assert.throws(() => parseJsonPath('{.a}'), /unrecognized character in action: U\+007B '\{'/);
});

for (const path of ['..a..a', '.list[*]', '.text.*', '.list[?(@==1)]', '.list[0,0,0,0]']) {
  test(`the path ${path} is not followed when it looks at more than it may`, () => {
    const list = Array.from({ length: 1000 }, () => 1);
    let deep: object = {};
    for (let depth = 0; depth < 100; depth++) deep = { a: deep };
    const value = { list, text: 'x'.repeat(1000), deep };
    assert.throws(() => parseJsonPath(path).find(value, new JsonPathBudget(path.includes(',') ? 6 : 800)), /too many values to look at/);
    assert.ok(parseJsonPath(path).find(value).length > 0);
  });
}
