import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RawClient } from '../../../test/support/raw-client.ts';
import type { RunningApiServer } from '../../index.ts';
import { startApiServer } from '../../index.ts';
import { createMemoryStorage } from '../../storage/drivers/memory/memory-storage.ts';

const path = '/api/v1/namespaces/default/configmaps';
const unread = '?ignoreStoreReadErrorWithClusterBreakingPotential=true';
const key = '/registry/configmaps/default/broken';

interface Status {
  readonly reason?: string;
  readonly message?: string;
  readonly details?: { readonly causes?: readonly { readonly field?: string }[] };
}

class World implements AsyncDisposable {
  readonly storage = createMemoryStorage();
  #server: RunningApiServer | undefined;
  #admin: RawClient | undefined;
  #user: RawClient | undefined;

  async #serve(features: Readonly<Record<string, boolean>> = {}): Promise<RunningApiServer> {
    const server = (this.#server = await startApiServer({ storage: this.storage, controllers: false, authorization: 'RBAC', features }));
    this.#admin = new RawClient(server);
    return server;
  }

  async restart(): Promise<void> {
    await this.#admin?.[Symbol.asyncDispose]();
    await this.#server?.stop();
    await this.#serve();
  }

  async start(features: Readonly<Record<string, boolean>> = {}): Promise<void> {
    const server = await this.#serve(features);
    this.#user = new RawClient({ ...server, admin: server.issueClientCertificate('croc') });
    const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'delete'] }];
    await this.call('POST', '/apis/rbac.authorization.k8s.io/v1/clusterroles', { metadata: { name: 'croc' }, rules });
    const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'croc' }];
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'croc' };
    await this.call('POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', { metadata: { name: 'croc' }, roleRef, subjects });
    await this.call('POST', path, { metadata: { name: 'broken', finalizers: ['example.com/stays'] } });
    await this.call('POST', path, { metadata: { name: 'sound' } });
    const { kv } = await this.storage.get(key);
    assert.ok(kv);
    await this.storage.transact([{ type: 'put', key, value: kv.value.subarray(0, 20) }]);
  }

  async call(method: string, at: string, body?: unknown, as: 'admin' | 'user' = 'admin'): Promise<Status & { readonly http: number }> {
    const client = (as === 'admin' ? this.#admin : this.#user) as RawClient;
    const { status, text } = await client.call(method, at, body === undefined ? {} : { body });
    return { ...(JSON.parse(text) as Status), http: status };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#admin?.[Symbol.asyncDispose]();
    await this.#user?.[Symbol.asyncDispose]();
    await this.#server?.stop();
    await this.storage[Symbol.asyncDispose]();
  }
}

test('an object that cannot be read is named as such, alone and in lists', async () => {
  await using world = new World();
  await world.start();
  const got = await world.call('GET', `${path}/broken`);
  assert.equal(got.http, 500);
  assert.match(
    got.message ?? '',
    /^Internal error occurred: StorageError: corrupt object, Code: 7, Key: \/configmaps\/default\/broken, ResourceVersion: 0, AdditionalErrorMsg: object not decodable revision=\d+: /,
  );
  const listed = await world.call('GET', `${path}?limit=500`);
  assert.deepEqual([listed.http, listed.reason], [500, 'StorageReadError']);
  assert.match(listed.message ?? '', /^failed to read one or more configmaps from the storage: StorageError: corrupt object, /);
  assert.deepEqual(
    listed.details?.causes?.map(({ field }) => field),
    [key],
  );
  assert.equal((await world.call('DELETE', path)).reason, 'StorageReadError');
  const elsewhere = '/api/v1/namespaces/kube-system/configmaps';
  for (const selection of ['', '?labelSelector=a', '?resourceVersion=0']) {
    assert.equal((await world.call('GET', `${path}${selection}`)).reason, 'StorageReadError');
    assert.equal((await world.call('GET', `${elsewhere}${selection}`)).http, 200);
  }
  // Upstream's next server never fills its cache.
  await world.restart();
  assert.equal((await world.call('GET', `${elsewhere}?limit=500`)).http, 200);
  // No list of all and no watch pretends that the rest is all there is, in no namespace.
  for (const refusing of [
    '',
    '?resourceVersion=0',
    '?limit=5&labelSelector=a',
    '?watch=true',
    '?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true',
  ]) {
    const refused = await world.call('GET', `${elsewhere}${refusing}`);
    assert.deepEqual([refused.http, refused.reason], [429, 'TooManyRequests']);
    assert.match(
      refused.message ?? '',
      /^storage is \(re\)initializing: failed to list <unspecified>: failed to read one or more configmaps /,
    );
  }
});

test('it is deleted unread by those who may do that, whatever its finalizers, and nothing else is', async () => {
  await using world = new World();
  await world.start();
  const unreadable = await world.call('DELETE', `${path}/broken`);
  assert.deepEqual([unreadable.http, unreadable.reason], [500, 'InternalError']);
  assert.match(
    unreadable.message ?? '',
    /^Internal error occurred: StorageError: corrupt object, Code: 7, Key: \/configmaps\/default\/broken, /,
  );
  const updated = await world.call('PUT', `${path}/broken`, { metadata: { name: 'broken' } });
  assert.deepEqual([updated.http, updated.reason], [500, undefined]);
  assert.match(updated.message ?? '', /^object not decodable revision=\d+: /);
  const refused = await world.call('DELETE', `${path}/broken${unread}`, undefined, 'user');
  assert.equal(refused.http, 403);
  assert.match(
    refused.message ?? '',
    /^configmaps "broken" is forbidden: not permitted to do "unsafe-delete-ignore-read-errors", reason: /,
  );
  assert.equal((await world.call('DELETE', `${path}/sound${unread}`)).http, 409);
  assert.equal((await world.call('DELETE', `${path}/absent${unread}`)).http, 404);
  assert.equal((await world.call('DELETE', `${path}/broken${unread}&dryRun=All`)).http, 200);
  assert.equal((await world.call('GET', `${path}/broken`)).http, 500);
  const { http, ...status } = await world.call('DELETE', `${path}/broken${unread}`);
  assert.equal(http, 200);
  assert.deepEqual(status, {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { name: 'broken', kind: 'ConfigMap' },
    code: 200,
  });
  assert.equal((await world.call('GET', `${path}/broken`)).http, 404);
  assert.equal((await world.call('GET', path)).http, 200);
});

test('without the feature nothing is deleted unread', async () => {
  await using world = new World();
  await world.start({ AllowUnsafeMalformedObjectDeletion: false });
  assert.equal((await world.call('DELETE', `${path}/broken${unread}`)).http, 500);
  for (const [method, at] of [
    ['GET', `${path}/broken`],
    ['DELETE', `${path}/broken`],
    ['GET', `${path}?limit=500`],
  ] as const) {
    const { http, reason, message = '' } = await world.call(method, at);
    assert.deepEqual([http, reason], [500, undefined]);
    assert.doesNotMatch(message, /corrupt object|configmaps/);
  }
});
