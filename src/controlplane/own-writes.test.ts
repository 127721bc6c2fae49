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

/** Gives what is written the operation as a label. */
async function markCreatedAndChanged(client: RawClient, resourceRule: object): Promise<void> {
  const name = 'mark';
  const expression = 'Object{metadata: Object.metadata{labels: {"marked": request.operation.lowerAscii()}}}';
  await create(client, `${admission}/mutatingadmissionpolicies`, {
    metadata: { name },
    spec: {
      matchConstraints: { resourceRules: [resourceRule] },
      mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression } }],
      failurePolicy: 'Fail',
      reinvocationPolicy: 'Never',
    },
  });
  await create(client, `${admission}/mutatingadmissionpolicybindings`, { metadata: { name }, spec: { policyName: name } });
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
      await markCreatedAndChanged(client, rule([''], ['configmaps'], ['*']));
      const path = '/api/v1/namespaces/kube-system/configmaps/kube-apiserver-legacy-service-account-token-tracking';
      const { data } = JSON.parse((await client.call('GET', path)).text) as { data: unknown };
      assert.equal((await client.call('PUT', path, { body: { metadata: { name: path.split('/').at(-1) }, data: {} } })).status, 200);
      await until('it is repaired and marked', async () => {
        const now = JSON.parse((await client.call('GET', path)).text) as { data?: unknown; metadata: { labels?: unknown } };
        return JSON.stringify(now.data) === JSON.stringify(data) && JSON.stringify(now.metadata.labels) === '{"marked":"update"}';
      });
    });
  });

  test('may be changed by admission, default roles among it', { timeout }, async () => {
    await using storage = createMemoryStorage({});
    const path = '/apis/rbac.authorization.k8s.io/v1/clusterroles/system:basic-user';
    interface Role {
      readonly rules: readonly object[];
      readonly metadata: { readonly labels: Record<string, string>; readonly managedFields: readonly { readonly manager: string }[] };
    }
    let before: Role | undefined;
    await withServer(storage, async (client) => {
      before = await client.json<Role>('GET', path);
      await markCreatedAndChanged(client, rule(['rbac.authorization.k8s.io'], ['clusterroles'], ['*']));
      await until('the policy is in effect', async () => {
        const metadata = { name: 'other', labels: { at: String(Date.now()) } };
        await client.call('DELETE', '/apis/rbac.authorization.k8s.io/v1/clusterroles/other');
        const { text } = await client.call('POST', '/apis/rbac.authorization.k8s.io/v1/clusterroles', { body: { metadata } });
        return text.includes('"marked":"create"');
      });
      assert.equal((await client.call('DELETE', path)).status, 200);
    });
    await withServer(storage, async (client) => {
      const { rules, metadata } = await client.json<Role>('GET', path);
      assert.deepEqual(rules, before?.rules);
      assert.deepEqual(metadata.labels, { ...before?.metadata.labels, marked: 'create' });
      assert.deepEqual(
        metadata.managedFields.map(({ manager }) => manager),
        ['kube-apiserver'],
      );
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

  test('the address of a service among it: refused, the service is; kept when its deletion is refused', { timeout }, async () => {
    await using storage = createMemoryStorage({});
    await withServer(storage, async (client) => {
      const addresses = '/apis/networking.k8s.io/v1/ipaddresses';
      const services = '/api/v1/namespaces/default/services';
      const service = (name: string, clusterIP?: string): object => ({ metadata: { name }, spec: { clusterIP, ports: [{ port: 80 }] } });
      await create(client, services, service('first', '10.0.0.77'));
      const own = "request.userInfo.username != 'system:apiserver'";
      await refuse(client, 'no-addresses', rule(['networking.k8s.io'], ['ipaddresses'], ['CREATE', 'DELETE']), own);
      for (const [clusterIP, what] of [
        ['10.0.0.78', 'IP 10.0.0.78'],
        [undefined, 'IP'],
      ] as const) {
        const { status, text } = await client.call('POST', services, { body: service('second', clusterIP) });
        assert.equal(status, 422);
        assert.match(text, new RegExp(`failed to allocate ${what}: ipaddresses.*ValidatingAdmissionPolicy 'no-addresses'`));
      }
      assert.equal((await client.call('POST', `${services}?dryRun=All`, { body: service('second') })).status, 201);
      assert.equal((await client.call('DELETE', `${services}/first`)).status, 200);
      assert.ok((await names(client, addresses)).includes('10.0.0.77'));
      assert.equal((await client.call('DELETE', `${admission}/validatingadmissionpolicybindings/no-addresses`)).status, 200);
      await create(client, services, service('second', '10.0.0.78'));
      assert.equal((await client.call('DELETE', `${services}/second`)).status, 200);
      assert.ok(!(await names(client, addresses)).includes('10.0.0.78'));
    });
  });

  test(
    'the count of a disruption budget among it: a pod stays when that is refused, and the budget says who counted',
    { timeout },
    async () => {
      await using storage = createMemoryStorage({});
      await withServer(storage, async (client) => {
        const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
        const pods = '/api/v1/namespaces/default/pods';
        await create(client, '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
        await create(client, pods, {
          metadata: { name: 'guarded', labels: { app: 'a' } },
          spec: { containers: [{ name: 'c', image: 'i' }], automountServiceAccountToken: false },
        });
        const running = { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } };
        const merge = { 'content-type': 'application/merge-patch+json' };
        assert.equal((await client.call('PATCH', `${pods}/guarded/status`, { body: running, headers: merge })).status, 200);
        await create(client, budgets, { metadata: { name: 'b' }, spec: { minAvailable: 0, selector: { matchLabels: { app: 'a' } } } });
        const allowed = {
          status: { observedGeneration: 1, disruptionsAllowed: 1, currentHealthy: 1, desiredHealthy: 0, expectedPods: 1 },
        };
        assert.equal((await client.call('PATCH', `${budgets}/b/status`, { body: allowed, headers: merge })).status, 200);
        await refuse(client, 'no-counting', rule(['policy'], ['poddisruptionbudgets/status'], ['UPDATE']), 'false');
        const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'guarded' } };
        const { status, text } = await client.call('POST', `${pods}/guarded/eviction`, { body });
        assert.equal(status, 422, text);
        assert.match(text, /ValidatingAdmissionPolicy 'no-counting'/);
        assert.equal((await client.call('GET', `${pods}/guarded`)).status, 200);
        assert.equal((await client.call('DELETE', `${admission}/validatingadmissionpolicybindings/no-counting`)).status, 200);
        // As with upstream: what is admitted is the eviction, and the deletion that comes of it is not asked about.
        await refuse(client, 'no-deletion', rule([''], ['pods', 'pods/status'], ['DELETE', 'UPDATE']), 'false');
        assert.equal((await client.call('DELETE', `${pods}/guarded`)).status, 422);
        assert.equal((await client.call('POST', `${pods}/guarded/eviction`, { body })).status, 201);
        const { metadata, status: counted } = JSON.parse((await client.call('GET', `${budgets}/b`)).text) as {
          metadata: { managedFields: { manager: string; subresource?: string }[] };
          status: { disruptionsAllowed: number; disruptedPods: object };
        };
        assert.equal(counted.disruptionsAllowed, 0);
        assert.deepEqual(Object.keys(counted.disruptedPods), ['guarded']);
        assert.ok(metadata.managedFields.some(({ manager, subresource }) => manager === 'kube-apiserver' && subresource === 'status'));
      });
    },
  );
});
