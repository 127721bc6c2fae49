import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, request } from 'node:https';
import type { Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { createAuthority, issueCertificate } from '../base/tls/certificate.ts';
import { startTestServer } from './index.ts';
import type { TestServer } from './index.ts';
import { RawClient } from '../../test/support/raw-client.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const validity = { from: new Date(Date.now() - 86_400_000), to: new Date(Date.now() + 86_400_000) };
const authority = createAuthority({ commonName: 'others' }, validity);
const apiServices = '/apis/apiregistration.k8s.io/v1/apiservices';
const timeout = 30_000;

const json =
  (document: object): Answer =>
  (_, response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));

const resource = { name: 'things', singularName: 'thing', namespaced: true, kind: 'Thing', verbs: ['get', 'list'], shortNames: ['th'] };
const pathOf = (operationId: string): object => ({ get: { operationId, responses: { 200: { schema: { $ref: '#/definitions/Thing' } } } } });

/** A server of old: it knows nothing of aggregated discovery. */
const answers: Readonly<Record<string, Answer>> = {
  '/apis/others.example.com/v1': json({ kind: 'APIResourceList', groupVersion: 'others.example.com/v1', resources: [resource] }),
  '/openapi/v2': json({
    swagger: '2.0',
    paths: { '/apis/others.example.com/v1/things': pathOf('listThings'), '/apis/more.example.com/v1/things': pathOf('more') },
    definitions: { Thing: { type: 'object' } },
  }),
  '/openapi/v3': json({ paths: { 'apis/others.example.com/v1': { serverRelativeURL: '/openapi/v3/apis/others.example.com/v1?hash=1' } } }),
  '/openapi/v3/apis/others.example.com/v1': json({ openapi: '3.0.0', info: { title: 'others' } }),
};

class OtherServer implements AsyncDisposable {
  readonly #server: Server;
  /** also those that are still shaking hands, which node's server does not know yet */
  readonly #sockets = new Set<Socket>();
  readonly answers = new Map(Object.entries(answers));

  constructor() {
    const names = ['api.default.svc'];
    const { certificate, key } = issueCertificate(authority, { subject: { commonName: 'other' }, uses: ['server'], names, validity });
    this.#server = createServer({ cert: certificate, key }, (asked, response) => {
      const answer = this.answers.get((asked.url ?? '').split('?')[0] ?? '');
      if (answer !== undefined) return answer(asked, response);
      response.writeHead(404).end();
    });
    this.#server.on('connection', (socket: Socket) => this.#sockets.add(socket));
    this.#server.on('upgrade', (asked: IncomingMessage, socket: Socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n');
      socket.write(`hello ${asked.headers['x-remote-user'] as string}:`);
      socket.pipe(socket);
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async listen(port = 0): Promise<void> {
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await once(this.#server, 'close');
  }
}

interface Condition {
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

async function register(client: RawClient, port: number, spec: object = {}): Promise<void> {
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'api' },
    spec: { type: 'ExternalName', externalName: 'localhost' },
  };
  assert.equal((await client.call('POST', '/api/v1/namespaces/default/services', { body: service })).status, 201);
  const body = {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name: 'v1.others.example.com' },
    spec: {
      group: 'others.example.com',
      version: 'v1',
      service: { namespace: 'default', name: 'api', port },
      caBundle: Buffer.from(authority.certificate).toString('base64'),
      groupPriorityMinimum: 100,
      versionPriority: 100,
      ...spec,
    },
  };
  assert.equal((await client.call('POST', apiServices, { body })).status, 201);
}

