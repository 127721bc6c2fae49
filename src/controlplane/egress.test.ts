import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ConnectProxy } from '../../test/support/connect-proxy.ts';
import { KonnectivityServer } from '../../test/support/konnectivity-server.ts';
import { RawClient } from '../../test/support/raw-client.ts';
import { createAuthority, issueCertificate } from '../base/tls/certificate.ts';
import { startApiServer } from '../index.ts';
import { readEgressConfiguration } from './egress-configuration.ts';

const root = await mkdtemp(join(tmpdir(), 'egress-'));
after(() => rm(root, { recursive: true, force: true }));

const validity = { from: new Date(Date.now() - 3600_000), to: new Date(Date.now() + 3600_000) };
const authority = createAuthority({ commonName: 'ca' }, validity);
const pairFor = (names: string[], uses: ('client' | 'server')[]): { certificate: string; key: string } =>
  issueCertificate(authority, { subject: { commonName: names[0] ?? '' }, uses, names, validity });

function configuration(text: string): string {
  return `apiVersion: apiserver.k8s.io/v1beta1\nkind: EgressSelectorConfiguration\negressSelections:\n${text}\n`;
}

let files = 0;
function file(text: string): string {
  const path = join(root, `file-${files++}`);
  writeFileSync(path, text);
  return path;
}

