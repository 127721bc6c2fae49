import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TestServer } from '../testing/index.ts';
import { startTestServer } from '../testing/index.ts';
import { RawClient } from '../../test/support/raw-client.ts';

interface Conditioned {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string; readonly reason?: string }[] };
}

describe('what the server itself says of objects', () => {
  let server: TestServer;
  let client: RawClient;

  before(async () => {
    server = await startTestServer({ controllers: false });
    client = new RawClient(server);
  });

  after(async () => {
    await client[Symbol.asyncDispose]();
    await server.stop();
  });

  async function create(path: string, body: object): Promise<void> {
    const { status, text } = await client.call('POST', path, { body });
    assert.equal(status, 201, text);
  }

  /** Asks until the first condition has this reason; a test that waits in vain runs into its time limit. */
  async function untilReason(path: string, reason: string): Promise<void> {
    for (;;) {
      const { text } = await client.call('GET', path);
      const condition = (JSON.parse(text) as Conditioned).status?.conditions?.[0];
      if (condition?.reason === reason) return;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  test('a flow schema hears when the priority level that it names comes and goes', { timeout: 20_000 }, async () => {
    const flowControl = '/apis/flowcontrol.apiserver.k8s.io/v1';
    const rules = [{ subjects: [{ kind: 'User', user: { name: 'jane' } }], nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }] }];
    await create(`${flowControl}/flowschemas`, {
      metadata: { name: 'mine' },
      spec: { priorityLevelConfiguration: { name: 'late' }, matchingPrecedence: 500, rules },
    });
    await untilReason(`${flowControl}/flowschemas/mine`, 'NotFound');
    await create(`${flowControl}/prioritylevelconfigurations`, {
      metadata: { name: 'late' },
      spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } },
    });
    await untilReason(`${flowControl}/flowschemas/mine`, 'Found');
    await client.call('DELETE', `${flowControl}/prioritylevelconfigurations/late`);
    await untilReason(`${flowControl}/flowschemas/mine`, 'NotFound');
  });

  test('a group version of another server is as available as its service', { timeout: 20_000 }, async () => {
    const apiServices = '/apis/apiregistration.k8s.io/v1/apiservices';
    await untilReason(`${apiServices}/v1.apps`, 'Local');
    await create(apiServices, {
      metadata: { name: 'v1.example.com' },
      spec: {
        group: 'example.com',
        version: 'v1',
        groupPriorityMinimum: 100,
        versionPriority: 10,
        service: { namespace: 'default', name: 'remote' },
        insecureSkipTLSVerify: true,
      },
    });
    await untilReason(`${apiServices}/v1.example.com`, 'ServiceNotFound');
    await create('/api/v1/namespaces/default/services', { metadata: { name: 'remote' }, spec: { ports: [{ port: 80 }] } });
    await untilReason(`${apiServices}/v1.example.com`, 'ServicePortError');
    const change = { body: { spec: { ports: [{ port: 443 }] } }, headers: { 'content-type': 'application/merge-patch+json' } };
    await client.call('PATCH', '/api/v1/namespaces/default/services/remote', change);
    await untilReason(`${apiServices}/v1.example.com`, 'EndpointsNotFound');
  });
});
