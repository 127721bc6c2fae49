import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createAuthority, issueCertificate } from '../../src/base/tls/certificate.ts';
import type { RemoteServer } from '../../src/server/webhook/kubeconfig.ts';

/** A server for tests that is called as those of kubeconfigs are. */
export interface TestRemote extends RemoteServer, AsyncDisposable {
  /** bodies of requests so far */
  readonly received: readonly unknown[];
}

/** Responds to each request with what `answer` makes of its body: a value is sent as JSON, a function writes for itself. */
export async function testRemote(answer: (body: never, request: IncomingMessage) => unknown): Promise<TestRemote> {
  const validity = { from: new Date(Date.now() - 86_400_000), to: new Date(Date.now() + 86_400_000) };
  const authority = createAuthority({ commonName: 'authority' }, validity);
  const serving = issueCertificate(authority, { subject: { commonName: 'remote' }, uses: ['server'], names: ['127.0.0.1'], validity });
  const received: unknown[] = [];
  const server = createServer({ cert: serving.certificate, key: serving.key }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const body: unknown = text === '' ? undefined : JSON.parse(text);
      received.push(body);
      const made = answer(body as never, request);
      if (typeof made === 'function') (made as (response: ServerResponse) => void)(response);
      else response.setHeader('content-type', 'application/json').end(JSON.stringify(made));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}/hook`),
    authorities: authority.certificate,
    client: undefined,
    headers: () => Promise.resolve({}),
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
