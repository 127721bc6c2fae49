import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PathMux } from '../http/path-mux.ts';
import type { Request } from '../http/request.ts';
import { textResponse } from '../http/response.ts';
import { installOpenId } from './open-id.ts';

const mux = new PathMux();
installOpenId(mux, () => ({ configuration: Buffer.from('{}'), keySet: Buffer.from('{}') }));
const handler = mux.handler(() => textResponse(404, 'not here'));

async function ask(method: string, path: string): Promise<number> {
  const request = { method, path, header: () => undefined } as unknown as Request;
  return (await handler(request)).status;
}

test('documents about tokens are read, with a slash at the end or without', async () => {
  for (const path of ['/openid/v1/jwks', '/openid/v1/jwks/', '/.well-known/openid-configuration', '/.well-known/openid-configuration/']) {
    assert.equal(await ask('GET', path), 200);
    for (const method of ['HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      await assert.rejects(ask(method, path), { message: 'the server does not allow this method on the requested resource' });
    }
  }
});
