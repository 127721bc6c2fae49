import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { loadKubeconfig } from './kubeconfig.ts';

describe('a kubeconfig', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kubeconfig-'));
  after(() => rmSync(folder, { recursive: true }));

  function written(cluster: object, user: object, current = 'x'): string {
    const file = join(folder, 'kubeconfig');
    const config = {
      clusters: [{ name: 'c', cluster }],
      users: [{ name: 'u', user }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      'current-context': current,
    };
    writeFileSync(file, JSON.stringify(config));
    return file;
  }
  const base64 = (text: string): string => Buffer.from(text).toString('base64');

  test('names a server and what we are to it', async () => {
    writeFileSync(join(folder, 'key'), 'the key');
    const user = { 'client-certificate-data': base64('the certificate'), 'client-key': 'key', token: 't' };
    const server = loadKubeconfig(written({ server: 'https://a:1/b', 'certificate-authority-data': base64('the authority') }, user));
    assert.equal(server.url.href, 'https://a:1/b');
    assert.equal(server.authorities, 'the authority');
    assert.deepEqual(server.client, { certificate: 'the certificate', key: 'the key' });
    assert.deepEqual(await server.headers(), { authorization: 'Bearer t' });
  });

  test('may do without the certificate of a server, or have it be for another name', () => {
    const authority = { 'certificate-authority-data': base64('the authority') };
    const of = (cluster: object): object => {
      const { insecure, serverName } = loadKubeconfig(written({ server: 'https://a', ...cluster }, {}));
      return { insecure, serverName };
    };
    assert.deepEqual(of(authority), { insecure: false, serverName: undefined });
    assert.deepEqual(of({ 'insecure-skip-tls-verify': true }), { insecure: true, serverName: undefined });
    assert.deepEqual(of({ ...authority, 'tls-server-name': 'b' }), { insecure: false, serverName: 'b' });
    assert.throws(() => of({ ...authority, 'insecure-skip-tls-verify': true }), {
      message: 'specifying a root certificates file with the insecure flag is not allowed',
    });
  });

  test('may name a file with a token, which may change', async () => {
    const server = loadKubeconfig(written({ server: 'https://a' }, { tokenFile: 'token' }));
    for (const token of ['one', 'two']) {
      writeFileSync(join(folder, 'token'), `${token}\n`);
      assert.deepEqual(await server.headers(), { authorization: `Bearer ${token}` });
    }
  });

  test('may hold a password', async () => {
    const server = loadKubeconfig(written({ server: 'https://a' }, { username: 'a', password: 'b' }));
    assert.deepEqual(await server.headers(), { authorization: 'Basic YTpi' });
  });

  test('tells nobody who we are without TLS', async () => {
    assert.deepEqual(await loadKubeconfig(written({ server: 'http://a' }, { token: 't' })).headers(), {});
  });

  test('without a server is refused', () => {
    assert.throws(() => loadKubeconfig(written({ server: 'https://a' }, {}, 'y')), {
      message: 'invalid configuration: [context was not found for specified context: y, cluster has no server defined]',
    });
    assert.throws(() => loadKubeconfig(written({}, {})), { message: 'invalid configuration: no server found for cluster "c"' });
    assert.throws(() => loadKubeconfig(written({ server: 'https://a' }, {}, '')), {
      message: 'invalid configuration: no configuration has been provided, try setting KUBERNETES_MASTER environment variable',
    });
    const missing = join(folder, 'none');
    assert.throws(() => loadKubeconfig(written({ server: 'https://a', 'certificate-authority': 'none' }, {})), {
      message: `invalid configuration: unable to read certificate-authority ${missing} for c due to open ${missing}: no such file or directory`,
    });
    assert.throws(() => loadKubeconfig('/none'), { message: 'stat /none: no such file or directory' });
  });
});
