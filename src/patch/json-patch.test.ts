import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { ApiError } from '../machinery/errors.ts';
import { allSteps } from '../base/steps.ts';
import { applyJsonPatch, decodeJsonPatch, runJsonPatch, unknownOperationFields } from './json-patch.ts';
import type { JsonObject } from './json/json-object.ts';

interface SuiteCase {
  readonly comment?: string;
  readonly doc: unknown;
  readonly patch: unknown;
  readonly expected?: unknown;
  readonly error?: string;
  readonly disabled?: boolean;
}

const suite = createRequire(import.meta.url);
const cases = [
  ...(suite('json-patch-test-suite/tests.json') as SuiteCase[]),
  ...(suite('json-patch-test-suite/spec_tests.json') as SuiteCase[]),
];

/** Where the library that upstream uses departs from the suite, by comment or patch. */
const quirks: ReadonlySet<string> = new Set([
  '[{"op":"add","path":"/bar/-1","value":"5"}]',
  'replacing the root of the document is possible with add',
  "missing 'value' parameter to add",
  "missing 'value' parameter to replace",
  "missing 'value' parameter to test",
]);

function run(document: unknown, patch: unknown): unknown {
  return allSteps(applyJsonPatch(document as JsonObject, decodeJsonPatch(patch, { typed: false }))).value;
}

test('JSON patch passes the json-patch-test-suite, but for what upstream does otherwise', () => {
  const surprises: string[] = [];
  let passed = 0;
  for (const item of cases) {
    if (item.disabled === true || typeof item.doc !== 'object' || item.doc === null) continue;
    const name = item.comment ?? JSON.stringify(item.patch);
    if (quirks.has(name)) continue;
    try {
      const result = run(item.doc, item.patch);
      if ('expected' in item) assert.deepEqual(result, item.expected, name);
      else if ('error' in item) surprises.push(`${name}: applied, though ${item.error}: ${JSON.stringify(item.patch)}`);
      passed++;
    } catch (error) {
      if (!('error' in item)) surprises.push(`${name}: ${String(error)}`);
      passed++;
    }
  }
  assert.ok(passed >= 85, `${passed} cases`);
  assert.deepEqual(surprises, [], surprises.join('\n'));
});

const document = { kind: 'ConfigMap', data: { b: '1', a: '2' }, list: ['x', 'y'], metadata: { name: 'n', labels: null } };

const applying: readonly { patch: unknown; data?: unknown; list?: unknown }[] = [
  { patch: [{ op: 'add', path: '/list/-1', value: 'z' }], list: ['x', 'y', 'z'] },
  { patch: [{ op: 'remove', path: '/list/-1' }], list: ['x'] },
  { patch: [{ op: 'replace', path: '/list/-2', value: 'z' }], list: ['z', 'y'] },
  { patch: [{ op: 'replace', path: '/data/new', value: '3' }], data: { b: '1', a: '2', new: '3' } },
  { patch: [{ op: 'add', path: '/data/c' }], data: { b: '1', a: '2', c: null } },
  { patch: [{ op: 'test', path: '/data/none', value: null }], data: document.data },
  { patch: [{ op: 'add', path: 'ignored/data/c', value: '3' }], data: { b: '1', a: '2', c: '3' } },
  { patch: [{ op: 'add', path: '/data/__proto__', value: 'x' }], data: JSON.parse('{"b":"1","a":"2","__proto__":"x"}') },
];

for (const { patch, data, list } of applying) {
  test(`JSON patch ${JSON.stringify(patch)} applies as upstream does`, () => {
    const result = run(document, patch) as typeof document;
    if (data !== undefined) assert.deepEqual(result.data, data);
    if (list !== undefined) assert.deepEqual(result.list, list);
    assert.deepEqual(document.list, ['x', 'y'], 'the document is left alone');
  });
}

const failing: readonly unknown[] = [
  [{ op: 'remove', path: '/data/none' }],
  [{ op: 'add', path: '', value: {} }],
  [{ op: 'add', value: 'x' }],
  [{ path: '/data/a', value: 'x' }],
  [{ op: 'move', from: '/data', path: '/data/a' }],
  [{ op: 'add', path: '/list/9', value: 'x' }],
  [{ op: 'add', path: '/list/-9', value: 'x' }],
  [{ op: 'add', path: '/list/foo', value: 'x' }],
  [{ op: 'test', path: '/data/a', value: 'zz' }],
  [{ op: 'add', path: '/metadata/labels/a', value: 'b' }],
];

for (const patch of failing) {
  test(`JSON patch ${JSON.stringify(patch)} is answered with 422 and no more`, () => {
    assert.throws(
      () => run(document, patch),
      (error) =>
        error instanceof ApiError &&
        error.code === 422 &&
        error.status.message === 'the server rejected our request due to an error in our request',
    );
  });
}

const misformed: readonly { patch: unknown; typed: boolean; message: string }[] = [
  { patch: {}, typed: true, message: 'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp' },
  { patch: {}, typed: false, message: 'json: cannot unmarshal object into Go value of type jsonpatch.Patch' },
  { patch: ['x'], typed: true, message: 'error decoding patch: json: cannot unmarshal string into Go value of type handlers.jsonPatchOp' },
];

