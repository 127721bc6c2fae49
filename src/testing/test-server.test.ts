import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import type { RunningApiServer } from '../index.ts';
import { startTestServer } from './index.ts';
import { until } from '../../test/support/eventually.ts';

/** One request as the admin, or without credentials. */
async function call(
  server: RunningApiServer,
  method: string,
  path: string,
  body?: unknown,
  as: 'admin' | 'nobody' = 'admin',
): Promise<{ status: number; body: string }> {
  const credentials = as === 'admin' ? { cert: server.admin.certificate, key: server.admin.key } : {};
  const agent = new Agent({ ca: server.authority.certificate, ...credentials });
  try {
    return await new Promise((resolve, reject) => {
      const outgoing = request(new URL(path, server.url), { method, agent, headers: { 'content-type': 'application/json' } }, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part: string) => (text += part));
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: text })).on('error', reject);
      });
      outgoing.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
    });
  } finally {
    agent.destroy();
  }
}

const configMaps = '/api/v1/namespaces/default/configmaps';
const configMap = (name: string): unknown => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { a: 'b' } });
const names = async (server: RunningApiServer): Promise<string[]> => {
  const { body } = await call(server, 'GET', configMaps);
  return (JSON.parse(body) as { items: { metadata: { name: string } }[] }).items.map(({ metadata }) => metadata.name);
};

test('startTestServer() serves the admin of its kubeconfig, and nobody else', async () => {
  await using server = await startTestServer();
  assert.equal((await call(server, 'GET', '/readyz', undefined, 'nobody')).body, 'ok');
  assert.equal((await call(server, 'GET', '/api/v1/namespaces', undefined, 'nobody')).status, 403);
  assert.equal((await call(server, 'POST', configMaps, configMap('one'))).status, 201);
  assert.ok((await names(server)).includes('one'));
  assert.match(server.kubeconfig, new RegExp(`server: ${server.url}`));
});

test('startTestServer() takes a pod at once, and lets its namespace go', { timeout: 30_000 }, async () => {
  await using server = await startTestServer();
  const pod = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  assert.equal((await call(server, 'POST', '/api/v1/namespaces/default/pods', pod)).status, 201);
  assert.equal((await call(server, 'POST', '/api/v1/namespaces', { metadata: { name: 'gone' } })).status, 201);
  assert.equal((await call(server, 'DELETE', '/api/v1/namespaces/gone')).status, 200);
  await until('the namespace is gone', async () => (await call(server, 'GET', '/api/v1/namespaces/gone')).status === 404);
});

test('startTestServer() has no option for a store', async () => {
  await assert.rejects(startTestServer({ storge: 'memory' } as never), { message: /^there is no option storge; there are / });
});

test('fork() copies the state and the two servers go their own ways', async () => {
  await using server = await startTestServer();
  await call(server, 'POST', configMaps, configMap('before'));
  await using copy = await server.fork();
  await call(copy, 'POST', configMaps, configMap('in-copy'));
  assert.ok((await names(copy)).includes('before'));
  assert.ok((await names(copy)).includes('in-copy'));
  assert.ok(!(await names(server)).includes('in-copy'));
});

test('reset() goes back to the start', async () => {
  await using server = await startTestServer();
  const before = await names(server);
  await call(server, 'POST', configMaps, configMap('gone'));
  await server.reset();
  assert.deepEqual(await names(server), before);
  assert.equal((await call(server, 'POST', configMaps, configMap('gone'))).status, 201);
});

test('twenty servers fit in one process', async () => {
  const servers = await Promise.all(Array.from({ length: 20 }, () => startTestServer({ controllers: false })));
  const answers = await Promise.all(servers.map((server) => call(server, 'GET', '/healthz')));
  assert.ok(answers.every(({ body }) => body === 'ok'));
  await Promise.all(servers.map((server) => server.stop()));
});

test('stop() leaves nothing that keeps the process alive', { timeout: 60_000 }, async () => {
  const script = `
    import { startTestServer } from ${JSON.stringify(join(import.meta.dirname, 'index.ts'))};
    // Pipes to the process that started this one.
    const before = process.getActiveResourcesInfo().join(' ');
    const server = await startTestServer();
    await server.client().resource('v1', 'ConfigMap', 'default').create({ metadata: { name: 'a' } });
    await server.stop();
    await new Promise(setImmediate);
    const after = process.getActiveResourcesInfo().join(' ');
    console.log(after === before ? 'nothing' : after + ' instead of ' + before);`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
  assert.equal(stdout, 'nothing\n');
});
