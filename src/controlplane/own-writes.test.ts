import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { until } from '../../test/support/eventually.ts';
import { RawClient } from '../../test/support/raw-client.ts';
import { startApiServer } from '../index.ts';
import { createMemoryStorage } from '../storage/drivers/memory/memory-storage.ts';
import type { Storage } from '../storage/storage.ts';

const timeout = 60_000;
const admission = '/apis/admissionregistration.k8s.io/v1';
const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

async function withServer(storage: Storage, use: (client: RawClient) => Promise<void>): Promise<void> {
  await using server = await startApiServer({ storage, controllers: false });
  await using client = new RawClient(server);
  await use(client);
}

async function create(client: RawClient, path: string, body: object): Promise<void> {
  const { status, text } = await client.call('POST', path, { body });
  assert.equal(status, 201, text);
}

const rule = (apiGroups: string[], resources: string[], operations: string[]): object => ({
  apiGroups,
  apiVersions: ['*'],
  resources,
  operations,
});

async function refuse(client: RawClient, name: string, rules: object, expression: string): Promise<void> {
  await create(client, `${admission}/validatingadmissionpolicies`, {
    metadata: { name },
    spec: { matchConstraints: { resourceRules: [rules] }, validations: [{ expression }] },
  });
  await create(client, `${admission}/validatingadmissionpolicybindings`, {
    metadata: { name },
    spec: { policyName: name, validationActions: ['Deny'] },
  });
}

/** There is none at its address: whatever it is asked about is refused. */
async function downWebhook(client: RawClient): Promise<void> {
  await create(client, `${admission}/validatingwebhookconfigurations`, {
    metadata: { name: 'down' },
    webhooks: [
      {
        name: 'down.example.com',
        rules: [rule(['*'], ['*/*'], ['*'])],
        clientConfig: { url: 'https://127.0.0.1:1/' },
        failurePolicy: 'Fail',
        sideEffects: 'None',
        timeoutSeconds: 1,
        admissionReviewVersions: ['v1'],
      },
    ],
  });
}

const names = async (client: RawClient, path: string): Promise<string[]> =>
  (JSON.parse((await client.call('GET', path)).text) as { items: { metadata: { name: string } }[] }).items.map(
    ({ metadata }) => metadata.name,
  );

async function holderOf(client: RawClient): Promise<string> {
  const { items } = JSON.parse((await client.call('GET', leases)).text) as { items: { spec: { holderIdentity: string } }[] };
  return items.map(({ spec }) => spec.holderIdentity).join();
}

describe('what the server writes by itself', () => {
  test('is admitted as what system:apiserver writes', { timeout }, async () => {
    await using storage = createMemoryStorage({});
    await withServer(storage, async (client) => {
      assert.equal((await names(client, leases)).length, 1);
      const others = "request.userInfo.username != 'system:apiserver'";
      await refuse(client, 'no-leases', rule(['coordination.k8s.io'], ['leases'], ['CREATE']), others);
    });
    await withServer(storage, async (client) => assert.deepEqual(await names(client, leases), []));
  });

  test('may be changed by admission', { timeout }, async () => {
    await using storage = createMemoryStorage({});
    await withServer(storage, async (client) => {
      const name = 'mark';
      const expression = 'Object{metadata: Object.metadata{labels: {"marked": request.operation.lowerAscii()}}}';
      await create(client, `${admission}/mutatingadmissionpolicies`, {
        metadata: { name },
        spec: {
          matchConstraints: { resourceRules: [rule([''], ['configmaps'], ['*'])] },
          mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression } }],
          failurePolicy: 'Fail',
          reinvocationPolicy: 'Never',
        },
      });
      await create(client, `${admission}/mutatingadmissionpolicybindings`, { metadata: { name }, spec: { policyName: name } });
      const path = '/api/v1/namespaces/kube-system/configmaps/kube-apiserver-legacy-service-account-token-tracking';
      const { data } = JSON.parse((await client.call('GET', path)).text) as { data: unknown };
      assert.equal((await client.call('PUT', path, { body: { metadata: { name: path.split('/').at(-1) }, data: {} } })).status, 200);
      await until('it is repaired and marked', async () => {
        const now = JSON.parse((await client.call('GET', path)).text) as { data?: unknown; metadata: { labels?: unknown } };
        return JSON.stringify(now.data) === JSON.stringify(data) && JSON.stringify(now.metadata.labels) === '{"marked":"update"}';
      });
    });
  });

  test('is refused by a webhook that is down, and the server starts all the same', { timeout }, async () => {
    await using storage = createMemoryStorage({});
    let holder = '';
    await withServer(storage, async (client) => {
      holder = await holderOf(client);
      await downWebhook(client);
      assert.equal((await client.call('POST', '/api/v1/namespaces', { body: { metadata: { name: 'a' } } })).status, 500);
    });
    await withServer(storage, async (client) => {
      assert.equal((await client.call('GET', '/readyz')).status, 200);
      // Neither the first could take it away nor this one make it its own.
      assert.equal(await holderOf(client), holder);
    });
  });

  test('is no matter of plugins of the library: a server whose plugin refuses everything starts', { timeout }, async () => {
    const others = [{ name: 'No', validate: ({ resource }: { resource: string }) => `no ${resource}` }];
    await using server = await startApiServer({ controllers: false, admission: { others } });
    await using client = new RawClient(server);
    const { status, text } = await client.call('POST', '/api/v1/namespaces', { body: { metadata: { name: 'a' } } });
    assert.equal(status, 403);
    assert.match(text, /no namespaces/);
    assert.equal((await names(client, leases)).length, 1);
  });

  test('is tried again when admission lets it through: a definition is served then', { timeout }, async () => {
    await using storage = createMemoryStorage({});
    await withServer(storage, async (client) => {
      await refuse(client, 'no-states', rule(['apiextensions.k8s.io'], ['customresourcedefinitions/status'], ['UPDATE']), 'false');
      await create(client, definitions, {
        metadata: { name: 'things.example.com' },
        spec: {
          group: 'example.com',
          scope: 'Cluster',
          names: { plural: 'things', kind: 'Thing' },
          versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
        },
      });
      assert.equal((await client.call('GET', '/apis/example.com/v1/things')).status, 404);
      assert.equal((await client.call('DELETE', `${admission}/validatingadmissionpolicybindings/no-states`)).status, 200);
      await until('it is served', async () => (await client.call('GET', '/apis/example.com/v1/things')).status === 200);
    });
  });
});
