import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createAuthority, issueCertificate } from '../../base/tls/certificate.ts';
import { startApiServer } from '../../index.ts';
import { createMemoryStorage } from '../../storage/drivers/memory/memory-storage.ts';
import type { Storage } from '../../storage/storage.ts';
import { RawClient } from '../../../test/support/raw-client.ts';

const definitions = '/registry/apiextensions.k8s.io/customresourcedefinitions/';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** A store that shows no definitions before the test lets it. */
function holdingBack(storage: Storage): { storage: Storage; release: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return {
    storage: new Proxy(storage, {
      get(target, name: keyof Storage) {
        const member: unknown = target[name];
        if (name === 'list') {
          return async (...args: Parameters<Storage['list']>) => {
            if (args[0].startsWith(definitions)) await promise;
            return target.list(...args);
          };
        }
        return typeof member === 'function' ? (member.bind(target) as unknown) : member;
      },
    }),
    release: resolve,
  };
}

test('until custom resources are known, a path that may still come is 503 with Retry-After and not 404', { timeout: 30_000 }, async () => {
  const validity = { from: new Date(Date.now() - 3600_000), to: new Date(Date.now() + 3600_000) };
  const authority = createAuthority({ commonName: 'test' }, validity);
  const admin = issueCertificate(authority, {
    subject: { commonName: 'admin', organizations: ['system:masters'] },
    uses: ['client'],
    validity,
  });
  await using memory = createMemoryStorage({});
  {
    await using first = await startApiServer({ storage: memory, authority, controllers: false });
    await using client = new RawClient(first);
    const schema = { openAPIV3Schema: { type: 'object' } };
    const body = {
      metadata: { name: 'foos.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Cluster',
        names: { plural: 'foos', kind: 'Foo' },
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      },
    };
    const { status, text } = await client.call('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body });
    assert.equal(status, 201, text);
  }
  const { storage, release } = holdingBack(memory);
  const port = await freePort();
  const starting = startApiServer({ storage, authority, port, controllers: false });
  await using client = new RawClient({ url: `https://127.0.0.1:${port}`, authority, admin });
  const statusOf = async (path: string): Promise<number> => (await client.call('GET', path)).status;
  for (;;) {
    const status = await statusOf('/version').catch(() => 0);
    if (status === 200) break;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const { status, text, headers } = await client.call('GET', '/apis/example.com/v1/foos');
  assert.deepEqual([status, headers['retry-after']], [503, '5']);
  const { message, reason, details } = JSON.parse(text) as { message: string; reason: string; details: object };
  assert.equal(message, 'the request has been made before all known HTTP paths have been installed, please try again');
  assert.deepEqual([reason, details], ['ServiceUnavailable', { retryAfterSeconds: 5 }]);
  for (const path of ['/apis/example.com/v1', '/apis/example.com', '/apis/other.com/v1/bars', '/other']) {
    assert.equal(await statusOf(path), 503, path);
  }
  assert.equal(await statusOf('/api/v1/nodes/none'), 404);
  release();
  await using _server = await starting;
  assert.equal(await statusOf('/apis/example.com/v1/foos'), 200);
  assert.equal(await statusOf('/apis/example.com/v1'), 200);
  assert.equal(await statusOf('/apis/other.com/v1/bars'), 404);
  assert.equal(await statusOf('/other'), 404);
});