/** A kubelet and an admission webhook in one. */
async function remote(): Promise<{ port: number } & AsyncDisposable> {
  const pair = pairFor(['127.0.0.1'], ['server']);
  const server = createServer({ cert: pair.certificate, key: pair.key }, (request, response) => {
    if (request.url?.startsWith('/containerLogs/')) {
      response.end('a line of the log\n'.repeat(20_000));
      return;
    }
    let body = '';
    request.on('data', (part: string) => (body += part));
    request.on('end', () => {
      const { request: review } = JSON.parse(body) as { request: { uid: string } };
      const verdict = { uid: review.uid, allowed: false, status: { message: 'as the webhook says' } };
      response.end(JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: verdict }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Proxy extends AsyncDisposable {
  readonly asked: string[];
  fail(): void;
}

/** A log of a pod, and a webhook at a URL, through whatever the configuration names; then nothing, when that fails. */
async function exercise(text: string, proxy: Proxy, failure: RegExp): Promise<void> {
  await using there = await remote();
  const { ...egress } = { file: file(configuration(text)) };
  await using server = await startApiServer({
    egress,
    admission: { disable: ['ServiceAccount'] },
    kubelets: { port: there.port, authorities: authority.certificate, addressTypes: ['InternalIP'] },
  });
  await using client = new RawClient(server);
  const post = async (path: string, body: object): Promise<{ status: number; text: string }> => client.call('POST', path, { body });
  assert.equal((await post('/api/v1/nodes', { metadata: { name: 'n' } })).status, 201);
  const status = { addresses: [{ type: 'InternalIP', address: '127.0.0.1' }] };
  const patched = await client.call('PATCH', '/api/v1/nodes/n/status', {
    body: { status },
    headers: { 'content-type': 'application/merge-patch+json' },
  });
  assert.equal(patched.status, 200, patched.text);
  const pod = { metadata: { name: 'p' }, spec: { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] } };
  const made = await post('/api/v1/namespaces/default/pods', pod);
  assert.equal(made.status, 201, made.text);
  const log = await client.call('GET', '/api/v1/namespaces/default/pods/p/log');
  assert.equal(log.text.length, 20_000 * 18, log.text.slice(0, 300));
  assert.deepEqual(proxy.asked, [`127.0.0.1:${there.port}`]);
  const webhook = {
    metadata: { name: 'w' },
    webhooks: [
      {
        name: 'w.example.com',
        clientConfig: { url: `https://127.0.0.1:${there.port}/`, caBundle: Buffer.from(authority.certificate).toString('base64') },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['secrets'], operations: ['CREATE'] }],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  };
  assert.equal((await post('/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', webhook)).status, 201);
  const refused = await post('/api/v1/namespaces/default/secrets', { metadata: { name: 's' } });
  assert.match(refused.text, /as the webhook says/);
  // The first connection to a webhook shows that it does not speak HTTP/2.
  assert.deepEqual(
    proxy.asked,
    Array.from({ length: 3 }, () => `127.0.0.1:${there.port}`),
  );
  const { text: metrics } = await client.call('GET', '/metrics');
  assert.match(metrics, /apiserver_egress_dialer_dial_start_total\{protocol="(grpc|http_connect)",transport="(tcp|uds)"\} 3/);
  proxy.fail();
  const other = { ...pod, metadata: { name: 'q' } };
  assert.equal((await post('/api/v1/namespaces/default/pods', other)).status, 201);
  // The connection of the first log is kept, and one log at a time would use it: a second one at the same time needs another.
  const [, second] = await Promise.all(['p', 'q'].map((name) => client.call('GET', `/api/v1/namespaces/default/pods/${name}/log`)));
  assert.match(second?.text ?? '', failure);
  const after = (await client.call('GET', '/metrics')).text
    .split('\n')
    .filter((line) => line.startsWith('apiserver_egress_dialer_dial_failure'));
  assert.match(after.join('\n'), /^apiserver_egress_dialer_dial_failure_count\{protocol="\w+",stage="proxy",transport="\w+"\} [1-9]/);
}

const both = (connection: string): string =>
  ['cluster', 'controlplane'].map((name) => `- name: ${name}\n  connection: ${connection}`).join('\n');

for (const way of ['tcp', 'tls', 'unix'] as const) {
  test(`kubelets and webhooks are reached through a proxy that takes CONNECT: ${way}`, async () => {
    const tls = way === 'tls' ? { pair: pairFor(['127.0.0.1'], ['server']), clientAuthority: authority.certificate } : undefined;
    await using proxy = new ConnectProxy(tls);
    const path = join(root, `${way}.sock`);
    const port = await proxy.listen(way === 'unix' ? { path } : undefined);
    const client = pairFor(['client'], ['client']);
    const certificates = `caBundle: ${file(authority.certificate)}, clientCert: ${file(client.certificate)}, clientKey: ${file(client.key)}`;
    const transport = {
      tcp: `{tcp: {url: "http://127.0.0.1:${port}"}}`,
      tls: `{tcp: {url: "https://127.0.0.1:${port}", tlsConfig: {${certificates}}}}`,
      unix: `{uds: {udsName: ${path}}}`,
    }[way];
    const { asked } = proxy;
    const fail = (): void => void (proxy.status = '403 Forbidden');
    const failing = { asked, fail, [Symbol.asyncDispose]: () => Promise.resolve() };
    await exercise(both(`{proxyProtocol: HTTPConnect, transport: ${transport}}`), failing, /proxy error from .* code 403: 403 Forbidden/);
  });
}

test('kubelets and webhooks are reached through konnectivity', async () => {
  await using proxy = new KonnectivityServer();
  const path = join(root, 'konnectivity.sock');
  await proxy.listen(path);
  const { asked } = proxy;
  const fail = (): void => void (proxy.error = 'no agent available');
  const failing = { asked, fail, [Symbol.asyncDispose]: () => Promise.resolve() };
  await exercise(both(`{proxyProtocol: GRPC, transport: {uds: {udsName: ${path}}}}`), failing, /no agent available/);
});

/** What upstream ends with. */
const refused: readonly (readonly [selections: string, text: string])[] = [
  [
    '- {name: cluster, connection: {proxyProtocol: Foo}}',
    'failed to validate egress selector configuration: service.connection.protocol: Unsupported value: "Foo": supported values: "Direct", "HTTPConnect", "GRPC"',
  ],
  [
    '- {name: nope, connection: {proxyProtocol: Direct}}',
    'failed to validate egress selector configuration: service.connection: Unsupported value: "nope": supported values: "cluster", "controlplane", "etcd"',
  ],
  [
    '- {name: cluster, connection: {proxyProtocol: HTTPConnect, transport: {tcp: {url: "ftp://x"}}}}',
    'failed to validate egress selector configuration: service.connection.url: Invalid value: "ftp://x": supported connection protocols are http:// and https://',
  ],
  [
    '- {name: cluster, connection: {proxyProtocol: HTTPConnect, transport: {tcp: {url: "https://x", tlsConfig: {caBundle: /nope}}}}}',
    'failed to validate egress selector configuration: [service.connection.tlsConfig.caBundle: Invalid value: "/nope": TLS config ca bundle does not exist, service.connection.tlsConfig.clientCert: Invalid value: "nil": Using TLS requires clientCert, service.connection.tlsConfig.clientKey: Invalid value: "nil": Using TLS requires requires clientKey]',
  ],
  [
    '- {name: cluster, connection: {proxyProtocol: GRPC}}',
    'failed to validate egress selector configuration: service.connection.transport: Required value: transport must be set for GRPC',
  ],
  [
    '- {name: cluster, connection: {proxyProtocol: GRPC, transport: {uds: {udsName: ""}}}}\n- {name: Cluster, connection: {proxyProtocol: Direct, transport: {}}}',
    'failed to validate egress selector configuration: [service.connection.udsName: Invalid value: "nil": must be present for UDS connections, service.connection.transport: Invalid value: "direct": config must be absent for direct connect, service.connection[1]: Duplicate value: "cluster"]',
  ],
  [
    '- {name: cluster, bogus: 1, connection: {proxyProtocol: Direct}}',
    'failed to read egress selector config: strict decoding error: unknown field "egressSelections[0].bogus"',
  ],
  [
    '- {name: etcd, connection: {proxyProtocol: HTTPConnect, transport: {tcp: {url: "http://x", tlsConfig: {}}, uds: {udsName: x}}}}',
    'failed to validate egress selector configuration: service.connection.tcp: Invalid value: {"URL":"http://x","TLSConfig":{"CABundle":"","ClientKey":"","ClientCert":"","TLSServerName":""}}: TCP and UDS cannot both be set',
  ],
  [
    '- {name: etcd, connection: {proxyProtocol: HTTPConnect, transport: {}}}',
    'failed to validate egress selector configuration: service.connection.tcp: Required value: One of TCP or UDS must be set',
  ],
  [
    '- {name: etcd, connection: {proxyProtocol: HTTPConnect, transport: {tcp: {url: "http://x", tlsConfig: {}}}}}',
    'failed to validate egress selector configuration: service.connection.tlsConfig: Invalid value: "nil": config must not be present when using HTTP',
  ],
];

for (const [selections, message] of refused) {
  test(`refused: ${selections}`, () => assert.throws(() => readEgressConfiguration(configuration(selections)), { message }));
}

test('a file that is not there stops the start, by name', async () => {
  await assert.rejects(startApiServer({ egress: { file: '/nope.yaml' } }), {
    message:
      'failed to read egress selector config: unable to read egress selector configuration from "/nope.yaml" [open /nope.yaml: no such file or directory]',
  });
});
