import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RawClient } from '../../../test/support/raw-client.ts';
import { startTestServer } from '../../testing/index.ts';

test('evaluations, denials and labels that cannot be read are counted', async () => {
  await using server = await startTestServer({ controllers: false });
  await using client = new RawClient(server);
  const prefix = 'pod-security.kubernetes.io/';
  const namespaces: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    lax: {},
    strict: { enforce: 'restricted', 'enforce-version': 'v1.25', warn: 'baseline', 'warn-version': 'v1.99', audit: 'restricted' },
  };
  for (const [name, modes] of Object.entries(namespaces)) {
    const labels = Object.fromEntries(Object.entries(modes).map(([mode, level]) => [prefix + mode, level]));
    await client.call('POST', '/api/v1/namespaces', { body: { metadata: { name, labels } } });
    await client.call('POST', `/api/v1/namespaces/${name}/serviceaccounts`, { body: { metadata: { name: 'default' } } });
    const spec = { containers: [{ name: 'c', image: 'i', securityContext: { privileged: true } }] };
    await client.call('POST', `/api/v1/namespaces/${name}/pods`, { body: { metadata: { name: 'p' }, spec } });
    const template = { metadata: { labels: { a: 'b' } }, spec };
    const deployment = { metadata: { name: 'd' }, spec: { selector: { matchLabels: { a: 'b' } }, template } };
    await client.call('POST', `/apis/apps/v1/namespaces/${name}/deployments`, { body: deployment });
  }
  const { text } = await client.call('GET', '/metrics');
  const counted = (decision: string, level: string, version: string, mode: string, resource: string): string =>
    `pod_security_evaluations_total{decision="${decision}",mode="${mode}",policy_level="${level}",policy_version="${version}",request_operation="create",resource="${resource}",subresource=""} 1`;
  const lines = text.split('\n').filter((line) => line.startsWith('pod_security_evaluations_total') && !line.endsWith(' 0'));
  assert.deepEqual(
    lines.sort(),
    [
      counted('allow', 'privileged', 'latest', 'enforce', 'pod'),
      counted('deny', 'baseline', 'future', 'warn', 'controller'),
      counted('deny', 'restricted', 'latest', 'audit', 'controller'),
      counted('deny', 'restricted', 'latest', 'audit', 'pod'),
      counted('deny', 'restricted', 'v1.25', 'enforce', 'pod'),
    ].sort(),
  );
  assert.match(text, /^pod_security_exemptions_total\{request_operation="update",resource="controller",subresource=""\} 0$/m);
});
