import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestServer } from 'wheelhouse/testing';
import { startTestServer } from 'wheelhouse/testing';
import { call } from './call.cjs';

let server: TestServer;
beforeAll(async () => void (server = await startTestServer()));
afterAll(() => server.stop());

test('a fork has what was there, and goes its own way', async () => {
  const path = '/api/v1/namespaces/default/configmaps';
  await call(server, 'POST', path, { metadata: { name: 'shared' } });
  const fork = await server.fork();
  await call(fork, 'DELETE', `${path}/shared`);
  expect((await call(server, 'GET', `${path}/shared`)).status).toBe(200);
  await fork.stop();
});
