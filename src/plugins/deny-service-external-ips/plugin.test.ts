import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { admissionServer } from '../../../test/support/admission-server.ts';

const services = '/api/v1/namespaces/a/services';
const service = (...externalIPs: readonly string[]): object => ({ metadata: { name: 's' }, spec: { ports: [{ port: 80 }], externalIPs } });
const refusal = 'services "s" is forbidden: Use of external IPs is denied by admission control';

describe('DenyServiceExternalIPs', () => {
  const server = admissionServer({ plugins: ['DenyServiceExternalIPs'] });

  test('a new service has no external addresses', async () => {
    const { status, message } = await server.tryCreate(services, service('1.2.3.4'));
    assert.deepEqual([status, message], [403, refusal]);
    assert.equal((await server.tryCreate(services, service())).status, 201);
  });

  test('a service that has none gets none', async () => {
    await server.given(services, service());
    const { status, message } = await server.patch(`${services}/s`, { spec: { externalIPs: ['1.2.3.4'] } });
    assert.deepEqual([status, message], [403, refusal]);
  });
});

describe('DenyServiceExternalIPs, switched on later', () => {
  const server = admissionServer({ plugins: ['AlwaysAdmit'], objects: [[services, service('1.2.3.4', '5.6.7.8')]] });
  const later = admissionServer({ plugins: ['DenyServiceExternalIPs'], after: server });

  const cases: readonly (readonly [what: string, addresses: readonly string[], admitted: boolean])[] = [
    ['keep its addresses', ['5.6.7.8', '1.2.3.4'], true],
    ['have fewer', ['1.2.3.4'], true],
    ['have another', ['1.2.3.4', '9.9.9.9'], false],
  ];
  for (const [what, externalIPs, admitted] of cases) {
    test(`a service may ${admitted ? '' : 'not '}${what}`, async () => {
      const { status, message } = await later.patch(`${services}/s?dryRun=All`, { spec: { externalIPs } });
      assert.deepEqual([status, message], admitted ? [200, undefined] : [403, refusal]);
    });
  }
});
