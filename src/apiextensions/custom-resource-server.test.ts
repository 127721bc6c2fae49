import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAuthority } from '../base/tls/certificate.ts';
import { startApiServer } from '../index.ts';
import { createMemoryStorage } from '../storage/drivers/memory/memory-storage.ts';
import { startTestServer } from '../testing/index.ts';
import type { Answer } from '../../test/support/admin-client.ts';
import { Client } from '../../test/support/admin-client.ts';
import { startConverter, validity } from '../../test/support/converter.ts';
import { until } from '../../test/support/eventually.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const widgets = '/apis/example.com/v1/namespaces/default/widgets';

const spec = {
  type: 'object',
  required: ['size'],
  properties: {
    size: { type: 'integer', minimum: 1 },
    color: { type: 'string', default: 'blue' },
    replicas: { type: 'integer' },
    tags: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
  },
  'x-kubernetes-validations': [{ rule: "self.color != 'red' || self.size > 5", message: 'red ones are large' }],
};

function definition(changes: Readonly<Record<string, unknown>> = {}, versionChanges: Readonly<Record<string, unknown>> = {}): object {
  const status = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget', shortNames: ['wd'] },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec, status } } },
          subresources: { status: {}, scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } },
          selectableFields: [{ jsonPath: '.spec.color' }],
          additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }],
          ...versionChanges,
        },
      ],
      ...changes,
    },
  };
}

const widget = (name: string, content: object): object => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name },
  spec: content,
});

test('a resource is served when the creation of its definition has been answered', async () => {
  await using server = await startTestServer({ controllers: false });
  using client = new Client(server);
  assert.equal((await client.call('POST', definitions, definition())).status, 201);
  const created = await client.call('POST', widgets, widget('w', { size: 3, unknown: 1 }));
  assert.equal(created.status, 201);
  assert.deepEqual(created.body['spec'], { color: 'blue', size: 3 });
  assert.match(created.warning ?? '', /unknown field \\"spec.unknown\\"/);
  const { body } = await client.call('GET', `${definitions}/widgets.example.com`);
  const { conditions, acceptedNames } = body['status'] as { conditions: { type: string; status: string }[]; acceptedNames: object };
  assert.deepEqual(
    conditions.map(({ type, status }) => [type, status]),
    [
      ['NamesAccepted', 'True'],
      ['Established', 'True'],
    ],
  );
  assert.deepEqual(acceptedNames, { plural: 'widgets', singular: 'widget', shortNames: ['wd'], kind: 'Widget', listKind: 'WidgetList' });
  const list = await client.call('GET', '/apis/example.com/v1');
  assert.deepEqual(
    (list.body['resources'] as { name: string }[]).map(({ name }) => name),
    ['widgets', 'widgets/status', 'widgets/scale'],
  );
});

const refused: readonly (readonly [string, object, string])[] = [
  ['a missing field', {}, 'spec.size: Required value'],
  ['a wrong type', { size: 'x' }, 'spec.size: Invalid value: "string": spec.size in body must be of type integer: "string"'],
  ['a bound', { size: 0 }, 'spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1'],
  ['a repeated item of a set', { size: 1, tags: ['a', 'a'] }, 'spec.tags[1]: Duplicate value: "a"'],
  ['a rule', { size: 1, color: 'red' }, 'spec: Invalid value: red ones are large'],
];

test('objects are held to their schema and its rules', async (context) => {
  await using server = await startTestServer({ controllers: false });
  using client = new Client(server);
  await client.call('POST', definitions, definition());
  for (const [what, content, message] of refused) {
    await context.test(`${what} is refused`, async () => {
      const { status, body } = await client.call('POST', widgets, widget('w', content));
      assert.equal(status, 422);
      assert.match(String(body['message']), new RegExp(message.replaceAll(/[[\]().^$*+?]/g, String.raw`\$&`)));
    });
  }
});