/** The condition once it has this status. */
async function condition(client: RawClient, status: string): Promise<Condition> {
  for (;;) {
    const found = await client.json<{ status?: { conditions?: Condition[] } }>('GET', `${apiServices}/v1.others.example.com`);
    const [current] = found.status?.conditions ?? [];
    if (current?.status === status) return current;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function eventually<T>(look: () => Promise<T>, isThere: (found: T) => boolean): Promise<T> {
  for (;;) {
    const found = await look();
    if (isThere(found)) return found;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

test('requests and answers are passed on as they are, with who asks and without what proves it', { timeout }, async () => {
  await using other = new OtherServer();
  await other.listen();
  await using server = await startTestServer({ controllers: false });
  await using client = new RawClient(server);
  await register(client, other.port);
  await condition(client, 'True');
  const things = '/apis/others.example.com/v1/namespaces/default/things';
  other.answers.set(things, (asked, response) => {
    const chunks: Buffer[] = [];
    asked.on('data', (chunk: Buffer) => chunks.push(chunk));
    asked.on('end', () => {
      const { headers, method, url } = asked;
      const body = gzipSync(JSON.stringify({ headers, method, url, body: Buffer.concat(chunks).toString() }));
      response.writeHead(207, { 'content-encoding': 'gzip', 'content-length': body.length, 'x-many': ['a', 'b'] }).end(body);
    });
  });
  const headers = { 'impersonate-user': 'jane', 'impersonate-group': 'dev', 'x-remote-group': 'system:masters', 'x-other': 'kept' };
  await client.call('POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    body: {
      metadata: { name: 'dev' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'dev' }],
    },
  });
  const answer = await client.call('DELETE', `${things}?limit=5&x=%2F`, { body: '{"a":1}', headers });
  assert.equal(answer.status, 207);
  assert.equal(answer.headers['content-encoding'], 'gzip');
  assert.equal(answer.headers['x-many'], 'a, b');
  const seen = JSON.parse(gunzipSync(answer.bytes).toString()) as {
    headers: Record<string, string>;
    method: string;
    url: string;
    body: string;
  };
  assert.deepEqual([seen.method, seen.url, seen.body], ['DELETE', `${things}?limit=5&x=%2F`, '{"a":1}']);
  assert.equal(seen.headers['x-remote-user'], 'jane');
  assert.equal(seen.headers['x-remote-group'], 'dev, system:authenticated');
  assert.equal(seen.headers['x-other'], 'kept');
  assert.equal(seen.headers['impersonate-user'], undefined);
  assert.equal(seen.headers['x-forwarded-uri'], things);
  assert.equal(seen.headers['x-forwarded-for'], '127.0.0.1');
  assert.equal(seen.headers['host'], `localhost:${other.port}`);
});

test('a watch is passed on as it comes, and ends with its client', { timeout }, async () => {
  await using other = new OtherServer();
  await other.listen();
  await using server = await startTestServer({ controllers: false });
  await using client = new RawClient(server);
  await register(client, other.port);
  await condition(client, 'True');
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  other.answers.set('/apis/others.example.com/v1/things', (_, response) => {
    response.writeHead(200).write('{"type":"ADDED"}\n');
    response.on('close', resolve);
  });
  const { text } = await client.call('GET', '/apis/others.example.com/v1/things?watch=1', { until: 'ADDED' });
  assert.equal(text, '{"type":"ADDED"}\n');
  await ended;
});

test('connections become other protocols where the other server agrees', { timeout }, async () => {
  await using other = new OtherServer();
  await other.listen();
  await using server = await startTestServer({ controllers: false });
  await using client = new RawClient(server);
  await register(client, other.port);
  await condition(client, 'True');
  const socket = await upgrade(server, '/apis/others.example.com/v1/namespaces/default/things/x/exec');
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => (received += text));
  socket.write('ping');
  await eventually(
    () => Promise.resolve(received),
    (text) => text.endsWith('ping'),
  );
  assert.equal(received, 'hello kubernetes-admin:ping');
});

async function upgrade({ url, authority: { certificate: ca }, admin }: TestServer, path: string): Promise<Socket> {
  const headers = { connection: 'Upgrade', upgrade: 'echo' };
  const outgoing = request(`${url}${path}`, { ca, cert: admin.certificate, key: admin.key, agent: false, headers });
  outgoing.end();
  const [, socket, head] = (await once(outgoing, 'upgrade')) as [IncomingMessage, Socket, Buffer];
  if (head.length > 0) socket.unshift(head);
  return socket;
}

