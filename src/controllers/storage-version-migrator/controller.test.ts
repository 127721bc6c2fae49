import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Kind, KubeClient } from '../../index.ts';
import type { TestServer } from '../../testing/index.ts';
import { startTestServer } from '../../testing/index.ts';
import { eventually } from '../../../test/support/eventually.ts';

type Migration = Kind<'storagemigration.k8s.io/v1', 'StorageVersionMigration'>;

describe('storage-version-migrator-controller', { timeout: 60_000 }, () => {
  let server: TestServer;
  let client: KubeClient;

  before(async () => {
    server = await startTestServer({ controllers: ['storage-version-migrator-controller'] });
    client = server.client();
  });

  after(() => server.stop());

  const migrations = () => client.resource('storagemigration.k8s.io/v1', 'StorageVersionMigration');
  const start = (name: string, group: string, resource: string): Promise<Migration> =>
    migrations().create({ metadata: { name }, spec: { resource: { group, resource } } } as Migration);
  const condition = (migration: Migration | undefined, type: string) => migration?.status?.conditions?.find((one) => one.type === type);
  const isOver = (migration: Migration | undefined): boolean => condition(migration, 'Running')?.status === 'False';

  test('writes custom resources in the version that is stored today, and the definition says so', async () => {
    const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
    const version = (name: string, storage: boolean): object => ({ name, served: true, storage, schema });
    const definitions = client.resource('apiextensions.k8s.io/v1', 'CustomResourceDefinition');
    const names = { plural: 'widgets', kind: 'Widget' };
    const spec = { group: 'example.com', scope: 'Namespaced', names, versions: [version('v1', true), version('v2', false)] };
    await definitions.create({ metadata: { name: 'widgets.example.com' }, spec } as never);
    const widgets = client.resource('example.com/v1', 'Widget', 'default');
    const made = await eventually('widgets are served', () =>
      widgets.create({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a' } }).catch(() => undefined),
    );
    await definitions.patch('widgets.example.com', { spec: { versions: [version('v1', false), version('v2', true)] } });
    await definitions.waitFor('widgets.example.com', (one) => one?.status?.storedVersions?.length === 2);
    await start('widgets', 'example.com', 'widgets');
    const over = await migrations().waitFor('widgets', isOver);
    assert.equal(condition(over, 'Succeeded')?.message, 'Migration completed');
    const definition = await definitions.waitFor('widgets.example.com', (one) => one?.status?.storedVersions?.length === 1);
    assert.deepEqual(definition?.status?.storedVersions, ['v2']);
    assert.notEqual((await widgets.get('a')).metadata.resourceVersion, made.metadata.resourceVersion);
  });

  test('of several migrations of a resource one runs at a time, the oldest first', async () => {
    for (const name of ['first', 'second', 'third']) await start(name, 'node.k8s.io', 'runtimeclasses');
    for (const name of ['first', 'second', 'third']) {
      const over = await migrations().waitFor(name, isOver);
      assert.equal(condition(over, 'Succeeded')?.status, 'True');
    }
  });

  test('fails for what cannot be written', async () => {
    await start('unwritable', '', 'componentstatuses');
    const over = await migrations().waitFor('unwritable', isOver);
    assert.equal(
      condition(over, 'Failed')?.message,
      'resource "/v1, Resource=componentstatuses" does not support discovery operations: [update patch list]',
    );
  });
});