test('status, scale and selectable fields lead where the definition says', async () => {
  await using server = await startTestServer({ controllers: false });
  using client = new Client(server);
  await client.call('POST', definitions, definition());
  await client.call('POST', widgets, { ...widget('w', { size: 3, color: 'green' }), status: { replicas: 9 } });
  await client.call('POST', widgets, widget('v', { size: 3 }));
  const merge = 'application/merge-patch+json';
  const status = await client.call('PATCH', `${widgets}/w/status`, { status: { replicas: 2 }, spec: { size: 99 } }, merge);
  assert.deepEqual([status.body['spec'], status.body['status']], [{ color: 'green', size: 3 }, { replicas: 2 }]);
  assert.equal((await client.call('GET', `${widgets}/w/scale`)).status, 500);
  const scaled = await client.call('PATCH', `${widgets}/w/scale`, { spec: { replicas: 4 } }, merge);
  assert.deepEqual([scaled.body['spec'], scaled.body['status']], [{ replicas: 4 }, { replicas: 2 }]);
  const found = await client.call('GET', `${widgets}?fieldSelector=spec.color%3Dgreen`);
  assert.deepEqual(
    (found.body['items'] as { metadata: { name: string } }[]).map(({ metadata }) => metadata.name),
    ['w'],
  );
});

test('versions show the same objects as far as their schemas know them, and a default that came later shows at once', async () => {
  await using server = await startTestServer({ controllers: false });
  using client = new Client(server);
  await client.call('POST', definitions, definition());
  await client.call('POST', widgets, widget('w', { size: 3 }));
  const narrow = { type: 'object', properties: { size: { type: 'integer' }, shape: { type: 'string', default: 'round' } } };
  const second = {
    name: 'v2',
    served: true,
    storage: false,
    schema: { openAPIV3Schema: { type: 'object', properties: { spec: narrow } } },
  };
  const wide = { ...spec, properties: { ...spec.properties, shape: { type: 'string', default: 'square' } } };
  const changes = [
    { op: 'add', path: '/spec/versions/1', value: second },
    { op: 'replace', path: '/spec/versions/0/schema/openAPIV3Schema/properties/spec', value: wide },
  ];
  const patched = await client.call('PATCH', `${definitions}/widgets.example.com`, changes, 'application/json-patch+json');
  assert.equal(patched.status, 200);
  const first = await client.call('GET', `${widgets}/w`);
  assert.deepEqual(first.body['spec'], { color: 'blue', shape: 'square', size: 3 });
  const other = await client.call('GET', `${widgets.replace('/v1/', '/v2/')}/w`);
  assert.deepEqual([other.body['apiVersion'], other.body['spec']], ['example.com/v2', { shape: 'square', size: 3 }]);
});

test('a definition waits for its instances to go, and names that it had are free again', async () => {
  await using server = await startTestServer({ controllers: false });
  using client = new Client(server);
  await client.call('POST', definitions, definition());
  await client.call('POST', widgets, widget('w', { size: 3 }));
  const other = { ...definition({ names: { plural: 'gadgets', kind: 'Widget' } }), metadata: { name: 'gadgets.example.com' } };
  await client.call('POST', definitions, other);
  assert.equal((await client.call('GET', '/apis/example.com/v1/gadgets')).status, 404);
  assert.equal((await client.call('DELETE', `${definitions}/widgets.example.com`)).status, 200);
  assert.equal((await client.call('POST', widgets, widget('x', { size: 3 }))).status, 403);
  await until('gadgets are served', async () => (await client.call('GET', '/apis/example.com/v1/gadgets')).status !== 404);
  assert.equal((await client.call('GET', `${definitions}/widgets.example.com`)).status, 404);
  assert.equal((await client.call('GET', widgets)).status, 404);
});

test('a webhook converts between versions, and objects are there again when it is', { timeout: 30_000 }, async () => {
  let isBroken = false;
  await using converter = await startConverter(() =>
    isBroken
      ? undefined
      : (object) => ({ ...object, metadata: { ...(object as { metadata: object }).metadata, labels: { by: 'webhook' } } }),
  );
  await using server = await startTestServer({ controllers: false });
  using client = new Client(server);
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
  const versions = ['v1', 'v2'].map((name) => ({ name, served: true, storage: name === 'v1', schema }));
  const webhook = { clientConfig: converter.clientConfig, conversionReviewVersions: ['v1'] };
  const defined = await client.call('POST', definitions, definition({ versions, conversion: { strategy: 'Webhook', webhook } }));
  assert.equal(defined.status, 201);
  await client.call('POST', widgets, widget('w', { size: 3 }));
  const second = widgets.replace('/v1/', '/v2/');
  const { body } = await client.call('GET', `${second}/w`);
  assert.equal(body['apiVersion'], 'example.com/v2');
  assert.deepEqual((body['metadata'] as { labels: object }).labels, { by: 'webhook' });
  isBroken = true;
  assert.equal((await client.call('POST', widgets, widget('x', { size: 4 }))).status, 201);
  const failed = await client.call('GET', `${second}/x`);
  assert.equal(failed.status, 500);
  assert.match(
    String(failed.body['message']),
    /conversion webhook for example\.com\/v1, Kind=Widget failed: an error on the server \("broken"\)/,
  );
  isBroken = false;
  await until('the object can be read', async () => (await client.call('GET', `${second}/x`)).status === 200);
});