test('other servers are part of discovery and OpenAPI as long as they are registered', { timeout }, async () => {
  await using other = new OtherServer();
  await other.listen();
  await using server = await startTestServer({ controllers: false });
  await using client = new RawClient(server);
  await register(client, other.port);
  await condition(client, 'True');
  const aggregated = { accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' };
  type List = { items: { metadata: { name: string }; versions: { freshness: string; resources?: object[] }[] }[] };
  const shown = async (): Promise<List['items'][0] | undefined> =>
    (await client.json<List>('GET', '/apis', { headers: aggregated })).items.find(({ metadata }) => metadata.name === 'others.example.com');
  const group = await eventually(shown, (found) => found?.versions[0]?.freshness === 'Current');
  assert.deepEqual(group?.versions[0]?.resources, [
    {
      resource: 'things',
      responseKind: { group: '', version: '', kind: 'Thing' },
      scope: 'Namespaced',
      singularResource: 'thing',
      verbs: ['get', 'list'],
      shortNames: ['th'],
    },
  ]);
  const paths = async (): Promise<string[]> => Object.keys((await client.json<{ paths: object }>('GET', '/openapi/v2')).paths);
  assert.deepEqual(
    (await eventually(paths, (found) => found.some((path) => path.includes('others')))).filter((path) => path.endsWith('/things')),
    ['/apis/others.example.com/v1/things'],
  );
  const index = async (): Promise<object> => (await client.json<{ paths: object }>('GET', '/openapi/v3')).paths;
  await eventually(index, (found) => Object.hasOwn(found, 'apis/others.example.com/v1'));
  assert.match((await client.call('GET', '/openapi/v3/apis/others.example.com/v1?hash=1')).text, /others/);

  await client.call('DELETE', `${apiServices}/v1.others.example.com`);
  assert.equal(await eventually(shown, (found) => found === undefined), undefined);
  assert.equal((await client.call('GET', '/apis/others.example.com/v1')).status, 404);
  assert.deepEqual(
    (await paths()).filter((path) => path.endsWith('/things')),
    [],
  );
});

test('a server that cannot be reached is unavailable, and available as soon as it can', { timeout }, async () => {
  await using server = await startTestServer({ controllers: false });
  await using client = new RawClient(server);
  const port = await (async () => {
    await using passing = new OtherServer();
    await passing.listen();
    return passing.port;
  })();
  await register(client, port);
  const refused = await condition(client, 'False');
  const url = `https://localhost:${port}/apis/others.example.com/v1`;
  assert.equal(refused.reason, 'FailedDiscoveryCheck');
  assert.match(refused.message, /^failing or missing response from (\S+): Get "\1": dial tcp .*: connect: connection refused$/);
  assert.ok(refused.message.includes(url));
  const unavailable = await client.call('GET', '/apis/others.example.com/v1/things');
  assert.deepEqual([unavailable.status, unavailable.text], [503, 'service unavailable\n']);

  const other = new OtherServer();
  await other.listen(port);
  assert.deepEqual((await condition(client, 'True')).message, 'all checks passed');
  other.answers.set('/apis/others.example.com/v1/away', (_, response) => void response.writeHead(302, { location: '/' }).end());
  const redirected = await client.call('GET', '/apis/others.example.com/v1/away');
  assert.deepEqual([redirected.status, redirected.text], [502, 'the backend attempted to redirect this request, which is not permitted']);

  await other[Symbol.asyncDispose]();
  const failed = await client.call('GET', '/apis/others.example.com/v1/things');
  assert.equal(failed.status, 503);
  assert.match(failed.text, /^error trying to reach service: dial tcp .*: connect: connection refused\n$/);
  // That no server responded is reason enough to look again.
  await condition(client, 'False');
});

test('a certificate that nobody vouches for is told, unless nobody wants to know', { timeout }, async () => {
  await using other = new OtherServer();
  await other.listen();
  await using server = await startTestServer({ controllers: false });
  await using client = new RawClient(server);
  await register(client, other.port, { caBundle: Buffer.from(server.authority.certificate).toString('base64') });
  assert.match(
    (await condition(client, 'False')).message,
    /: tls: failed to verify certificate: x509: certificate signed by unknown authority$/,
  );
  const body = { spec: { caBundle: null, insecureSkipTLSVerify: true } };
  const headers = { 'content-type': 'application/merge-patch+json' };
  await client.call('PATCH', `${apiServices}/v1.others.example.com`, { body, headers });
  assert.equal((await condition(client, 'True')).reason, 'Passed');
});
