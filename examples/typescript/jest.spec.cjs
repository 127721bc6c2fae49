const { startApiServer } = require('wheelhouse');
const { startTestServer } = require('wheelhouse/testing');
const { call } = require('./call.cjs');

let server;
beforeAll(async () => void (server = await startTestServer()));
afterAll(() => server.stop());

test('a namespace that is deleted goes away', async () => {
  await call(server, 'POST', '/api/v1/namespaces', { metadata: { name: 'team' } });
  await call(server, 'DELETE', '/api/v1/namespaces/team');
  while ((await call(server, 'GET', '/api/v1/namespaces/team')).status !== 404) await new Promise((resolve) => setTimeout(resolve, 10));
});

test('mistaken options are refused', async () => {
  await expect(startApiServer({ storge: 'memory' })).rejects.toThrow('there is no option storge');
});