test('a server that is put back serves what was defined then', async () => {
  await using server = await startTestServer({ controllers: false });
  using client = new Client(server);
  const empty = server.snapshot();
  await client.call('POST', definitions, definition());
  const defined = server.snapshot();
  const settles = async (status: number): Promise<void> => {
    await until(`widgets respond with ${status}`, async () => (await client.call('GET', widgets)).status === status);
  };
  await server.reset(empty);
  await settles(404);
  await server.reset(defined);
  await settles(200);
  await using fork = await server.fork();
  using forked = new Client(fork);
  assert.equal((await forked.call('GET', widgets)).status, 200);
});

test('a definition is established when there is somebody to trust with its conversion', async () => {
  await using server = await startTestServer({ controllers: false });
  using client = new Client(server);
  const conversion = (caBundle: string): object => ({
    strategy: 'Webhook',
    webhook: { conversionReviewVersions: ['v1'], clientConfig: { url: 'https://example.com/convert', caBundle: btoa(caBundle) } },
  });
  const established = (body: Answer['body']): unknown => {
    const { conditions } = body['status'] as { conditions: { type: string; status: string; reason: string }[] };
    const { status, reason } = conditions.find(({ type }) => type === 'Established') ?? {};
    return { status, reason };
  };
  const own = `${definitions}/widgets.example.com`;
  await client.call('POST', definitions, definition({ conversion: conversion(' ') }));
  assert.deepEqual(established((await client.call('GET', own)).body), { status: 'False', reason: 'InvalidCABundle' });
  const { certificate } = createAuthority({ commonName: 'ca' }, validity);
  const patch = (caBundle: string): Promise<Answer> =>
    client.call('PATCH', own, { spec: { conversion: conversion(caBundle) } }, 'application/merge-patch+json');
  await patch(certificate);
  assert.deepEqual(established((await client.call('GET', own)).body), { status: 'True', reason: 'InitialNamesAccepted' });
  const refused = await patch('nobody');
  assert.equal(refused.status, 422);
  assert.match(
    String(refused.body['message']),
    /caBundle: Invalid value: "[^"]*": unable to load root certificates: unable to parse bytes as PEM block$/,
  );
});

const apiServices = '/apis/apiregistration.k8s.io/v1/apiservices';

