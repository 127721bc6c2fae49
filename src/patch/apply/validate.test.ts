import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Shape } from './shape.ts';
import { ShapeError, validateShape } from './validate.ts';

const numbers = { list: { atomic: true, element: { scalar: 'numeric' } } } as unknown as Shape;

function problemsOf(value: unknown): ShapeError['problems'] {
  try {
    validateShape(numbers, value, { allowDuplicates: true });
    return [];
  } catch (error) {
    assert.ok(error instanceof ShapeError);
    return error.problems;
  }
}

test('validateShape() says where each problem is', () => {
  assert.deepEqual(problemsOf([1, 'a', 2, true]), [
    { path: '[1]', message: 'expected numeric (int or float), got string' },
    { path: '[3]', message: 'expected numeric (int or float), got bool' },
  ]);
  assert.deepEqual(problemsOf([1, 2n, 0.5, null]), []);
});

test('validateShape() does not look for more problems than are read', () => {
  assert.equal(problemsOf(Array.from({ length: 300_000 }, () => 'a')).length, 10_000);
});

test('validateShape() words where an item is only when something is wrong with it', () => {
  const set = { list: { atomic: false, keys: [], sortedKeys: [], element: { scalar: 'numeric' } } } as unknown as Shape;
  assert.throws(() => validateShape(set, [1, 'a', 1], { allowDuplicates: false }), {
    message: 'errors:\n  [="a"]: expected numeric (int or float), got string\n  duplicate entries for key [=1]',
  });
  assert.throws(() => validateShape(set, [1, 'a', 1], { allowDuplicates: true }), {
    message: '[="a"]: expected numeric (int or float), got string',
  });
});
