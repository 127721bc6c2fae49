import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSchema } from '../../schema/index.ts';
import { atomicPaths } from './atomics.ts';
import { Shapes } from './shape.ts';

const podType = createSchema().typeOf({ group: '', version: 'v1', kind: 'Pod' });

test('what would be replaced as a whole is found by its path', () => {
  assert.ok(podType !== undefined);
  const shape = new Shapes().of(podType);
  const container = { name: 'c', args: ['a'], ports: [{ containerPort: 80 }] };
  const config = { metadata: { labels: { a: 'b' } }, spec: { containers: [container], nodeSelector: { a: 'b' } } };
  assert.deepEqual(atomicPaths(shape, config), ['.spec.containers[0].args', '.spec.nodeSelector']);
});
