import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createAuthority, issueCertificate } from '../../src/base/tls/certificate.ts';

export const validity = { from: new Date(Date.now() - 86_400_000), to: new Date(Date.now() + 86_400_000) };

/** A webhook whose conversions do what `answer` does to objects; undefined: it is broken. */
export async function startConverter(
  answer: () => ((object: object) => object) | undefined,
): Promise<AsyncDisposable & { clientConfig: object }> {
  const authority = createAuthority({ commonName: 'webhooks' }, validity);
  const names = ['127.0.0.1'];
  const { certificate, key } = issueCertificate(authority, { subject: { commonName: 'hook' }, uses: ['server'], names, validity });
  const server = createServer({ cert: certificate, key }, (incoming, response) => {
    const parts: Buffer[] = [];
    incoming.on('data', (part: Buffer) => parts.push(part));
    incoming.on('end', () => {
      const { request: asked, ...review } = JSON.parse(Buffer.concat(parts).toString()) as {
        request: { uid: string; desiredAPIVersion: string; objects: object[] };
      };
      const change = answer();
      if (change === undefined) return void response.writeHead(500).end('broken');
      const convertedObjects = asked.objects.map((object) => ({ ...change(object), apiVersion: asked.desiredAPIVersion }));
      response.end(JSON.stringify({ ...review, response: { uid: asked.uid, result: { status: 'Success' }, convertedObjects } }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    clientConfig: {
      url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
      caBundle: Buffer.from(authority.certificate).toString('base64'),
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
