import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { KeyPair } from '../base/tls/certificate.ts';
import { createAuthority, issueCertificate } from '../base/tls/certificate.ts';
import { startApiServer } from '../index.ts';
import { until } from '../../test/support/eventually.ts';

const validity = { from: new Date(Date.now() - 1e8), to: new Date(Date.now() + 1e8) };

test('clients of an authority that comes into its file later are let in, again and again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'authorities-'));
  const file = join(folder, 'ca.crt');
  // The same name, as when an authority gets a new key.
  const [first, second, third] = [1, 2, 3].map(() => createAuthority({ commonName: 'ca' }, validity)) as [KeyPair, KeyPair, KeyPair];
  writeFileSync(file, first.certificate);
  await using server = await startApiServer({ authority: first, authentication: { clientAuthorities: { file } } });
  const status = async (authority: KeyPair): Promise<number> => {
    const { certificate: cert, key } = issueCertificate(authority, { subject: { commonName: 'a' }, uses: ['client'], validity });
    const outgoing = request(`${server.url}/api`, { ca: first.certificate, cert, key, agent: false }).end();
    const [response] = (await once(outgoing, 'response')) as [{ statusCode: number; resume(): void }];
    response.resume();
    return response.statusCode;
  };
  try {
    assert.deepEqual([await status(first), await status(second)], [200, 401]);
    for (const [added, pem] of [
      [second, first.certificate + second.certificate],
      [third, second.certificate + third.certificate],
    ] as const) {
      writeFileSync(file, pem);
      await until('the added authority is known', async () => (await status(added)) !== 401);
      assert.equal(await status(second), 200);
    }
    assert.equal(await status(first), 401);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
