import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSchema } from '../../schema/index.ts';
import { connectOptions } from './connect-options.ts';

const schema = createSchema();

function options(kind: string, query: string, path = ''): object {
  const type = schema.typeOf({ group: '', version: 'v1', kind });
  assert.ok(type !== undefined);
  return connectOptions({ type, kind, apiVersion: 'v1' }, new URLSearchParams(query), path);
}

test('a query becomes the options that admission sees', () => {
  assert.deepEqual(options('PodExecOptions', 'command=ls&command=-l&container=c&tty=true&stdin=false&other=x'), {
    kind: 'PodExecOptions',
    apiVersion: 'v1',
    tty: true,
    container: 'c',
    command: ['ls', '-l'],
  });
  assert.deepEqual(options('PodExecOptions', ''), { kind: 'PodExecOptions', apiVersion: 'v1', command: null });
  assert.deepEqual(options('PodPortForwardOptions', 'ports=80&ports=81'), {
    kind: 'PodPortForwardOptions',
    apiVersion: 'v1',
    ports: [80, 81],
  });
});

test('what stands behind a proxy in the path is the path that it is asked for', () => {
  assert.deepEqual(options('ServiceProxyOptions', '', 'a/b'), { kind: 'ServiceProxyOptions', apiVersion: 'v1', path: 'a/b' });
});
