import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createSecureServer } from 'node:http2';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { systemClock } from '../../base/clock.ts';
import { createAuthority, issueCertificate } from '../../base/tls/certificate.ts';
import type { ObjectReader } from '../registry/object-reader.ts';
import { resolveService } from './service-resolver.ts';
import type { WebhookCall, WebhookTarget } from './webhook-client.ts';
import { WebhookClient } from './webhook-client.ts';

const validity = { from: new Date(Date.now() - 86_400_000), to: new Date(Date.now() + 86_400_000) };
const authority = createAuthority({ commonName: 'authority' }, validity);
const names = ['127.0.0.1', 'hook.system.svc'];
const serving = issueCertificate(authority, { subject: { commonName: 'hook' }, uses: ['server'], names, validity });
const caBundle = Buffer.from(authority.certificate).toString('base64');

interface Webhook extends AsyncDisposable {
  readonly port: number;
  readonly requests: readonly IncomingMessage[];
}

async function webhook(answer: (response: ServerResponse, count: number) => void): Promise<Webhook> {
  const requests: IncomingMessage[] = [];
  const server = createServer({ cert: serving.certificate, key: serving.key }, (request, response) => {
    requests.push(request);
    request.resume().on('end', () => answer(response, requests.length));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    requests,
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A cluster whose services are these. */
function readerOf(services: Readonly<Record<string, object>>): ObjectReader {
  return {
    get: (_group: string, _plural: string, namespace: string, name: string) => Promise.resolve(services[`${namespace}/${name}`]),
  } as unknown as ObjectReader;
}

async function post(
  target: WebhookTarget,
  call: Partial<WebhookCall> = {},
  services: Readonly<Record<string, object>> = {},
): Promise<string> {
  const reader = readerOf(services);
  using client = new WebhookClient((namespace, name, port) => resolveService(reader, namespace, name, port), systemClock);
  return (await client.post(target, { body: '{}', ...call })).toString();
}

const failures: readonly (readonly [status: number, headers: Record<string, string>, body: string, message: string])[] = [
  [500, {}, 'broken\n', 'an error on the server ("broken") has prevented the request from succeeding'],
  [500, { 'content-type': 'application/json' }, '{}', 'an error on the server ("unknown") has prevented the request from succeeding'],
  [404, {}, 'x', 'the server could not find the requested resource'],
  [418, {}, 'x', 'the server responded with the status code 418 but did not return more information'],
  [302, {}, '', 'the server responded with the status code 302 but did not return more information'],
  [200, {}, '', '0-length response with status code: 200 and content type: application/json'],
  [500, {}, '{"kind":"Status","apiVersion":"v1","status":"Failure","message":"as I say"}', 'as I say'],
];

const unreachable: readonly (readonly [what: string, service: object | undefined, message: string])[] = [
  ['is none', undefined, 'service "hook" not found'],
  [
    'has no address',
    { spec: { type: 'ClusterIP', clusterIP: 'None', ports: [{ port: 443 }] } },
    'cannot route to service with ClusterIP "None"',
  ],
  [
    'has not that port',
    { spec: { type: 'NodePort', clusterIP: '10.0.0.1', ports: [{ port: 80 }] } },
    'no service port 443 found for service "hook"',
  ],
  ['is of no known type', { spec: { type: 'Other' } }, 'unsupported service type "Other"'],
];

describe('WebhookClient', () => {
  test('posts to a URL, with a clean path and the time that it waits', async () => {
    await using hook = await webhook((response) => response.end('yes'));
    const url = `https://127.0.0.1:${hook.port}//a///b/`;
    const timeLimit = { signal: new AbortController().signal, deadline: performance.now() + 3500 };
    assert.equal(await post({ url, caBundle }, { timeoutSeconds: 10, timeLimit }), 'yes');
    assert.equal(await post({ url, caBundle }, { timeoutSeconds: 2, timeLimit }), 'yes');
    assert.equal(await post({ url, caBundle }, { timeLimit: { ...timeLimit, deadline: performance.now() + 89_500 } }), 'yes');
    assert.equal(await post({ url, caBundle }), 'yes');
    assert.deepEqual(
      hook.requests.map((request) => request.url),
      ['/a/b?timeout=4s', '/a/b?timeout=2s', '/a/b?timeout=1m30s', '/a/b'],
    );
    const headers = hook.requests[0]?.headers ?? {};
    assert.equal(headers['content-type'], 'application/json');
    assert.equal(headers['user-agent'], 'kube-apiserver-admission');
  });

  test('finds services by their address, and knows them by their name', async () => {
    await using hook = await webhook((response) => response.end('yes'));
    const service = { namespace: 'system', name: 'hook', port: hook.port };
    const spec = { type: 'ClusterIP', clusterIP: '127.0.0.1', ports: [{ port: hook.port }] };
    assert.equal(await post({ service, caBundle }, {}, { 'system/hook': { spec } }), 'yes');
    assert.equal(hook.requests[0]?.headers.host, `hook.system.svc:${hook.port}`);
    const [other, external] = [{ ...service, name: 'other' }, { spec: { type: 'ExternalName', externalName: '127.0.0.1' } }];
    await assert.rejects(post({ service: other, caBundle }, {}, { 'system/other': external }), {
      message: `Post "https://other.system.svc:${hook.port}/": tls: failed to verify certificate: x509: certificate is valid for hook.system.svc, not other.system.svc`,
    });
  });

  for (const [what, service, message] of unreachable) {
    test(`cannot reach a service that ${what}`, async () => {
      const target = { service: { namespace: 'system', name: 'hook', path: '/x' } };
      await assert.rejects(post(target, {}, service && { 'system/hook': service }), {
        message: `Post "https://hook.system.svc:443/x": ${message}`,
      });
    });
  }

  for (const [status, headers, body, message] of failures) {
    test(`says ${message}`, async () => {
      await using hook = await webhook((response) => response.writeHead(status, headers).end(body));
      await assert.rejects(post({ url: `https://127.0.0.1:${hook.port}`, caBundle }), { message });
    });
  }

  test('comes again when it is told to', async () => {
    await using hook = await webhook((response, count) => {
      if (count < 3) response.writeHead(429, { 'retry-after': '0' }).end();
      else response.end('yes');
    });
    assert.equal(await post({ url: `https://127.0.0.1:${hook.port}`, caBundle }), 'yes');
    assert.equal(hook.requests.length, 3);
  });

  test('does not wait longer than it may', async () => {
    await using hook = await webhook(() => {});
    const url = `https://127.0.0.1:${hook.port}/x`;
    await assert.rejects(post({ url, caBundle }, { timeoutSeconds: 0.1 }), {
      message: `Post "${url}?timeout=1s": context deadline exceeded`,
    });
    const timeLimit = { signal: AbortSignal.abort() };
    await assert.rejects(post({ url, caBundle }, { timeLimit }), { message: `Post "${url}": context canceled` });
  });
});

test('a webhook that is a URL is spoken to over one connection where it offers HTTP/2, a service over as many as there are requests', async () => {
  let connections = 0;
  const versions = new Set<string>();
  const server = createSecureServer({ cert: serving.certificate, key: serving.key, allowHTTP1: true }, (request, response) => {
    versions.add(request.httpVersion);
    const body: Buffer[] = [];
    request.on('data', (part: Buffer) => body.push(part)).on('end', () => setTimeout(() => response.end(Buffer.concat(body)), 50));
  });
  server.on('secureConnection', () => connections++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    using client = new WebhookClient(() => Promise.resolve({ host: '127.0.0.1', port }), systemClock);
    const postAll = (target: WebhookTarget): Promise<Buffer[]> =>
      Promise.all(Array.from({ length: 10 }, (_, index) => client.post(target, { body: `${index}` })));
    const numbers = Array.from({ length: 10 }, (_, index) => String(index));
    assert.deepEqual((await postAll({ url: `https://127.0.0.1:${port}`, caBundle })).map(String), numbers);
    assert.deepEqual([connections, ...versions], [1, '2.0']);
    assert.deepEqual((await postAll({ service: { namespace: 'system', name: 'hook' }, caBundle })).map(String), numbers);
    assert.deepEqual([connections, ...versions], [11, '2.0', '1.1']);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
});
