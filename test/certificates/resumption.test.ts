import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { connect } from 'node:tls';
import * as der from '../../src/base/tls/der.ts';
import { startApiServer } from '../../src/index.ts';
import { CertificateMaker, commonName, extension } from './certificate-maker.ts';

const pem = (bytes: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${(bytes.toString('base64').match(/.{1,64}/g) ?? []).join('\n')}\n-----END CERTIFICATE-----\n`;

test('a client whose chain has an intermediate is known on its next connections, too', async () => {
  const maker = new CertificateMaker(Date.now());
  const authority = { extensions: [extension('2.5.29.19', der.sequence(der.boolean(true)), true)] };
  const root = maker.make({ subject: [commonName('root')], ...authority });
  const intermediate = maker.make({ subject: [commonName('intermediate')], issuer: root, ...authority });
  const leaf = maker.make({ subject: [commonName('jane')], issuer: intermediate });
  await using server = await startApiServer({ authentication: { clientAuthorities: pem(root.bytes) } });
  for (const maxVersion of ['TLSv1.3', 'TLSv1.2'] as const) {
    let session: Buffer | undefined;
    for (let connection = 1; connection <= 3; connection++) {
      const socket = connect({
        host: '127.0.0.1',
        port: server.port,
        rejectUnauthorized: false,
        maxVersion,
        cert: pem(leaf.bytes) + pem(intermediate.bytes),
        key: leaf.privateKey.export({ type: 'pkcs8', format: 'pem' }),
        ...(session !== undefined && { session }),
      });
      socket.on('session', (next) => (session = next));
      await once(socket, 'secureConnect');
      socket.write('GET /api HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
      let answer = '';
      socket.setEncoding('utf8').on('data', (part: string) => (answer += part));
      await once(socket, 'close');
      assert.match(answer, /^HTTP\/1\.1 200 /, `${maxVersion}, connection ${connection}`);
    }
  }
});
