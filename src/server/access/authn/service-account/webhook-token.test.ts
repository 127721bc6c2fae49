import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '../../../../machinery/kube-object.ts';
import type { TokenRequest, TokenReview } from '../../../../schema/types/authentication-v1.ts';
import { startTestServer } from '../../../../testing/index.ts';
import { RawClient } from '../../../../../test/support/raw-client.ts';

const account = '/api/v1/namespaces/default/serviceaccounts/caller';
const kind = 'ValidatingWebhookConfiguration';
const configurations = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
const rbac = '/apis/rbac.authorization.k8s.io/v1';

test('a token for a webhook says for which groups, lives ten minutes at most and ends with the configuration', async () => {
  await using server = await startTestServer({
    controllers: false,
    authorization: 'RBAC',
    features: { APIServerWebhookAuthenticationToken: true },
  });
  await using client = new RawClient(server);
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T & { readonly http: number }> => {
    const { status, text } = await client.call(method, path, body === undefined ? {} : { body });
    return { ...(JSON.parse(text) as T), http: status };
  };
  const ask = (spec: object): Promise<TokenRequest & { readonly http: number; readonly message?: string }> =>
    call('POST', `${account}/token`, { spec });
  await call('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'caller' } });
  const service = { name: 'svc', namespace: 'ns', path: '/check' };
  const webhooks = [
    {
      name: 'a.b.c',
      clientConfig: { service },
      rules: [{ operations: ['*'], apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments'] }],
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
    },
  ];
  const { metadata } = await call<KubeObject>('POST', configurations, { metadata: { name: 'hooks' }, webhooks });
  const boundObjectRef = { apiVersion: 'admissionregistration.k8s.io/v1', kind, name: 'hooks' };
  const good = { audiences: ['https://svc.ns.svc:443/check'], boundObjectRef, attestations: { admissionReviewAPIGroups: ['apps'] } };

  assert.match(
    (await ask(good)).message ?? '',
    /^admissionReviewAPIGroups.authentication.k8s.io "apps" is forbidden: User .* cannot attest /,
  );
  const rules = [
    { apiGroups: ['authentication.k8s.io'], resources: ['admissionReviewAPIGroups'], resourceNames: ['apps', 'batch'], verbs: ['attest'] },
  ];
  await call('POST', `${rbac}/clusterroles`, { metadata: { name: 'attest' }, rules });
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'attest' };
  const subjects = [{ kind: 'ServiceAccount', name: 'caller', namespace: 'default' }];
  await call('POST', `${rbac}/clusterrolebindings`, { metadata: { name: 'attest' }, roleRef, subjects });

  const denied = 'serviceaccounts/token "caller" is forbidden: token request denied';
  assert.equal((await ask({ ...good, audiences: ['https://svc.ns.svc:443/check/'] })).message, denied);
  assert.equal((await ask({ ...good, attestations: { admissionReviewAPIGroups: ['batch'] } })).message, denied);
  assert.equal((await ask({ ...good, boundObjectRef: { ...boundObjectRef, name: 'none' } })).message, denied);
  assert.match((await ask({ ...good, boundObjectRef: { ...boundObjectRef, uid: 'x' } })).message ?? '', /does not match the UID in record/);
  assert.match((await ask({ ...good, attestations: undefined })).message ?? '', /spec.attestations: Invalid value: null: /);

  const { http, spec, status } = await ask({ ...good, expirationSeconds: 3600 });
  assert.deepEqual([http, spec.expirationSeconds], [201, 600]);
  const review = (token: string): Promise<TokenReview> =>
    call('POST', '/apis/authentication.k8s.io/v1/tokenreviews', { spec: { token, audiences: good.audiences } });
  const { extra = {} } = (await review(status.token)).status.user ?? {};
  assert.deepEqual(extra['attestation.authentication.kubernetes.io/admissionReviewAPIGroups'], ['apps']);
  assert.deepEqual(extra['authentication.kubernetes.io/validatingwebhookconfiguration-name'], ['hooks']);
  assert.deepEqual(extra['authentication.kubernetes.io/validatingwebhookconfiguration-uid'], [metadata.uid]);

  const { token: second } = (await ask(good)).status;
  await call('DELETE', `${configurations}/hooks`);
  assert.match((await review(second)).status.error ?? '', /service account token has been invalidated/);
});
