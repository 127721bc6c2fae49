import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../base/clock.ts';
import { createAuthority } from '../../base/tls/certificate.ts';
import { startApiServer } from '../../index.ts';
import { createMemoryStorage } from '../../storage/drivers/memory/memory-storage.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { RawClient } from '../../../test/support/raw-client.ts';
import { combine, dataOf } from './cluster-authentication.ts';

const day = 24 * 3600 * 1000;
const now = Date.now();
const authority = (commonName: string, ends = now + day): string =>
  createAuthority({ commonName }, { from: new Date(now - day), to: new Date(ends) })
    .certificate.trimEnd()
    .concat('\n');
const [ours, theirs] = [authority('ours'), authority('theirs')];
const frontProxy = {
  authorities: ours,
  allowedNames: ['front-proxy-client'],
  usernameHeaders: ['X-Remote-User'],
  uidHeaders: [],
  groupHeaders: ['X-Remote-Group'],
  extraHeaderPrefixes: ['X-Remote-Extra-'],
};

test('a server without authorities publishes nothing', () => {
  assert.deepEqual(combine({}, dataOf({ clientAuthorities: '' }), now), {});
});

test('a server publishes whom it trusts, and how others may speak for a user', () => {
  assert.deepEqual(combine({}, dataOf({ clientAuthorities: ours, frontProxy }), now), {
    'client-ca-file': ours,
    'requestheader-allowed-names': '["front-proxy-client"]',
    'requestheader-client-ca-file': ours,
    'requestheader-extra-headers-prefix': '["X-Remote-Extra-"]',
    'requestheader-group-headers': '["X-Remote-Group"]',
    'requestheader-username-headers': '["X-Remote-User"]',
  });
});

test('what another server has published stays, and ours is added once', () => {
  const published = { 'client-ca-file': theirs, 'requestheader-allowed-names': '["other","front-proxy-client"]' };
  const combined = combine(published, dataOf({ clientAuthorities: ours, frontProxy }), now);
  assert.equal(combined['client-ca-file'], theirs + ours);
  assert.equal(combined['requestheader-allowed-names'], '["other","front-proxy-client"]');
  assert.deepEqual(combine(combined, dataOf({ clientAuthorities: ours, frontProxy }), now), combined);
});

test('an authority that has ended is left out', () => {
  const ended = authority('ended', now - day / 2);
  assert.equal(combine({ 'client-ca-file': ended }, { 'client-ca-file': ours }, now)['client-ca-file'], ours);
});

test('keys of others go, and names without an authority for front proxies too', () => {
  const published = { own: 'yes', 'requestheader-allowed-names': '["other"]', 'client-ca-file': theirs };
  assert.deepEqual(combine(published, dataOf({ clientAuthorities: ours }), now), { 'client-ca-file': theirs + ours });
});

test('what is not what its key says is not written over', () => {
  const own = dataOf({ clientAuthorities: ours, frontProxy });
  assert.throws(() => combine({ 'client-ca-file': 'own' }, own, now), /client-ca-file has no certificate/);
  assert.throws(() => combine({ 'requestheader-allowed-names': '"own"' }, own, now), /not a list of names/);
  assert.throws(() => combine({ 'requestheader-allowed-names': 'own' }, own, now), SyntaxError);
});

const path = '/api/v1/namespaces/kube-system/configmaps';
const timeout = 20_000;

test(
  'the ConfigMap comes back when it is deleted, and one that cannot be understood does not keep a server from starting',
  { timeout },
  async () => {
    await using storage = createMemoryStorage({});
    const garbage = { 'client-ca-file': 'own' };
    {
      await using server = await startApiServer({ storage, controllers: false });
      await using client = new RawClient(server);
      const at = `${path}/extension-apiserver-authentication`;
      const before = JSON.parse((await client.call('GET', at)).text) as { data: object; metadata: { uid: string } };
      assert.equal((await client.call('DELETE', at)).status, 200);
      const after = await eventually('the ConfigMap is there again', async () => {
        const { status, text } = await client.call('GET', at);
        return status === 200 ? (JSON.parse(text) as typeof before) : undefined;
      });
      assert.deepEqual(after.data, before.data);
      assert.notEqual(after.metadata.uid, before.metadata.uid);
      const headers = { 'content-type': 'application/merge-patch+json' };
      assert.equal((await client.call('PATCH', at, { body: { data: garbage }, headers })).status, 200);
    }
    await using server = await startApiServer({ storage, controllers: false });
    await using client = new RawClient(server);
    const { text } = await client.call('GET', `${path}/extension-apiserver-authentication`);
    assert.deepEqual((JSON.parse(text) as { data: object }).data, garbage);
  },
);

test('the ConfigMap of legacy tokens is made again, but not twice in half an hour', { timeout }, async () => {
  const clock = new ManualClock(Date.UTC(2026, 0, 1));
  await using storage = createMemoryStorage({ clock });
  await (await startApiServer({ storage, controllers: false, clock })).stop();
  await using server = await startApiServer({ storage, controllers: false, clock });
  await using client = new RawClient(server);
  const at = `${path}/kube-apiserver-legacy-service-account-token-tracking`;
  const there = async (): Promise<true | undefined> => ((await client.call('GET', at)).status === 200 ? true : undefined);
  assert.equal((await client.call('DELETE', at)).status, 200);
  await eventually('it is there again', there);
  const timers = clock.timers;
  assert.equal((await client.call('DELETE', at)).status, 200);
  await eventually('it will be made again later', () => Promise.resolve(clock.timers > timers ? true : undefined));
  assert.equal(await there(), undefined);
  clock.advance(30 * 60_000);
  await eventually('half an hour has passed', there);
});
