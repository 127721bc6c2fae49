import assert from 'node:assert/strict';
import type { Logger } from '../base/log.ts';
import { silentLogger } from '../base/log.ts';
import { once } from 'node:events';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { connect } from 'node:tls';
import type { KeyPair } from '../base/tls/certificate.ts';
import { createAuthority, issueCertificate } from '../base/tls/certificate.ts';
import type { ApiServerOptions, RunningApiServer } from '../index.ts';
import { startApiServer } from '../index.ts';
import { until } from '../../test/support/eventually.ts';

const root = await mkdtemp(join(tmpdir(), 'serving-'));
after(() => rm(root, { recursive: true, force: true }));

const validity = { from: new Date(Date.now() - 60_000), to: new Date(Date.now() + 3_600_000) };
const authority = createAuthority({ commonName: 'ca' }, validity);
const issue = (commonName: string, ...names: string[]): KeyPair =>
  issueCertificate(authority, { subject: { commonName }, uses: ['server'], names: ['localhost', ...names], validity });

/** Files of a pair, replaced as a tool does it that must not be seen half-way. */
class PairFiles {
  readonly certificate: { readonly file: string };
  readonly key: { readonly file: string };

  constructor(name: string) {
    this.certificate = { file: join(root, `${name}.crt`) };
    this.key = { file: join(root, `${name}.key`) };
  }

  async put(pair: Partial<KeyPair>): Promise<this> {
    for (const part of ['key', 'certificate'] as const) {
      if (pair[part] === undefined) continue;
      await writeFile(`${this[part].file}.new`, pair[part]);
      await rename(`${this[part].file}.new`, this[part].file);
    }
    return this;
  }
}

/** The common name of the certificate that a new connection gets. */
async function shown({ port }: RunningApiServer, servername?: string): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false, ...(servername !== undefined && { servername }) });
  await once(socket, 'secureConnect');
  const { CN } = socket.getPeerCertificate().subject;
  socket.destroy();
  return String(CN);
}

/** A test that waits in vain runs into its time limit. */
async function untilShown(server: RunningApiServer, name: string, servername?: string): Promise<void> {
  await until(`${name} is shown`, async () => (await shown(server, servername)) === name);
}

const start = (serving: NonNullable<ApiServerOptions['serving']>, more: ApiServerOptions = {}): Promise<RunningApiServer> =>
  startApiServer({ ...more, authority, serving });

test('a serving certificate is followed when its files change', { timeout: 30_000 }, async () => {
  const files = await new PairFiles('followed').put(issue('first'));
  await using server = await start({ certificate: files });
  assert.equal(await shown(server), 'first');
  await files.put(issue('second'));
  await untilShown(server, 'second');
});

for (const [what, part, text] of [
  ['a key that does not fit', 'key', issue('other').key],
  ['an empty key', 'key', ''],
  ['an empty certificate', 'certificate', ''],
  ['half a certificate', 'certificate', authority.certificate.slice(0, 300)],
] as const) {
  test(`${what} leaves the pair as it was`, { timeout: 30_000 }, async () => {
    const errors: string[] = [];
    const log: Logger = { ...silentLogger, error: (message) => void errors.push(message), named: () => log };
    const files = await new PairFiles('halfway').put(issue('first'));
    await using server = await start({ certificate: files }, { log });
    await files.put({ [part]: text });
    await until('there is an error', () => errors.length > 0);
    assert.equal(await shown(server), 'first');
    await files.put(issue('second'));
    await untilShown(server, 'second');
  });
}

test('a server does not start with an empty certificate or key', async () => {
  for (const part of ['certificate', 'key'] as const) {
    const files = await new PairFiles('empty').put({ ...issue('first'), [part]: '' });
    const name = `serving-cert::${files.certificate.file}::${files.key.file}`;
    await assert.rejects(start({ certificate: files }), { message: `missing content for serving cert "${name}"` });
  }
});

test('clients that ask for other names get other certificates, which are followed too', { timeout: 30_000 }, async () => {
  const explicit = await new PairFiles('explicit').put(issue('explicit', 'b.example'));
  const implicit = await new PairFiles('implicit').put(issue('implicit', 'a.example', 'b.example', '*.wild.example'));
  await using server = await start({
    certificate: issue('default'),
    namedCertificates: [
      { ...implicit, names: [] },
      { ...explicit, names: ['b.example'] },
    ],
  });
  assert.equal(await shown(server), 'default');
  assert.equal(await shown(server, 'other.example'), 'default');
  assert.equal(await shown(server, 'A.example'), 'implicit');
  assert.equal(await shown(server, 'x.wild.example'), 'implicit');
  assert.equal(await shown(server, 'y.x.wild.example'), 'default');
  assert.equal(await shown(server, 'b.example'), 'explicit');
  await explicit.put(issue('renewed', 'b.example'));
  await untilShown(server, 'renewed', 'b.example');
});

test('authorities of clients are followed when their file changes', { timeout: 30_000 }, async () => {
  const file = join(root, 'clients.crt');
  await writeFile(file, createAuthority({ commonName: 'another' }, validity).certificate);
  await using server = await startApiServer({ authority, authentication: { clientAuthorities: { file } } });
  const status = async (): Promise<number> => {
    const { request } = await import('node:https');
    return new Promise((resolve, reject) => {
      const { certificate: cert, key } = server.admin;
      const options = { cert, key, ca: authority.certificate, agent: false };
      request(`${server.url}/api/v1/namespaces`, options, (response) => resolve(response.resume().statusCode ?? 0))
        .on('error', reject)
        .end();
    });
  };
  assert.equal(await status(), 401);
  await writeFile(file, authority.certificate);
  await until('the status is 200', async () => (await status()) === 200);
});

test('a port that is taken is told in the words of upstream', async () => {
  await using server = await startApiServer();
  const message = new RegExp(`failed to listen on 127.0.0.1:${server.port}: .*address already in use`);
  await assert.rejects(startApiServer({ port: server.port }), { message });
});
