import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TestServer } from '../../testing/index.ts';
import { startTestServer } from '../../testing/index.ts';
import { RawClient } from '../../../test/support/raw-client.ts';

let server: TestServer;
let client: RawClient;

before(async () => {
  server = await startTestServer({ controllers: false });
  client = new RawClient(server);
});

after(async () => {
  await client[Symbol.asyncDispose]();
  await server.stop();
});

const asked = 'v=v1beta1;g=config.k8s.io;as=Statusz';

for (const accept of ['', 'text/plain', '*/*', 'application/json;v=foo;g=config.k8s.io;as=Statusz,*/*']) {
  test(`/statusz is text for ${accept || 'those who do not say'}`, async () => {
    const { status, headers, text } = await client.call('GET', '/statusz', { headers: { accept } });
    assert.equal(status, 200);
    assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
    assert.match(text, /^\napiserver statusz\nWarning: /);
    assert.match(text, /^Started(?::|: |=| ) [A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d UTC \d{4}$/m);
    assert.match(text, /^Up(?::|: |=| ) 0 hr \d\d min \d\d sec$/m);
  });
}

test('/statusz is an object for those who name its version', async () => {
  const { headers, text } = await client.call('GET', '/statusz', { headers: { accept: `application/json;${asked}` } });
  assert.equal(headers['content-type'], 'application/json;g=config.k8s.io;v=v1beta1;as=Statusz');
  assert.equal(headers['warning'], undefined);
  const { startTime, uptimeSeconds, paths, ...rest } = JSON.parse(text) as Record<string, unknown>;
  assert.match(String(startTime), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  assert.equal(typeof uptimeSeconds, 'number');
  assert.deepEqual(paths, ['/healthz', '/livez', '/metrics', '/readyz', '/statusz', '/version']);
  assert.deepEqual(rest, {
    kind: 'Statusz',
    apiVersion: 'config.k8s.io/v1beta1',
    metadata: { name: 'apiserver' },
    goVersion: 'none',
    binaryVersion: '1.37.1',
    emulationVersion: '1.37',
  });
});

test('the old version of /statusz warns', async () => {
  const accept = `application/yaml;${asked.replace('v1beta1', 'v1alpha1')}`;
  const { headers, text } = await client.call('GET', '/statusz', { headers: { accept } });
  assert.match(text, /^apiVersion: config\.k8s\.io\/v1alpha1\n/);
  assert.equal(headers['warning'], '299 - "This version of the statusz endpoint is deprecated. Please use a newer version."');
});

for (const accept of [
  'application/json',
  'application/json;v=v1beta1;g=config.k8s.io',
  `text/plain;${asked}`,
  `application/cbor;${asked}`,
]) {
  test(`/statusz cannot be had as ${accept}`, async () => {
    const { status, text } = await client.call('GET', '/statusz', { headers: { accept } });
    assert.equal(status, 406);
    const { message } = JSON.parse(text) as { message: string };
    assert.equal(message, 'only the following media types are accepted: application/json, application/yaml, text/plain');
  });
}
