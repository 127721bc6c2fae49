import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { admissionServer } from '../../../test/support/admission-server.ts';
import type { TestRemote } from '../../../test/support/webhook-remote.ts';
import { testRemote } from '../../../test/support/webhook-remote.ts';

interface Review {
  readonly request: {
    readonly uid: string;
    readonly kind: object;
    readonly name: string;
    readonly namespace: string;
    readonly operation: string;
    readonly subResource?: string;
    readonly userInfo: { readonly username: string };
    readonly object: { readonly data?: object } | null;
    readonly oldObject: { readonly data?: object } | null;
    readonly dryRun: boolean;
  };
}

const configurations = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
const configMaps = '/api/v1/namespaces/default/configmaps';
const configMap = (name: string, more: object = {}): object => ({ metadata: { name, ...more } });
const everyWrite = { apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps', 'namespaces'] };

const envelope = (review: Review, response: object): object => ({
  apiVersion: 'admission.k8s.io/v1',
  kind: 'AdmissionReview',
  response: { uid: review.request.uid, ...response },
});
const respond =
  (response: object) =>
  (review: Review): unknown =>
    envelope(review, response);
const denied = 'admission webhook "w.example.com" denied the request';
const failed = 'Internal error occurred: failed calling webhook "w.example.com": ';
const invalid = 'received invalid webhook response: ';

const refusals: readonly (readonly [what: string, response: object, code: number, reason: string | undefined, message: string])[] = [
  ['a refusal without a word', { allowed: false }, 400, undefined, `${denied} without explanation`],
  ['a refusal with a message', { allowed: false, status: { message: 'not today' } }, 400, undefined, `${denied}: not today`],
  ['a refusal with a reason', { allowed: false, status: { reason: 'NotToday' } }, 400, 'NotToday', `${denied}: NotToday`],
  ['a refusal with a code', { allowed: false, status: { message: 'm', reason: 'Conflict', code: 409 } }, 409, 'Conflict', `${denied}: m`],
  ['a refusal with the code of a success', { allowed: false, status: { message: 'm', code: 200 } }, 400, undefined, `${denied}: m`],
];

const failures: readonly (readonly [what: string, reply: (review: Review) => unknown, message: string])[] = [
  [
    'a webhook that answers for another request',
    (review) => ({ ...envelope(review, {}), response: { uid: 'x', allowed: true } }),
    `${invalid}expected response.uid="UID", got "x"`,
  ],
  [
    'a webhook that answers with another kind',
    (review) => ({ ...envelope(review, { allowed: true }), kind: 'Other' }),
    'failed to call webhook: no kind "Other" is registered for version "admission.k8s.io/v1" in scheme "pkg/runtime/scheme.go:111"',
  ],
  [
    'a webhook that answers without a response',
    () => ({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' }),
    `${invalid}webhook response was absent`,
  ],
];

describe('ValidatingAdmissionWebhook', () => {
  const server = admissionServer({ plugins: ['ValidatingAdmissionWebhook'] });
  let remote: TestRemote;
  let reply: (review: Review) => unknown;

  before(async () => {
    remote = await testRemote((review: Review) => reply(review));
  });
  after(() => remote[Symbol.asyncDispose]());
  beforeEach(async () => {
    reply = respond({ allowed: true });
    await server.remove(configurations);
  });

  const webhook = (more: object = {}, name = 'w.example.com'): object => ({
    name,
    clientConfig: { url: remote.url.href, caBundle: Buffer.from(remote.authorities ?? '').toString('base64') },
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    rules: [everyWrite],
    ...more,
  });
  const configure = (...webhooks: readonly object[]): Promise<unknown> =>
    server.given(configurations, { metadata: { name: 'w' }, webhooks });
  /** What the webhook was asked while `request` was made. */
  const reviewsOf = async (request: () => Promise<{ message: string | undefined }>): Promise<Review['request'][]> => {
    const count = remote.received.length;
    const { message } = await request();
    assert.equal(message, undefined);
    return remote.received.slice(count).map((review) => (review as Review).request);
  };

  test('a webhook sees who wants to do what, with the object as it was and as it will be', async () => {
    await configure(webhook());
    const [created] = await reviewsOf(() => server.create(configMaps, { ...configMap('x'), data: { a: '1' } }));
    assert.deepEqual(
      [created?.operation, created?.name, created?.namespace, created?.kind, created?.dryRun, created?.userInfo.username],
      ['CREATE', 'x', 'default', { group: '', version: 'v1', kind: 'ConfigMap' }, false, 'kubernetes-admin'],
    );
    assert.deepEqual([created?.object?.data, created?.oldObject], [{ a: '1' }, null]);
    const [updated] = await reviewsOf(() => server.patch(`${configMaps}/x?dryRun=All`, { data: { a: '2' } }));
    assert.deepEqual(
      [updated?.operation, updated?.object?.data, updated?.oldObject?.data, updated?.dryRun],
      ['UPDATE', { a: '2' }, { a: '1' }, true],
    );
    const [deleted] = await reviewsOf(() => server.remove(`${configMaps}/x`));
    assert.deepEqual([deleted?.operation, deleted?.object, deleted?.oldObject?.data], ['DELETE', null, { a: '1' }]);
  });

  for (const [what, response, code, reason, message] of refusals) {
    test(`${what} is ${code}${reason === undefined ? '' : ` ${reason}`}`, async () => {
      await configure(webhook());
      reply = respond(response);
      const { status, object } = await server.tryCreate<{ reason: string; message: string }>(configMaps, configMap('x'));
      assert.deepEqual([status, object.reason, object.message], [code, reason, message]);
    });
  }

  test('warnings reach the client, whether the request is admitted or not', async () => {
    await configure(webhook());
    for (const allowed of [true, false]) {
      reply = respond({ allowed, warnings: ['one', 'two'] });
      assert.deepEqual((await server.tryCreate(configMaps, configMap('x'))).warnings, ['one', 'two']);
    }
  });

  test('a webhook does not change objects', async () => {
    await configure(webhook());
    const patch = Buffer.from('[{"op":"add","path":"/data","value":{"a":"b"}}]').toString('base64');
    reply = respond({ allowed: true, patchType: 'JSONPatch', patch });
    const { object } = await server.tryCreate<{ data?: object }>(configMaps, configMap('x'));
    assert.equal(object.data, undefined);
  });

  for (const [what, broken, message] of failures) {
    test(`${what} fails the request, unless failures are ignored`, async () => {
      let uid = '';
      reply = (review) => {
        uid = review.request.uid;
        return broken(review);
      };
      await configure(webhook({ failurePolicy: 'Fail' }));
      const refused = await server.tryCreate(configMaps, configMap('x'));
      assert.deepEqual([refused.status, refused.message], [500, failed + message.replace('UID', uid)]);
      await server.remove(configurations);
      await configure(webhook({ failurePolicy: 'Ignore' }));
      assert.equal((await server.tryCreate(configMaps, configMap('x'))).status, 201);
    });
  }

  test('a refusal counts also where failures are ignored', async () => {
    await configure(webhook({ failurePolicy: 'Ignore' }));
    reply = respond({ allowed: false });
    assert.equal((await server.tryCreate(configMaps, configMap('x'))).status, 400);
  });

  const others: readonly (readonly [what: string, webhook: object])[] = [
    ['rules for another operation', { rules: [{ ...everyWrite, operations: ['DELETE'] }] }],
    ['rules for another resource', { rules: [{ ...everyWrite, resources: ['secrets'] }] }],
    ['rules for another version', { rules: [{ ...everyWrite, apiVersions: ['v2'] }], matchPolicy: 'Exact' }],
    ['rules for objects outside of namespaces', { rules: [{ ...everyWrite, scope: 'Cluster' }] }],
    ['a selector of other objects', { objectSelector: { matchLabels: { a: 'b' } } }],
    ['a selector of other namespaces', { namespaceSelector: { matchLabels: { a: 'b' } } }],
    ['a condition that does not hold', { matchConditions: [{ name: 'c', expression: 'object.metadata.name == "y"' }] }],
  ];
  for (const [what, more] of others) {
    test(`a webhook with ${what} is not asked`, async () => {
      await configure(webhook(more));
      assert.deepEqual(await reviewsOf(() => server.tryCreate(configMaps, configMap('x'))), []);
    });
  }

  test('a condition that fails is a failure of the webhook', async () => {
    await configure(webhook({ matchConditions: [{ name: 'c', expression: 'object.data.missing == "y"' }] }));
    const { status, message } = await server.tryCreate(configMaps, configMap('x'));
    assert.deepEqual(
      [status, message],
      [403, 'configmaps "x" is forbidden: expression \'object.data.missing == "y"\' resulted in error: no such key: data'],
    );
  });

  test('every webhook is asked, and one refusal is enough', async () => {
    await configure(webhook({}, 'a.example.com'), webhook({}, 'b.example.com'));
    assert.equal((await reviewsOf(() => server.tryCreate(configMaps, configMap('x')))).length, 2);
    const count = remote.received.length;
    reply = (review) => envelope(review, { allowed: remote.received.length !== count + 1 });
    const { message } = await server.tryCreate(configMaps, configMap('x'));
    assert.match(message ?? '', /^admission webhook "[ab]\.example\.com" denied the request without explanation$/);
    assert.equal(remote.received.length, count + 2);
  });

  test('no webhook stands between an administrator and the configuration of webhooks', async () => {
    await configure(webhook({ rules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*'] }] }));
    reply = respond({ allowed: false });
    assert.equal((await server.patch(`${configurations}/w`, { metadata: { labels: { a: 'b' } } })).status, 200);
    assert.equal((await server.remove(`${configurations}/w`)).status, 200);
  });

  test('a webhook that is gone is not asked any more', async () => {
    await configure(webhook());
    reply = respond({ allowed: false });
    assert.equal((await server.tryCreate(configMaps, configMap('x'))).status, 400);
    await server.remove(`${configurations}/w`);
    assert.equal((await server.tryCreate(configMaps, configMap('x'))).status, 201);
  });
});
