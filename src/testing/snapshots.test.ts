import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { RawClient } from '../../test/support/raw-client.ts';
import { restoreBackup, verifyBackup } from '../storage/drivers/embedded/restore-backup.ts';
import type { TestServer, TestServerOptions } from './index.ts';
import { startTestServer } from './index.ts';
import { until } from '../../test/support/eventually.ts';

const root = await mkdtemp(join(tmpdir(), 'wheelhouse-snapshots-'));
after(() => rm(root, { recursive: true }));

const api = '/wheelhouse/v1';
const configMaps = '/api/v1/namespaces/default/configmaps';
const services = '/api/v1/namespaces/default/services';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const things = '/apis/example.com/v1/namespaces/default/things';
const bindings = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';
const wheelhouse = { backup: true, snapshots: true };
const named = (name: string, more: object = {}): object => ({ metadata: { name }, ...more });
const definition = named('things.example.com', {
  spec: {
    group: 'example.com',
    names: { plural: 'things', kind: 'Thing' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
});
const service = (name: string): object =>
  named(name, { spec: { type: 'NodePort', clusterIP: '10.0.0.77', ports: [{ port: 80, nodePort: 30777 }] } });

async function withClient(options: TestServerOptions, use: (client: RawClient, server: TestServer) => Promise<void>): Promise<void> {
  await using server = await startTestServer({ wheelhouse, ...options });
  await using client = new RawClient(server);
  await use(client, server);
}

async function must(client: RawClient, method: string, path: string, body?: object, status = method === 'POST' ? 201 : 200): Promise<void> {
  const answer = await client.call(method, path, { ...(body && { body }) });
  assert.equal(answer.status, status, answer.text);
}

async function snapshot(client: RawClient): Promise<string> {
  return (await client.json<{ id: string }>('POST', `${api}/snapshot`)).id;
}

const restore = (client: RawClient, id: string): Promise<void> => must(client, 'POST', `${api}/restore`, { id }, 200);

const places = {
  memory: async (): Promise<TestServerOptions> => ({ storage: 'memory' }),
  directory: async (): Promise<TestServerOptions> => ({ storage: { directory: await mkdtemp(join(root, 's-')) } }),
};

for (const [place, options] of Object.entries(places)) {
  describe(`a server in ${place}`, () => {
    test('goes back to a snapshot: objects, custom resources, roles and allocations', async () => {
      await withClient(await options(), async (client) => {
        await must(client, 'POST', configMaps, named('kept', { data: { a: 'before' } }));
        await must(client, 'POST', definitions, definition);
        await must(client, 'POST', things, named('kept', { apiVersion: 'example.com/v1', kind: 'Thing' }));
        const id = await snapshot(client);
        for (let round = 0; round < 2; round++) {
          await must(client, 'PUT', `${configMaps}/kept`, named('kept', { data: { a: 'after' } }));
          await must(client, 'POST', configMaps, named('new'));
          await must(client, 'POST', services, service('one'));
          await must(client, 'POST', bindings, {
            ...named('tenants'),
            roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
            subjects: [{ kind: 'Group', name: 'system:unauthenticated', apiGroup: 'rbac.authorization.k8s.io' }],
          });
          assert.equal((await client.call('GET', configMaps, { as: 'nobody' })).status, 200);
          await must(client, 'DELETE', `${definitions}/things.example.com`);
          await until('things are gone', async () => (await client.call('GET', things)).status === 404);
          await restore(client, id);
          const kept = await client.json<{ data: object }>('GET', `${configMaps}/kept`);
          assert.deepEqual(kept.data, { a: 'before' });
          assert.equal((await client.call('GET', `${configMaps}/new`)).status, 404);
          assert.equal((await client.call('GET', configMaps, { as: 'nobody' })).status, 403);
          assert.equal((await client.call('GET', `${things}/kept`)).status, 200);
        }
        await must(client, 'POST', services, service('one'));
        assert.equal((await client.call('POST', services, { body: service('two') })).status, 422);
      });
    });

    test('reset goes back to the start, service accounts and all, as often as wanted', async () => {
      await withClient(await options(), async (client) => {
        const pod = named('p', { spec: { containers: [{ name: 'c', image: 'i' }] } });
        for (let round = 0; round < 3; round++) {
          await must(client, 'POST', '/api/v1/namespaces/default/pods', pod);
          await must(client, 'POST', '/api/v1/namespaces', named('other'));
          await must(client, 'POST', `${api}/reset`, undefined, 200);
          assert.equal((await client.call('GET', '/api/v1/namespaces/other')).status, 404);
        }
      });
    });

    test('watches see a restore as one write, with resourceVersions that grow', async () => {
      await withClient(await options(), async (client) => {
        await must(client, 'POST', configMaps, named('a', { data: { a: 'before' } }));
        const id = await snapshot(client);
        await must(client, 'PUT', `${configMaps}/a`, named('a', { data: { a: 'after' } }));
        await must(client, 'POST', configMaps, named('b'));
        const { metadata } = await client.json<{ metadata: { resourceVersion: string } }>('GET', configMaps);
        const after = Number(metadata.resourceVersion);
        const watched = client.call('GET', `${configMaps}?watch=1&resourceVersion=${after}`, { until: '"DELETED"' });
        await restore(client, id);
        await must(client, 'POST', configMaps, named('c'));
        const events = (await watched).text.split('\n').filter((line) => line !== '');
        const seen = events.map((line) => JSON.parse(line) as { type: string; object: { metadata: Record<string, string> } });
        assert.deepEqual(seen.map(({ type, object }) => `${type} ${object.metadata['name']}`).toSorted(), ['DELETED b', 'MODIFIED a']);
        assert.ok(seen.every(({ object }) => Number(object.metadata['resourceVersion']) > after));
      });
    });

    test('a backup is taken over the API, and another server starts from it', async () => {
      await withClient(await options(), async (client) => {
        for (let i = 0; i < 40; i++) void client.call('POST', configMaps, { body: named(`m-${i}`, { data: { a: 'x'.repeat(2000) } }) });
        await must(client, 'POST', configMaps, named('before'));
        const { status, headers, bytes } = await client.call('GET', `${api}/backup`);
        assert.equal(status, 200);
        assert.equal(headers['content-type'], 'application/octet-stream');
        await must(client, 'POST', configMaps, named('later'));
        const [file, directory] = [join(root, `${place}.backup`), join(root, `${place}-restored`)];
        await writeFile(file, bytes);
        assert.equal((await verifyBackup(file)).prefix, '/registry');
        await restoreBackup({ file, directory });
        await withClient({ storage: { directory } }, async (restored) => {
          const { text } = await client.call('GET', `${configMaps}/before`);
          assert.equal((await restored.call('GET', `${configMaps}/before`)).text, text);
          assert.equal((await restored.call('GET', `${configMaps}/later`)).status, 404);
          const { metadata } = await restored.json<{ metadata: { resourceVersion: string } }>('GET', configMaps);
          assert.ok(Number(metadata.resourceVersion) > 1_000_000_000);
          const old = await restored.call('GET', `${configMaps}?watch=1&resourceVersion=50`, { until: '}\n' });
          assert.match(old.text, /"code":410/);
        });
      });
    });
  });
}

test('nothing is served below /wheelhouse unless it was asked for, and each part by itself', async () => {
  await withClient({ wheelhouse: {} }, async (client) => {
    for (const name of ['snapshot', 'restore', 'reset']) assert.equal((await client.call('POST', `${api}/${name}`)).status, 404);
    assert.equal((await client.call('GET', `${api}/backup`)).status, 404);
    assert.ok(!(await client.call('GET', '/')).text.includes('wheelhouse'));
  });
  await withClient({ wheelhouse: { backup: true } }, async (client) => {
    assert.equal((await client.call('POST', `${api}/reset`)).status, 404);
    assert.equal((await client.call('GET', `${api}/backup`)).status, 200);
  });
});

test('only those may use it who are allowed to, and nothing is lost otherwise', async () => {
  await withClient({}, async (client, server) => {
    await must(client, 'POST', configMaps, named('a'));
    const tenant = server.issueClientCertificate('tenant', ['tenants']);
    await using other = new RawClient({ ...server, admin: tenant });
    const id = await snapshot(client);
    for (const [method, name] of [
      ['POST', 'snapshot'],
      ['POST', 'restore'],
      ['POST', 'reset'],
      ['GET', 'backup'],
    ] as const) {
      for (const [who, user] of [
        [other, 'tenant'],
        [client, 'system:anonymous'],
      ] as const) {
        const answer = await who.call(method, `${api}/${name}`, { as: who === client ? 'nobody' : 'admin', body: { id } });
        assert.equal(answer.status, 403);
        const { message } = JSON.parse(answer.text) as { message: string };
        assert.equal(message, `forbidden: User "${user}" cannot ${method.toLowerCase()} path "${api}/${name}"`);
      }
    }
    await must(client, 'GET', `${configMaps}/a`);
  });
});

test('what cannot be restored is refused by a Status that says why', async () => {
  await withClient({}, async (client) => {
    await must(client, 'POST', configMaps, named('a'));
    const own = await snapshot(client);
    const cases: [string, string, unknown, number, RegExp][] = [
      ['POST', 'restore', { id: 'abcdef-1' }, 404, /^snapshot "abcdef-1" is not known: it was taken by another server/],
      ['POST', 'restore', { id: own.replace(/\d+$/, '999') }, 404, /only the last 1000 are kept, and 256 MiB of what has changed since$/],
      ['POST', 'restore', {}, 400, /^the body has no id of a snapshot/],
      ['POST', 'restore', 'nonsense', 400, /^the body is not JSON/],
      ['POST', 'restore', '[1]', 400, /^the body has no id/],
      ['POST', 'restore', 'x'.repeat(5000), 413, /larger than 4096 bytes/],
      ['GET', 'restore', undefined, 405, /supports POST and not GET/],
      ['POST', 'backup', undefined, 405, /supports GET and not POST/],
    ];
    for (const [method, name, body, status, expected] of cases) {
      const answer = await client.call(method, `${api}/${name}`, { ...(body !== undefined && { body }) });
      assert.equal(answer.status, status, answer.text);
      const { kind, message } = JSON.parse(answer.text) as { kind: string; message: string };
      assert.equal(kind, 'Status');
      assert.match(message, expected);
    }
    await must(client, 'GET', `${configMaps}/a`);
  });
});

test('a restore of thousands of objects is seen by watches as what is different, once and before later writes', async () => {
  await using server = await startTestServer({ controllers: false });
  const maps = server.client().resource('v1', 'ConfigMap', 'default');
  const names = Array.from({ length: 1500 }, (_, i) => `m-${String(i).padStart(4, '0')}`);
  await Promise.all(names.map((name) => maps.create({ metadata: { name }, data: { at: 'start' } })));
  const start = server.snapshot();
  await Promise.all(names.map((name) => maps.patch(name, { data: { at: 'later' } })));
  await maps.delete('m-0003');
  await maps.create({ metadata: { name: 'n' } });
  const ending = new AbortController();
  const watched = async (resourceVersion: string | undefined): Promise<string[]> => {
    const seen: string[] = [];
    const signal = ending.signal;
    for await (const { type, object } of maps.watch({ ...(resourceVersion !== undefined && { resourceVersion }), signal })) {
      seen.push(`${type} ${object.metadata.name} ${object.data?.['at']}`);
      if (object.metadata.name === 'z') break;
    }
    return seen;
  };
  const before = watched((await maps.list()).metadata?.resourceVersion);
  await server.restore(start);
  const { items, metadata } = await maps.list();
  const ours = items.filter(({ metadata: { name } }) => name?.startsWith('m-'));
  assert.deepEqual(
    ours.map(({ metadata: { name }, data }) => `${name} ${data?.['at']}`),
    names.map((name) => `${name} start`),
  );
  assert.deepEqual(new Set(ours.map(({ metadata: { resourceVersion } }) => resourceVersion)).size, 1);
  const afterwards = watched(metadata?.resourceVersion);
  await maps.patch('m-0000', { data: { at: 'end' } });
  await maps.create({ metadata: { name: 'z' } });
  const later = ['MODIFIED m-0000 end', 'ADDED z undefined'];
  const difference = names.map((name) => `${name === 'm-0003' ? 'ADDED' : 'MODIFIED'} ${name} start`);
  assert.deepEqual(await before, [...difference, 'DELETED n undefined', ...later]);
  assert.deepEqual(await afterwards, later);
  ending.abort();
});

test('restores at the same time and among writes end in a state that was asked for', async () => {
  await withClient(await places.directory(), async (client) => {
    await must(client, 'POST', configMaps, named('one'));
    const first = await snapshot(client);
    await must(client, 'POST', configMaps, named('two'));
    const second = await snapshot(client);
    const writes = Array.from({ length: 100 }, (_, i) => client.call('POST', configMaps, { body: named(`w-${i}`) }));
    await Promise.all([...writes, restore(client, first), restore(client, second), restore(client, first)]);
    await restore(client, second);
    const { items } = await client.json<{ items: { metadata: { name: string } }[] }>('GET', configMaps);
    const names = items.map(({ metadata }) => metadata.name).filter((name) => name !== 'kube-root-ca.crt');
    assert.deepEqual(names, ['one', 'two']);
  });
});

test('a server in a directory goes on from it, forks into memory and knows no snapshots of before', async () => {
  const options = await places.directory();
  let id = '';
  await withClient(options, async (client, server) => {
    await must(client, 'POST', configMaps, named('a'));
    id = await snapshot(client);
    await using fork = await server.fork();
    await using forked = new RawClient(fork);
    await must(forked, 'DELETE', `${configMaps}/a`);
    await must(client, 'GET', `${configMaps}/a`);
  });
  await withClient(options, async (client) => {
    await must(client, 'GET', `${configMaps}/a`);
    assert.equal((await client.call('POST', `${api}/restore`, { body: { id } })).status, 404);
  });
});
