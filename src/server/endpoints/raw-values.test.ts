import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { encodeEnvelope } from '../../machinery/codec/protobuf/envelope.ts';
import type { TestServer } from '../../testing/index.ts';
import { startTestServer } from '../../testing/index.ts';
import { RawClient } from '../../../test/support/raw-client.ts';

const contentType = 'application/vnd.kubernetes.protobuf';
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

/** one field of a message whose value is bytes or another message */
function field(number: number, value: Buffer | string): Buffer {
  const bytes = Buffer.from(value);
  const length = bytes.length < 128 ? [bytes.length] : [(bytes.length & 127) | 128, bytes.length >> 7];
  return Buffer.concat([Buffer.of((number << 3) | 2, ...length), bytes]);
}

const path = '/apis/apps/v1/namespaces/default/controllerrevisions';
function revision(name: string, raw: string): Buffer {
  const message = Buffer.concat([field(1, field(1, name)), field(2, field(1, raw))]);
  return encodeEnvelope(message, { apiVersion: 'apps/v1', kind: 'ControllerRevision' });
}

for (const [index, raw] of ['', '"', '{', '[', '1z', 'z'].entries()) {
  test(`a request with ${JSON.stringify(raw)} where any JSON may stand gets no response, and the server lives on`, async () => {
    const body = revision(`r${index}`, raw);
    await assert.rejects(client.call('POST', path, { body, headers: { 'content-type': contentType } }));
    assert.equal((await client.call('GET', '/healthz')).text, 'ok');
  });
}

test('JSON of any kind is taken', async () => {
  const { status } = await client.call('POST', path, { body: revision('sound', '{"a":[1]}'), headers: { 'content-type': contentType } });
  assert.equal(status, 201);
});

for (const [index, fields] of ['{"f:metadata":{}}{"more":1}', 'z', ''].entries()) {
  test(`managed fields of ${JSON.stringify(fields)} are dropped`, async () => {
    const entry = Buffer.concat([field(1, 'me'), field(2, 'Update'), field(3, 'v1'), field(6, 'FieldsV1'), field(7, field(1, fields))]);
    const metadata = Buffer.concat([field(1, `m${index}`), field(17, entry).subarray(1)]);
    // the number of managedFields takes two bytes
    const tagged = Buffer.concat([
      metadata.subarray(0, field(1, `m${index}`).length),
      Buffer.of(0x8a, 0x01),
      metadata.subarray(field(1, `m${index}`).length),
    ]);
    const body = encodeEnvelope(Buffer.concat([field(1, tagged), field(2, Buffer.concat([field(1, 'k'), field(2, 'v')]))]), {
      apiVersion: 'v1',
      kind: 'ConfigMap',
    });
    const answer = await client.call('POST', '/api/v1/namespaces/default/configmaps', { body, headers: { 'content-type': contentType } });
    assert.equal(answer.status, 201, answer.text);
    const { metadata: made } = await client.json<{ metadata: { managedFields: { manager: string }[] } }>(
      'GET',
      `/api/v1/namespaces/default/configmaps/m${index}`,
    );
    assert.deepEqual(
      made.managedFields.filter(({ manager }) => manager === 'me'),
      [],
    );
  });
}
