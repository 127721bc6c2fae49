import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { admissionServer } from '../../../test/support/admission-server.ts';

const configMaps = '/api/v1/namespaces/nowhere/configmaps';

describe('AlwaysAdmit', () => {
  const server = admissionServer({ plugins: ['AlwaysAdmit'] });

  test('has no opinion: whatever is valid is written, even into a namespace that is not there', async () => {
    assert.equal((await server.create(configMaps, { metadata: { name: 'x' } })).status, 201);
    assert.equal((await server.update(`${configMaps}/x`, { metadata: { name: 'x' }, data: { a: 'b' } })).status, 200);
    assert.equal((await server.patch(`${configMaps}/x`, { data: { a: 'c' } })).status, 200);
    assert.equal((await server.remove(`${configMaps}/x`)).status, 200);
  });
});