async function eventually(client: Client, path: string, status: number): Promise<Answer> {
  for (;;) {
    const answer = await client.call('GET', path);
    if (answer.status === status) return answer;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

test('every group version of custom resources has an APIService, as long as it is served', { timeout: 30_000 }, async () => {
  await using server = await startTestServer();
  using client = new Client(server);
  const mine = { apiVersion: 'apiregistration.k8s.io/v1', kind: 'APIService', metadata: { name: 'v1.other.example.com' } };
  const spec = { group: 'other.example.com', version: 'v1', groupPriorityMinimum: 5, versionPriority: 5 };
  await client.call('POST', apiServices, { ...mine, spec });
  await client.call('POST', definitions, definition());
  const { body } = await eventually(client, `${apiServices}/v1.example.com`, 200);
  assert.deepEqual(body['spec'], { group: 'example.com', version: 'v1', groupPriorityMinimum: 1000, versionPriority: 100 });
  const { labels } = body['metadata'] as { labels: object };
  assert.deepEqual(labels, { 'kube-aggregator.kubernetes.io/automanaged': 'true' });
  await client.call('DELETE', `${apiServices}/v1.example.com`);
  await eventually(client, `${apiServices}/v1.example.com`, 200);
  await client.call('DELETE', `${definitions}/widgets.example.com`);
  await eventually(client, `${apiServices}/v1.example.com`, 404);
  assert.equal((await client.call('GET', `${apiServices}/v1.other.example.com`)).status, 200, 'what an administrator made stays');
  assert.equal((await client.call('GET', `${apiServices}/v1.apps`)).status, 200);
});

test('custom resources in a built-in group cannot be reached', async () => {
  await using server = await startTestServer();
  using client = new Client(server);
  const metadata = { name: 'widgets.networking.k8s.io', annotations: { 'api-approved.kubernetes.io': 'https://example.com' } };
  const created = await client.call('POST', definitions, { ...definition({ group: 'networking.k8s.io' }), metadata });
  assert.equal(created.status, 201, JSON.stringify(created.body));
  assert.equal((await client.call('GET', '/apis/networking.k8s.io/v1/namespaces/default/widgets')).status, 404);
  assert.equal((await client.call('GET', '/apis/networking.k8s.io/v1/namespaces/default/ingresses')).status, 200);
  const { resources } = (await client.call('GET', '/apis/networking.k8s.io/v1')).body as unknown as { resources: { name: string }[] };
  assert.ok(resources.some(({ name }) => name === 'ingresses') && !resources.some(({ name }) => name === 'widgets'));
});

test('a definition that somebody stored without a uid is served, and goes away when it is deleted', { timeout: 30_000 }, async () => {
  await using storage = createMemoryStorage();
  await using server = await startApiServer({ storage });
  using client = new Client(server);
  const status = { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: ['v1'] };
  const value = Buffer.from(JSON.stringify({ ...definition(), status }));
  const key = '/registry/apiextensions.k8s.io/customresourcedefinitions/widgets.example.com';
  await storage.transact([{ type: 'put', key, value, expect: 0 }]);
  await eventually(client, widgets, 200);
  await client.call('DELETE', `${definitions}/widgets.example.com`);
  await eventually(client, `${definitions}/widgets.example.com`, 404);
});

test('an object of another kind is refused in the name of that kind', async () => {
  await using server = await startTestServer();
  using client = new Client(server);
  await client.call('POST', definitions, definition());
  const { status, body } = await client.call('POST', widgets, { ...widget('one', { size: 1 }), kind: 'Other' });
  assert.equal(status, 422);
  assert.equal(body['message'], 'Other.example.com "one" is invalid: kind: Invalid value: "Other": must be Widget');
});

test('a patch of a type that custom resources do not take is told of the deprecated version all the same', async () => {
  await using server = await startTestServer();
  using client = new Client(server);
  await client.call('POST', definitions, definition({}, { deprecated: true }));
  const refused = await client.call('PATCH', `${widgets}/one`, {}, 'application/strategic-merge-patch+json');
  assert.equal(refused.status, 415);
  assert.equal(refused.warning, '299 - "example.com/v1 Widget is deprecated"');
});

test('a definition that goes away leaves the objects of a built-in kind where its own would be', { timeout: 30_000 }, async () => {
  await using server = await startTestServer({ controllers: false });
  using client = new Client(server);
  const services = '/apis/apiregistration.k8s.io/v1/apiservices';
  const before = await client.call('GET', services);
  const overlap = definition({
    group: 'apiregistration.k8s.io',
    scope: 'Cluster',
    names: { plural: 'apiservices', singular: 'customapiservice', kind: 'CustomAPIService', listKind: 'CustomAPIServiceList' },
  });
  const metadata = {
    name: 'apiservices.apiregistration.k8s.io',
    annotations: { 'api-approved.kubernetes.io': 'unapproved, testing only' },
  };
  assert.equal((await client.call('POST', definitions, { ...overlap, metadata })).status, 201);
  assert.equal((await client.call('DELETE', `${definitions}/${metadata.name}`)).status, 200);
  await eventually(client, `${definitions}/${metadata.name}`, 404);
  const uids = ({ body }: Answer): unknown[] => (body['items'] as { metadata: { uid: string } }[]).map((item) => item.metadata.uid).sort();
  assert.deepEqual(uids(await client.call('GET', services)), uids(before));
});
