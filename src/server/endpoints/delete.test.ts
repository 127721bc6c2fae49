import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { TestServer } from '../../testing/index.ts';
import { startTestServer } from '../../testing/index.ts';
import { RawClient } from '../../../test/support/raw-client.ts';
import { turnsOf } from '../../../test/support/turns.ts';

interface Answer {
  readonly kind: string;
  readonly status?: string;
  readonly code?: number;
  readonly message?: string;
  readonly details?: { uid?: string };
  readonly metadata: { uid: string; deletionTimestamp?: string; finalizers?: string[] };
  readonly items?: unknown[];
}

const path = '/api/v1/namespaces/default/configmaps';
let server: TestServer;
let client: RawClient;

before(async () => {
  server = await startTestServer({ controllers: false });
  client = new RawClient(server);
});

// Hooks outside of a suite would run for the tests of every other file too.
describe('delete', () => {
  beforeEach(() => server.reset());

  after(async () => {
    await client[Symbol.asyncDispose]();
    await server.stop();
  });

  const create = (name: string, finalizers: string[] = []): Promise<Answer> =>
    client.json<Answer>('POST', path, { body: { metadata: { name, finalizers, labels: { here: 'yes' } } } });
  const remove = (name: string, body?: unknown, query = ''): Promise<Answer> =>
    client.json<Answer>('DELETE', `${path}/${name}${query}`, body === undefined ? {} : { body });

  test('a delete answers with a Status that names what is gone', async () => {
    const { metadata } = await create('a');
    const answer = await remove('a');
    assert.equal(answer.status, 'Success');
    assert.equal(answer.details?.uid, metadata.uid);
    assert.equal((await client.call('GET', `${path}/a`)).status, 404);
  });

  test('an object with a finalizer stays until the finalizer is gone', async () => {
    await create('a', ['example.com/wait']);
    const answer = await remove('a');
    assert.equal(answer.kind, 'ConfigMap');
    assert.ok(answer.metadata.deletionTimestamp);
    await client.call('PATCH', `${path}/a`, {
      body: { metadata: { finalizers: null } },
      headers: { 'content-type': 'application/merge-patch+json' },
    });
    assert.equal((await client.call('GET', `${path}/a`)).status, 404);
  });

  test('deleting again what waits for a finalizer writes nothing', async () => {
    await create('a', ['example.com/wait']);
    const first = await remove('a');
    const again = await remove('a');
    assert.deepEqual(again, first);
  });

  test('a precondition that does not hold is a conflict', async () => {
    await create('a');
    const answer = await remove('a', { kind: 'DeleteOptions', apiVersion: 'v1', preconditions: { uid: 'another' } });
    assert.equal(answer.code, 409);
    assert.match(answer.message ?? '', /the UID in the precondition \(another\) does not match/);
  });

  test('options that are none delete nothing', async () => {
    await create('a');
    const scheme = 'in scheme "pkg/runtime/scheme.go:111"';
    for (const [body, message] of [
      [{ apiVersion: 'a/b/c' }, 'unexpected GroupVersion string: a/b/c'],
      [{ kind: 'Odd' }, `no kind "Odd" is registered for version "meta.k8s.io/v1" ${scheme}`],
      [{ kind: 'Odd', apiVersion: '/v1' }, `no kind "Odd" is registered for version "v1" ${scheme}`],
      [{ kind: 5 }, "couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct field .kind of type string"],
    ] as const) {
      const { code, message: said } = await remove('a', body);
      assert.deepEqual([code, said], [400, message]);
    }
    assert.equal((await client.call('GET', `${path}/a`)).status, 200);
  });

  test('propagation puts its finalizer on the object', async () => {
    await create('a');
    assert.deepEqual((await remove('a', { propagationPolicy: 'Orphan' })).metadata.finalizers, ['orphan']);
    await create('b');
    assert.deepEqual((await remove('b', undefined, '?propagationPolicy=Foreground')).metadata.finalizers, ['foregroundDeletion']);
  });

  describe('admission is asked', () => {
    const pods = '/api/v1/namespaces/default/pods';
    const asked = async (): Promise<number> => {
      const { text } = await client.call('GET', '/metrics');
      const sample =
        /^apiserver_admission_step_admission_duration_seconds_count\{operation="DELETE",rejected="false",type="validate"\} (\d+)/m;
      return Number(sample.exec(text)?.[1] ?? 0);
    };
    const askedFor = async (action: () => Promise<unknown>): Promise<number> => {
      const before = await asked();
      await action();
      return (await asked()) - before;
    };
    const createPod = (name: string, spec: object = {}): Promise<Answer> =>
      client.json<Answer>('POST', pods, { body: { metadata: { name }, spec: { containers: [{ name: 'c', image: 'i' }], ...spec } } });
    beforeEach(() => client.call('POST', '/api/v1/namespaces/default/serviceaccounts', { body: { metadata: { name: 'default' } } }));
    const removePod = (name: string, body: object): Promise<Answer> => client.json<Answer>('DELETE', `${pods}/${name}`, { body });

    test('once about what goes at once', async () => {
      await create('a');
      assert.equal(await askedFor(() => remove('a')), 1);
    });

    test('once about a Pod that stays for its grace period, and twice when it goes', async () => {
      await createPod('a', { nodeName: 'n' });
      assert.equal(await askedFor(() => removePod('a', {})), 1);
      assert.equal(await askedFor(() => removePod('a', { gracePeriodSeconds: 0 })), 2);
    });

    test('twice about a Pod without a node, once in a dry run', async () => {
      await createPod('a');
      assert.equal(await askedFor(() => removePod('a', { dryRun: ['All'] })), 1);
      assert.equal(await askedFor(() => removePod('a', {})), 2);
    });

    test('twice about an object whose only finalizers the options remove', async () => {
      await create('a', ['orphan']);
      assert.equal(await askedFor(() => remove('a', { propagationPolicy: 'Background' })), 2);
      assert.equal((await client.call('GET', `${path}/a`)).status, 404);
    });
  });

  test('a dry run deletes nothing', async () => {
    await create('a');
    assert.equal((await remove('a', undefined, '?dryRun=All')).status, 'Success');
    assert.equal((await client.call('GET', `${path}/a`)).status, 200);
  });

  const badOptions: readonly (readonly [body: unknown, code: number, message: RegExp])[] = [
    [[], 400, /^couldn't get version\/kind; json parse error: json: cannot unmarshal array/],
    ['{', 400, /unexpected end of JSON input|EOF/],
    [{ kind: 'Pod', apiVersion: 'v1' }, 400, /DeleteOptions|Pod/],
    [{ propagationPolicy: 'Maybe' }, 422, /propagationPolicy/],
  ];

  for (const [body, code, message] of badOptions) {
    test(`options like ${JSON.stringify(body)} are refused with ${code}`, async () => {
      await create('a');
      const answer = await remove('a', body);
      assert.equal(answer.code, code);
      assert.match(answer.message ?? '', message);
    });
  }

  test('a collection is deleted as its selector says, and shown as it was', async () => {
    await create('a');
    await create('b');
    const answer = await client.json<Answer>('DELETE', `${path}?labelSelector=here%3Dyes`);
    assert.equal(answer.kind, 'ConfigMapList');
    assert.equal(answer.items?.length, 2);
    assert.deepEqual((await client.json<Answer>('GET', `${path}?labelSelector=here`)).items, []);
  });

  test('a dry run for a collection lets others through between its objects', async (context) => {
    for (let index = 0; index < 100; index++) await create(`n${index}`);
    const { result, turns } = await turnsOf(context, () => client.json<Answer>('DELETE', `${path}?dryRun=All&labelSelector=here`));
    assert.equal(result.items?.length, 100);
    assert.ok(turns > 100, `${turns} turns of the event loop for 100 objects`);
  });
});
