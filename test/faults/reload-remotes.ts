import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { Server } from 'node:https';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { TLSSocket } from 'node:tls';
import type { KeyPair } from '../../src/base/tls/certificate.ts';
import { pairOf } from './reload-files.ts';

const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

export const portOf = (server: { address(): unknown }): number => (server.address() as AddressInfo).port;

/** An aggregated server, a kubelet and an issuer of tokens at once: says which client asks. */
export async function startBackend(authority: KeyPair): Promise<Server> {
  const pair = pairOf(authority, 'backend', ['server']);
  const options = { cert: pair.certificate, key: pair.key, requestCert: true, rejectUnauthorized: false };
  const server = createServer(options, (incoming, response) => {
    const { fingerprint256 } = (incoming.socket as TLSSocket).getPeerCertificate();
    const issuer = `https://127.0.0.1:${portOf(server)}`;
    const documents: Readonly<Record<string, object>> = {
      '/.well-known/openid-configuration': { issuer, jwks_uri: `${issuer}/keys`, response_types_supported: ['id_token'] },
      '/keys': { keys: [{ ...keys.publicKey.export({ format: 'jwk' }), kid: 'k', use: 'sig', alg: 'ES256' }] },
    };
    const list = { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: 'reload.example.com/v1', resources: [] };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(documents[incoming.url ?? ''] ?? { ...list, client: fingerprint256 }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** A token of that issuer. */
export function tokenOf(backend: Server, user: string): string {
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: `https://127.0.0.1:${portOf(backend)}`, aud: 'reload', sub: user, iat: now, exp: now + 3600 };
  const text = `${encode({ alg: 'ES256', kid: 'k', typ: 'JWT' })}.${encode(claims)}`;
  const signature = sign('sha256', Buffer.from(text), { key: keys.privateKey, dsaEncoding: 'ieee-p1363' });
  return `${text}.${signature.toString('base64url')}`;
}

/** TLS before an etcd that has none: knows which client came last, and can make clients come again. */
export class EtcdDoor implements Disposable {
  readonly #server;
  readonly #sockets = new Set<TLSSocket>();
  /** fingerprint of the certificate that came last */
  last = '';

  constructor(authority: KeyPair, etcdPort: number) {
    const { certificate: cert, key } = pairOf(authority, 'etcd', ['server']);
    this.#server = createTlsServer({ cert, key, requestCert: true, rejectUnauthorized: false, ALPNProtocols: ['h2'] }, (socket) => {
      this.last = socket.getPeerCertificate().fingerprint256;
      this.#sockets.add(socket);
      const etcd = connect(etcdPort, '127.0.0.1');
      // Both ends go together, however one of them ends.
      const end = (): void => {
        this.#sockets.delete(socket);
        etcd.destroy();
        socket.destroy();
      };
      socket.on('error', end).on('close', end).pipe(etcd);
      etcd.on('error', end).on('close', end).pipe(socket);
    });
  }

  async listen(): Promise<number> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return portOf(this.#server);
  }

  /** As a network does that forgets connections. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  [Symbol.dispose](): void {
    this.cut();
    this.#server.close();
  }
}
