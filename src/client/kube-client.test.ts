import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { ApiError } from '../index.ts';
import type { TestServer } from '../testing/index.ts';
import { startTestServer } from '../testing/index.ts';
import type { KubeObject } from './kinds.ts';
import type { KubeClient } from './kube-client.ts';

interface Widget extends KubeObject {
  spec: { size: number | bigint };
}

const definition = `
apiVersion: v1
kind: Namespace
metadata:
  name: workshop
---
apiVersion: example.com/v1
kind: Widget
metadata:
  name: first
  namespace: workshop
spec:
  size: 9007199254740993
---
# definitions may come last
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  scope: Namespaced
  names: { kind: Widget, plural: widgets, singular: widget, listKind: WidgetList }
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
                size: { type: integer, format: int64 }
`;

describe('KubeClient', () => {
  let server: TestServer;
  let client: KubeClient;
  let folder: string;

  before(async () => {
    server = await startTestServer();
    client = server.client();
    folder = await mkdtemp(join(tmpdir(), 'wheelhouse-client-'));
  });

  after(async () => {
    await server.stop();
    await rm(folder, { recursive: true });
  });

  test('creates, reads, updates, patches, lists and deletes objects of a built-in kind', async () => {
    const configMaps = client.resource('v1', 'ConfigMap', 'default');
    const created = await configMaps.create({ metadata: { name: 'a', labels: { app: 'x' } }, data: { key: 'one' } });
    assert.equal(created.data?.['key'], 'one');
    assert.equal(created.metadata.managedFields?.[0]?.manager, 'wheelhouse');
    const updated = await configMaps.update({ ...created, data: { key: 'two' } });
    assert.notEqual(updated.metadata.resourceVersion, created.metadata.resourceVersion);
    assert.equal((await configMaps.patch('a', { data: { other: '1' } })).data?.['other'], '1');
    assert.equal((await configMaps.patch('a', [{ op: 'remove', path: '/data/other' }])).data?.['other'], undefined);
    const { items } = await configMaps.list({ labelSelector: 'app=x' });
    assert.deepEqual(
      items.map(({ kind, metadata }) => `${kind}/${metadata.name}`),
      ['ConfigMap/a'],
    );
    assert.equal((await configMaps.create({ metadata: { name: 'b' } }, { dryRun: true })).metadata.name, 'b');
    assert.equal(await configMaps.find('b'), undefined);
    await configMaps.delete('a');
    assert.equal(await configMaps.find('a'), undefined);
    await assert.rejects(configMaps.get('a'), (error: ApiError) => error.code === 404 && error.reason === 'NotFound');
  });

  test('writes status and other subresources', async () => {
    const pods = client.resource('v1', 'Pod', 'default');
    const pod = await pods.create({ metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } });
    const { status } = await pods.update({ ...pod, status: { ...pod.status, phase: 'Running' } }, { subresource: 'status' });
    assert.equal(status.phase, 'Running');
    await pods.delete('p', { gracePeriodSeconds: 0 });
  });

  test('does not delete a collection for want of a name', async () => {
    await assert.rejects(client.resource('v1', 'ConfigMap', 'default').delete(''), /the name of a ConfigMap is missing/);
    await assert.rejects(async () => client.delete({ metadata: { name: 'x' } }), /without apiVersion and kind/);
  });

  test('applies whole objects, and refuses what it does not know', async () => {
    const object = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' } } as const;
    const spec = {
      replicas: 2,
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'nginx' }] } },
    };
    const deployment = await client.apply({ ...object, spec });
    assert.equal(deployment.spec.replicas, 2);
    assert.equal(deployment.spec.strategy.type, 'RollingUpdate');
    await assert.rejects(
      client.apply({ ...object, spec: { ...spec, replicas: 3 } }, { fieldManager: 'other' }),
      (error: ApiError) => error.code === 409,
    );
    const misspelt = { ...object, metadata: { name: 'web', lables: {} }, spec };
    await assert.rejects(client.create(misspelt as typeof object), /unknown field "metadata.lables"/);
    await assert.rejects(client.create({ apiVersion: 'v1', kind: 'Pood', metadata: { name: 'x' } }), /no kind Pood in v1; it has .*Pod,/);
    await client.delete(deployment);
    await client.waitFor(deployment, 'deleted');
  });

  test('watches from now on until the loop is left', async () => {
    const configMaps = client.resource('v1', 'ConfigMap', 'default');
    const seen: string[] = [];
    const stopping = new AbortController();
    const started = await configMaps.list();
    const watching = (async () => {
      for await (const { type, object } of configMaps.watch({
        resourceVersion: started.metadata.resourceVersion,
        fieldSelector: 'metadata.name=w',
        signal: stopping.signal,
      })) {
        seen.push(`${type} ${object.metadata.name}`);
        if (type === 'DELETED') break;
      }
    })();
    await configMaps.create({ metadata: { name: 'w' } });
    await configMaps.delete('w');
    await watching;
    assert.deepEqual(seen, ['ADDED w', 'DELETED w']);
  });

  test('keeps an informer up to date', { timeout: 20_000 }, async () => {
    const configMaps = client.resource('v1', 'ConfigMap', 'default');
    const informer = await configMaps.informer({ labelSelector: 'watched' });
    const arrived = Promise.withResolvers<string>();
    {
      using _ = informer.subscribe({ changed: ({ data }) => arrived.resolve(data?.['k'] ?? '') });
      await informer.synced;
      await configMaps.create({ metadata: { name: 'i', labels: { watched: '' } }, data: { k: 'v' } });
      assert.equal(await arrived.promise, 'v');
      assert.equal(informer.get('default', 'i')?.metadata.name, 'i');
    }
    await informer.stopped;
    await configMaps.delete('i');
  });

  test('waits for conditions and says what was there when it waited in vain', async () => {
    const pods = client.resource('v1', 'Pod', 'default');
    const pod = await pods.create({ metadata: { name: 'slow' }, spec: { containers: [{ name: 'c', image: 'i' }] } });
    const ready = client.waitFor(pod, 'Ready');
    await pods.patch(
      'slow',
      { status: { conditions: [{ type: 'Ready', status: 'True', lastProbeTime: null, lastTransitionTime: null }] } },
      { subresource: 'status' },
    );
    assert.equal((await ready)?.metadata.name, 'slow');
    await assert.rejects(
      pods.waitFor('slow', 'Initialized', { timeoutMs: 20 }),
      /Pod slow was not Initialized after 0.02 s; its conditions are Ready=True/,
    );
    await assert.rejects(
      pods.waitFor('none', (object) => object !== undefined, { timeoutMs: 20 }),
      /there is no such object/,
    );
    await pods.delete('slow', { gracePeriodSeconds: 0 });
  });

  test('applies manifests from files, definitions first, and keeps large integers', async () => {
    const file = join(folder, 'all.yaml');
    await writeFile(file, definition);
    const applied = await client.applyFiles(folder);
    assert.deepEqual(
      applied.map(({ kind }) => kind),
      ['Namespace', 'CustomResourceDefinition', 'Widget'],
    );
    const widget = await client.resource<Widget>('example.com/v1', 'Widget', 'workshop').get('first');
    assert.equal(widget.spec.size, 9007199254740993n);
    await writeFile(join(folder, 'bad.yaml'), 'a: 1\n---\nkind: X\n');
    await assert.rejects(client.applyFiles(join(folder, 'bad.yaml')), /bad.yaml, document 1: apiVersion or kind is missing/);
    await rm(join(folder, 'bad.yaml'));
  });

  test('speaks as another user, who has only the rights of that user', async () => {
    const tenant = server.client({ name: 'alice', groups: ['tenants'] });
    const secrets = tenant.resource('v1', 'Secret', 'default');
    await assert.rejects(secrets.list(), (error: ApiError) => error.code === 403 && /User "alice" cannot list/.test(error.message));
    const review = await tenant.create({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview', metadata: {} });
    assert.deepEqual(review.status.userInfo?.groups, ['tenants', 'system:authenticated']);
    const stranger = server.client({ name: 'system:anonymous', groups: ['system:unauthenticated'] });
    assert.equal((await stranger.fetch('/api/v1/nodes')).status, 403);
  });

  test('fetch() goes straight into the server, streams, and is cut off by its signal', async () => {
    const response = await client.fetch('https://anything.example/api/v1/namespaces?limit=1', { headers: { accept: 'application/yaml' } });
    assert.equal(response.headers.get('content-type'), 'application/yaml');
    assert.match(await response.text(), /^apiVersion: v1\nitems:/);
    const made = await client.fetch('/api/v1/namespaces/default/configmaps', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ metadata: { name: 'fetched' } }),
    });
    assert.equal(made.status, 201);
    const stopping = new AbortController();
    const watch = await client.fetch('/api/v1/namespaces/default/configmaps?watch=1&fieldSelector=metadata.name%3Dfetched', {
      signal: stopping.signal,
    });
    const reader = watch.body?.getReader();
    const { value } = (await reader?.read()) ?? {};
    assert.match(Buffer.from(value ?? []).toString(), /"type":"ADDED"/);
    stopping.abort();
    assert.equal((await reader?.read())?.done, true);
    await assert.rejects(client.fetch('/api', { signal: AbortSignal.abort() }), { name: 'AbortError' });
  });

  test('writeKubeconfig() writes a file for its owner alone', async () => {
    const file = await server.writeKubeconfig(join(folder, 'kubeconfig'));
    assert.equal(await readFile(file, 'utf8'), server.kubeconfig);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
  });
});
