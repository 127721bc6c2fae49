import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ObjectReader } from '../../registry/object-reader.ts';
import { bootstrapTokenUser } from './bootstrap-token.ts';

const now = Date.parse('2026-06-01T00:00:00Z');

async function userName(changes: Record<string, string>, token = 'abcdef.0123456789abcdef'): Promise<string | undefined> {
  const data = { 'token-id': 'abcdef', 'token-secret': '0123456789abcdef', 'usage-bootstrap-authentication': 'true', ...changes };
  const secret = {
    metadata: { name: 'bootstrap-token-abcdef' },
    type: 'bootstrap.kubernetes.io/token',
    data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')])),
  };
  const reader = { get: async () => secret } as unknown as ObjectReader;
  return (await bootstrapTokenUser(token, reader, now))?.name;
}

test('a bootstrap token stands for its id until it expires', async () => {
  assert.equal(await userName({}), 'system:bootstrap:abcdef');
  assert.equal(await userName({ expiration: '2026-06-01T01:00:00+00:00' }), 'system:bootstrap:abcdef');
  assert.equal(await userName({ expiration: '2026-05-31T23:59:59Z' }), undefined);
});

test('a time that Go cannot read counts as past', async () => {
  for (const expiration of ['2099', '2099-01-01', 'Jan 1, 2099', '2099-01-01T00:00:00', '2099-01-01 00:00:00Z', ' 2099-01-01T00:00:00Z']) {
    assert.equal(await userName({ expiration }), undefined, expiration);
  }
});

test('a bootstrap token with another secret, another id or no use is nobody’s', async () => {
  assert.equal(await userName({ 'token-secret': '0123456789abcdee' }), undefined);
  assert.equal(await userName({ 'token-id': 'abcdeg' }), undefined);
  assert.equal(await userName({ 'usage-bootstrap-authentication': 'True' }), undefined);
  assert.equal(await userName({ 'auth-extra-groups': 'system:masters' }), undefined);
  assert.equal(await userName({}, 'ABCDEF.0123456789abcdef'), undefined);
});
