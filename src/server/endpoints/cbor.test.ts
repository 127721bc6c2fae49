import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { isSelfDescribed } from '../../machinery/codec/cbor/codec.ts';
import type { TestServer } from '../../testing/index.ts';
import { startTestServer } from '../../testing/index.ts';
import type { RawAnswer, RawRequest } from '../../../test/support/raw-client.ts';
import { RawClient } from '../../../test/support/raw-client.ts';
import { createCodecs } from '../object/create-codecs.ts';

const { cbor } = createCodecs();
const configMaps = '/api/v1/namespaces/default/configmaps';
const widgets = '/apis/example.com/v1/widgets';
const accept = 'application/cbor';

type Json = Record<string, unknown>;

function read({ bytes, headers }: RawAnswer, type = accept): Json {
  assert.equal(headers['content-type'], type);
  assert.equal(isSelfDescribed(bytes), true);
  return cbor.decodeUnstructured(bytes).object;
}

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Cluster',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } } },
        },
        subresources: { scale: { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' } },
      },
    ],
  },
};

describe('with CBORServingAndStorage', () => {
  let server: TestServer;
  let client: RawClient;

  before(async () => {
    server = await startTestServer({ controllers: false, features: { CBORServingAndStorage: true } });
    client = new RawClient(server);
    await client.call('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body: definition });
  });

  after(async () => {
    await client[Symbol.asyncDispose]();
    await server.stop();
  });

  const call = (method: string, path: string, body?: Json, headers: RawRequest['headers'] = {}): Promise<RawAnswer> =>
    client.call(method, path, {
      ...(body !== undefined && { body: cbor.encodeUnstructured(body) }),
      headers: { accept, ...(body !== undefined && { 'content-type': accept }), ...headers },
    });

  for (const [path, kind, apiVersion] of [
    [configMaps, 'ConfigMap', 'v1'],
    [widgets, 'Widget', 'example.com/v1'],
  ] as const) {
    const named = (name: string): Json => ({ apiVersion, kind, metadata: { name } });
    const applied = { 'content-type': 'application/apply-patch+cbor' };

    test(`a ${kind} is created, read, listed, replaced and deleted in CBOR`, async () => {
      const made = await call('POST', path, named('a'));
      assert.equal(made.status, 201);
      const { metadata } = read(made);
      const got = read(await call('GET', `${path}/a`));
      assert.deepEqual(got['metadata'], metadata);
      const put = await call('PUT', `${path}/a`, { ...got, metadata: { ...(metadata as Json), labels: { b: 'c' } } });
      assert.deepEqual((read(put)['metadata'] as Json)['labels'], { b: 'c' });
      const { items } = read(await call('GET', `${path}?labelSelector=b`));
      assert.equal((items as Json[]).length, 1);
      const options = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid: (metadata as Json)['uid'] } };
      assert.equal(read(await call('DELETE', `${path}/a`, options))['status'], 'Success');
    });

    test(`a ${kind} is applied in CBOR`, async () => {
      const answer = await call('PATCH', `${path}/applied?fieldManager=me`, named('applied'), applied);
      assert.equal(answer.status, 201);
      assert.equal((read(answer)['metadata'] as Json)['name'], 'applied');
    });

    test(`a list of ${kind}s in CBOR, which is written item by item, reads as the same list in JSON`, async () => {
      for (let index = 0; index < 30; index++) await call('POST', path, named(`listed-${index}`));
      for (const as of ['', ';as=PartialObjectMetadataList;v=v1;g=meta.k8s.io']) {
        const { resourceVersion } = read(await call('GET', path))['metadata'] as { resourceVersion: string };
        const same = `${path}?resourceVersion=${resourceVersion}&resourceVersionMatch=Exact`;
        const { text } = await client.call('GET', same, { headers: { accept: `application/json${as}` } });
        const answer = await call('GET', same, undefined, { accept: accept + as });
        assert.deepEqual(cbor.decodeUnstructured(answer.bytes).object, JSON.parse(text));
      }
    });

    test(`what is no CBOR cannot be applied to a ${kind}`, async () => {
      const answer = await client.call('PATCH', `${path}/bad?fieldManager=me`, { body: '{}', headers: { ...applied, accept } });
      assert.equal(answer.status, 400);
      assert.match(String(read(answer)['message']), /^error decoding patch: /);
    });

    test(`a watch of a ${kind} is a sequence of events`, async () => {
      const answer = await call('GET', `${path}?watch=1&timeoutSeconds=1&resourceVersion=0&fieldSelector=metadata.name%3Dapplied`);
      assert.equal(answer.headers['content-type'], 'application/cbor-seq');
      const { type, object } = cbor.decodeUnstructured(answer.bytes).object as { type: string; object: Json };
      assert.deepEqual([type, object['kind']], ['ADDED', kind]);
    });
  }

  test('a Scale of a custom resource is read and written in CBOR', async () => {
    const scale = `${widgets}/scaled/scale`;
    await call('POST', widgets, { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'scaled' }, spec: { n: 1 } });
    const { metadata } = read(await call('GET', scale));
    const wanted = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata, spec: { replicas: 5 } };
    assert.deepEqual(read(await call('PUT', scale, wanted))['spec'], { replicas: 5 });
  });

  test('the order of keys is not always the same', async () => {
    const forms = new Set<string>();
    for (let n = 0; n < 40 && forms.size < 2; n++) forms.add((await call('GET', '/api/v1/namespaces/default')).bytes.toString('hex'));
    assert.equal(forms.size, 2);
  });

  const aggregated = 'application/cbor;v=v2;g=apidiscovery.k8s.io;as=APIGroupDiscoveryList';
  for (const [path, wanted, status, type] of [
    ['/api', accept, 200, accept],
    ['/apis/apps', accept, 200, accept],
    ['/apis', aggregated, 200, 'application/cbor;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'],
    ['/api/v1/namespaces?timeout=invalid', accept, 400, accept],
    [`${configMaps}/none`, accept, 404, accept],
    ['/statusz', 'application/cbor;v=v1beta1;g=config.k8s.io;as=Statusz', 200, 'application/cbor;g=config.k8s.io;v=v1beta1;as=Statusz'],
  ] as const) {
    test(`${path} is CBOR for ${wanted}`, async () => {
      const answer = await call('GET', path, undefined, { accept: wanted });
      assert.equal(answer.status, status);
      read(answer, type);
    });
  }
});

test('without CBORServingAndStorage CBOR is neither taken nor given', async () => {
  const server = await startTestServer({ controllers: false });
  const client = new RawClient(server);
  const body = cbor.encodeUnstructured({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } });
  const statuses = [
    await client.call('POST', configMaps, { body, headers: { 'content-type': accept } }),
    await client.call('PATCH', `${configMaps}/a`, { body, headers: { 'content-type': 'application/apply-patch+cbor' } }),
    await client.call('GET', configMaps, { headers: { accept } }),
  ].map(({ status }) => status);
  assert.deepEqual(statuses, [415, 415, 406]);
  await client[Symbol.asyncDispose]();
  await server.stop();
});
