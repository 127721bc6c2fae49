import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { test } from 'node:test';
import { connect as connectTls, createServer as createTlsServer } from 'node:tls';
import type { TLSSocket } from 'node:tls';
import { createAuthority, issueCertificate } from '../tls/certificate.ts';
import { connectPlain } from './plain-socket.ts';

async function plainPair(owned: DisposableStack): Promise<{ client: Socket; server: Socket }> {
  const listener = createServer().listen(0, '127.0.0.1');
  owned.defer(() => listener.close());
  await once(listener, 'listening');
  const accepted = once(listener, 'connection');
  const client = connectPlain({ host: '127.0.0.1', port: (listener.address() as AddressInfo).port });
  const [server] = (await accepted) as [Socket];
  owned.defer(() => client.destroy());
  owned.defer(() => server.destroy());
  return { client, server };
}

test('connectPlain() hands on what came, and does not write over it', async () => {
  using owned = new DisposableStack();
  const { client, server } = await plainPair(owned);
  const sent = [Buffer.from('little'), Buffer.alloc(300_000, 'much'), Buffer.from('little again')];
  for (const piece of sent) server.write(piece);
  server.end();
  const came: Buffer[] = [];
  for await (const piece of client) came.push(piece as Buffer);
  assert.ok(Buffer.concat(came).equals(Buffer.concat(sent)));
});

test('what connectPlain() reads leaves TLS connections the buffer that they share', async () => {
  using owned = new DisposableStack();
  const { client, server } = await plainPair(owned);
  const validity = { from: new Date(Date.now() - 86_400_000), to: new Date(Date.now() + 86_400_000) };
  const authority = createAuthority({ commonName: 'ca' }, validity);
  const serving = issueCertificate(authority, { subject: { commonName: 'server' }, uses: ['server'], names: ['localhost'], validity });
  const listener = createTlsServer({ cert: serving.certificate, key: serving.key }).listen(0, '127.0.0.1');
  owned.defer(() => listener.close());
  await once(listener, 'listening');
  const accepted = once(listener, 'secureConnection');
  const { port } = listener.address() as AddressInfo;
  const writer = connectTls({ host: '127.0.0.1', port, ca: authority.certificate, servername: 'localhost' });
  const [reader] = (await accepted) as [TLSSocket];
  owned.defer(() => writer.destroy());
  owned.defer(() => reader.destroy());

  const buffers = new Set<unknown>();
  for (let round = 0; round < 20; round++) {
    writer.write('x');
    const [secret] = (await once(reader, 'data')) as [Buffer];
    buffers.add(secret.buffer);
    server.write('y');
    await once(client, 'data');
  }
  assert.ok(buffers.size < 5, `${buffers.size} buffers for 20 reads`);
});