for (const { patch, typed, message } of misformed) {
  test(`JSON patch of the wrong form ${JSON.stringify(patch)} says ${message}`, () => {
    assert.throws(
      () => decodeJsonPatch(patch, { typed }),
      (error) => error instanceof ApiError && error.status.message === message,
    );
  });
}

test('JSON patch takes 10,000 operations and no more', () => {
  const operations = (count: number) => Array.from({ length: count }, () => ({ op: 'test', path: '/none', value: null }));
  assert.equal(decodeJsonPatch(operations(10_000), { typed: true }).length, 10_000);
  assert.throws(
    () => decodeJsonPatch(operations(10_001), { typed: true }),
    /Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001/,
  );
});

test('copying more than 3 MB in one patch is refused', () => {
  const big = { data: { a: 'x'.repeat(2 ** 20) } };
  const copies = (count: number) => Array.from({ length: count }, (_, i) => ({ op: 'copy', from: '/data/a', path: `/data/c${i}` }));
  assert.ok(run(big, copies(2)));
  assert.throws(() => run(big, copies(3)), ApiError);
});

test('a patched document quotes sorted keys where the patch went, and the old order elsewhere', () => {
  const { text } = allSteps(
    runJsonPatch({ kind: 'x', data: { b: '<', a: '1' }, spec: { z: 1, y: 2 } }, [{ op: 'add', path: '/data/0', value: {} }]),
  );
  assert.equal(text(), '{"data":{"0":{},"a":"1","b":"\\u003c"},"kind":"x","spec":{"z":1,"y":2}}');
});

test('members that no operation has are named for strict decoding', () => {
  assert.deepEqual(unknownOperationFields([{ op: 'add', path: '/a', bogus: 1 }]), ['json patch unknown field "[0].bogus"']);
});

test('thousands of moves within a long list do not each move the whole list', { timeout: 30_000 }, () => {
  const list = Array.from({ length: 200_000 }, (_, index) => index);
  const operations = Array.from({ length: 10_000 }, () => ({ op: 'move', from: '/list/0', path: `/list/${list.length - 1}` }));
  const { value } = allSteps(runJsonPatch({ list }, operations)) as { value: { list: number[] } };
  assert.deepEqual(value.list, [...list.slice(10_000), ...list.slice(0, 10_000)]);
});

test('long lists are changed as short ones are', () => {
  let state = 1;
  const random = (below: number): number => (state = (state * 48_271) % 2_147_483_647) % below;
  const list = Array.from({ length: 3000 }, (_, index): unknown => ({ index }));
  const expected = [...list];
  const operations: { [name: string]: unknown }[] = [];
  for (let round = 0; round < 5000; round++) {
    const [from, to] = [random(expected.length), random(expected.length)];
    switch (random(6)) {
      case 0:
        operations.push({ op: 'add', path: `/l/${to}`, value: round });
        expected.splice(to, 0, round);
        break;
      case 1:
        operations.push({ op: 'remove', path: `/l/${from}` });
        expected.splice(from, 1);
        break;
      case 2:
        operations.push({ op: 'replace', path: `/l/${from}`, value: -round });
        expected[from] = -round;
        break;
      case 3:
        operations.push({ op: 'copy', from: `/l/${from}`, path: `/l/-` });
        expected.push(expected[from]);
        break;
      case 4:
        operations.push({ op: 'test', path: `/l/${from}`, value: expected[from] });
        break;
      default:
        operations.push({ op: 'move', from: `/l/${from}`, path: `/l/${to}` });
        expected.splice(to, 0, ...expected.splice(from, 1));
    }
  }
  operations.push({ op: 'copy', from: '/l', path: '/m' }, { op: 'remove', path: '/l/0' }, { op: 'test', path: '/m', value: expected });
  const { value } = allSteps(runJsonPatch({ l: list }, operations));
  assert.deepEqual(value, { l: expected.slice(1), m: expected });
});

test('a long patch pauses between its operations', () => {
  const copies = Array.from({ length: 10_000 }, (_, index) => ({ op: 'copy', from: '/a', path: `/x${index}` }));
  const steps = applyJsonPatch({ a: { b: 'c' } }, copies);
  let pauses = 0;
  for (let next = steps.next(); next.done !== true; next = steps.next()) pauses++;
  assert.ok(pauses > 100, `${pauses} pauses`);
});

test('copies of copies are refused when there are too many values, however short they are, and pause before', () => {
  const copies = (count: number): JsonObject[] =>
    Array.from({ length: count }, (_, index) => ({ op: 'copy', from: '/a', path: `/a/x${index}` }));
  const document = (): JsonObject => ({ a: { l: Array.from({ length: 100 }, () => ({})) } });
  const steps = runJsonPatch(document(), copies(10));
  let count = 0;
  while (steps.next().done !== true) count++;
  assert.ok(count >= 3, `${count} steps`);
  assert.throws(() => allSteps(runJsonPatch(document(), copies(12))), { name: 'ApiError', code: 413 });
});
