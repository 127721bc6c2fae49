/**
 * `npm run test:kubelets [-- --executable FILE]`: requests that go on to kubelets, pods and services, through ours and through
 * upstream, to the same kubelet (that of kwok) and the same pod. kubectl and plain requests must get the same from both.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createAuthority, issueCertificate } from '../../src/base/tls/certificate.ts';
import { EtcdProcess, freePort } from '../etcd/etcd-process.ts';
import { ApiServerProcess } from '../servers/api-server-process.ts';
import { KwokKubelet } from '../servers/kwok-kubelet.ts';
import { installOurs } from '../servers/our-package.ts';
import { findReference } from '../servers/reference-binaries.ts';
import type { Command, Question } from './kubelet-cases.ts';
import { commands, questions } from './kubelet-cases.ts';
import { step } from './step.ts';
import { textDiff } from './text-diff.ts';

const { values } = parseArgs({ options: { executable: { type: 'string' } } });
const root = mkdtempSync(join(tmpdir(), 'wheelhouse-kubelets-'));
await using owned = new AsyncDisposableStack();
owned.defer(() => rmSync(root, { recursive: true, force: true }));

/** Loopback is not proxied to. */
const address = Object.values(networkInterfaces())
  .flatMap((list) => list ?? [])
  .find(({ internal, family }) => !internal && family === 'IPv4')?.address;
if (address === undefined) throw new Error('this machine has no address but loopback, which nobody is proxied to');

const page =
  '<!doctype html><html><head><title>a < b</title><link href=/x.css></head><body><a href="/abs?a=1&amp;b=2">x</a><a href="rel">y</a></body></html>';

/** What a pod serves: what it was asked, and some responses of other kinds. */
const pod = createServer((incoming, answer) => {
  let size = 0;
  incoming.on('data', (chunk: Buffer) => (size += chunk.length));
  incoming.on('end', () => {
    const [, what = '', rest = ''] = /^\/(redirect|status|page|hang-up)\/?(.*)$/.exec(incoming.url ?? '') ?? [];
    if (what === 'redirect') answer.writeHead(302, { location: incoming.url?.slice('/redirect'.length) ?? '' }).end();
    else if (what === 'status') answer.writeHead(Number(rest), { 'x-thing': '1', 'access-control-allow-origin': '*' }).end('text');
    else if (what === 'page') answer.writeHead(200, { 'content-type': 'text/html' }).end(page);
    else if (what === 'hang-up') incoming.socket.destroy();
    else {
      const { 'accept-encoding': _encoding, host: _host, ...headers } = incoming.headers;
      const sorted = Object.fromEntries(Object.entries(headers).toSorted());
      answer
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ method: incoming.method, url: incoming.url, headers: sorted, size }));
    }
  });
});
pod.on('upgrade', (incoming, socket) => {
  socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\nConnection: Upgrade\r\nX-Url: ${incoming.url}\r\n\r\n`);
  socket.pipe(socket);
});
await new Promise<void>((resolve) => pod.listen(0, '0.0.0.0', resolve));
owned.defer(() => void pod.close());
owned.defer(() => pod.closeAllConnections());
const podPort = (pod.address() as AddressInfo).port;

const validity = { from: new Date(Date.now() - 86_400_000), to: new Date(Date.now() + 86_400_000) };
const authority = createAuthority({ commonName: 'kubelets' }, validity);
const issue = (names: readonly string[]): ReturnType<typeof issueCertificate> =>
  issueCertificate(authority, { subject: { commonName: 'kubelet' }, uses: ['server'], names, validity });
writeFileSync(join(root, 'kubelet-ca.crt'), authority.certificate);
const flags = [`--kubelet-certificate-authority=${join(root, 'kubelet-ca.crt')}`];

const container = { image: 'x', ports: [{ containerPort: podPort }] };
const meta = (name: string): object => ({ name, namespace: 'default' });

async function furnish(server: ApiServerProcess, kubeletPort: number): Promise<void> {
  const nodes = { near: [address, 1], far: ['no-such-host.invalid', 1], here: ['127.0.0.1', kubeletPort], dead: ['127.0.0.1', 1] } as const;
  for (const [name, [at, port]] of Object.entries({ ...nodes, impostor: ['localhost', kubeletPort] })) {
    await server.post('/api/v1/nodes', { metadata: { name } });
    const status = { addresses: [{ type: 'InternalIP', address: at }], daemonEndpoints: { kubeletEndpoint: { Port: port } } };
    await server.request('PATCH', `/api/v1/nodes/${name}/status`, { status });
  }
  await server.post('/api/v1/nodes', { metadata: { name: 'unknown' } });
  await server.request('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
  const pods = { one: ['here', 'a'], two: ['here', 'a', 'b'], dead: ['dead', 'a'], nowhere: ['', 'a'], distrusted: ['impostor', 'a'] };
  for (const [name, [nodeName, ...containers]] of Object.entries(pods)) {
    const spec = { nodeName, automountServiceAccountToken: false, containers: containers.map((one) => ({ name: one, ...container })) };
    await server.post('/api/v1/namespaces/default/pods', { metadata: meta(name), spec });
    const podIPs = name === 'one' ? [{ ip: address }] : [];
    const status = { phase: nodeName === '' ? 'Pending' : 'Running', podIPs, podIP: podIPs[0]?.ip };
    await server.request('PATCH', `/api/v1/namespaces/default/pods/${name}/status`, { status });
  }
  const ports = [
    { name: 'http', port: 80 },
    { name: 'dead', port: 81 },
  ];
  await server.post('/api/v1/namespaces/default/services', { metadata: meta('web'), spec: { ports } });
  await server.post('/apis/discovery.k8s.io/v1/namespaces/default/endpointslices', {
    metadata: { ...meta('web'), labels: { 'kubernetes.io/service-name': 'web' } },
    addressType: 'IPv4',
    ports: [
      { name: 'http', port: podPort },
      { name: 'dead', port: 1 },
    ],
    endpoints: [
      { addresses: [address], targetRef: { kind: 'Pod', namespace: 'default', name: 'one' } },
      // Not where the pod is, and unused: not to be called.
      { addresses: ['192.0.2.1'], targetRef: { kind: 'Pod', namespace: 'default', name: 'one' } },
      { addresses: ['192.0.2.2'] },
    ],
  });
}

interface Side {
  readonly server: ApiServerProcess;
  readonly shown: (text: string) => string;
}

async function start(executable: string, storage: 'embedded' | { etcd: string }, folder: string): Promise<Side> {
  const server = owned.use(await ApiServerProcess.start({ executable, storage, folder, flags }));
  // Times and processes that kubectl logs with.
  const shown = (text: string): string => text.replaceAll(server.url, 'SERVER').replaceAll(/^E\d{4} \S+ +\d+ /gm, 'E ');
  return { server, shown };
}

async function run({ server, shown }: Side, { line, input = '', spdy = false }: Command): Promise<string> {
  const environment = spdy ? { KUBECTL_REMOTE_COMMAND_WEBSOCKETS: 'false', KUBECTL_PORT_FORWARD_WEBSOCKETS: 'false' } : {};
  const child = spawn(findReference('kubectl'), ['--kubeconfig', server.files.kubeconfig, ...step(line).args], {
    env: { ...process.env, ...environment },
    timeout: 60_000,
  });
  const texts = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (part: string) => (texts.out += part));
  child.stderr.setEncoding('utf8').on('data', (part: string) => (texts.err += part));
  // A command may end before it has read everything.
  child.stdin.on('error', () => {}).end(input);
  const [code] = (await once(child, 'close')) as [number | null];
  return shown(`exit ${code}\n${texts.out}${texts.err}`);
}

/** What servers and connections differ in. */
const passing: ReadonlySet<string> = new Set([
  'audit-id',
  'cache-control',
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'transfer-encoding',
]);
const lasting = (headers: IncomingHttpHeaders): object =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !passing.has(name) && !name.startsWith('x-kubernetes-pf-')));

function ask({ server, shown }: Side, { method, path, headers, body }: Question): Promise<string> {
  const url = `${server.url}${path.replace('POD', String(podPort))}`;
  return new Promise((resolve, reject) => {
    const tell = (answer: object): void => resolve(shown(JSON.stringify(answer, undefined, 1)));
    const asked = request(url, { ...server.credentials, method, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => tell({ status: response.statusCode, headers: lasting(response.headers), text }));
    });
    asked.on('upgrade', (response, socket) => {
      socket.once('data', (data) => {
        tell({ status: response.statusCode, headers: lasting(response.headers), echo: String(data) });
        socket.destroy();
      });
      socket.write('echo');
    });
    asked.on('error', reject);
    asked.end(body);
  });
}

/** Asks a pod three times through one command. */
async function throughPort({ server, shown }: Side, spdy: boolean): Promise<string> {
  const port = await freePort();
  const child = spawn(findReference('kubectl'), ['--kubeconfig', server.files.kubeconfig, 'port-forward', 'pod/one', `${port}:8080`], {
    env: { ...process.env, KUBECTL_PORT_FORWARD_WEBSOCKETS: String(!spdy) },
    timeout: 60_000,
  });
  const closed = once(child, 'close');
  let told = '';
  const ready = new Promise<void>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      told += part;
      if (told.includes('Forwarding')) resolve();
    });
  });
  await Promise.race([ready, closed]);
  for (const path of ['/1', '/2', '/3']) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: 'close' } }).then(
      (response) => response.text(),
      (error: unknown) => String(error),
    );
    told += `${answer}\n`;
  }
  child.kill();
  await closed;
  return shown(told.replaceAll(String(port), 'PORT'))
    .split('\n')
    .toSorted()
    .join('\n');
}

const log = Array.from({ length: 40 }, (_, at) => `2026-01-01T00:00:${at + 10}.000000000Z stdout F line ${at}\n`).join('');
const etcd = owned.use(await EtcdProcess.start());
const reference = await start(findReference('kube-apiserver'), { etcd: etcd.endpoint }, join(root, 'reference'));
const ours = await start(values.executable ?? installOurs(join(root, 'package')), 'embedded', join(root, 'ours'));
const { kubeconfig } = reference.server.files;
const kubelet = owned.use(
  await KwokKubelet.start({ folder: join(root, 'kubelet'), kubeconfig, serving: issue(['127.0.0.1']), log, podPort }),
);
for (const { server } of [reference, ours]) await furnish(server, kubelet.port);

let [compared, different] = [0, 0];
async function compare(what: string, look: (side: Side) => Promise<string>): Promise<void> {
  const [expected, actual] = (await Promise.all([look(reference), look(ours)])) as [string, string];
  compared++;
  if (expected === actual) return;
  different++;
  console.log(`✖ ${what}\n${textDiff(expected, actual).split('\n').slice(0, 12).join('\n')}`);
}
for (const command of commands)
  await compare(`kubectl ${command.line}${command.spdy === true ? ' (SPDY)' : ''}`, (side) => run(side, command));
for (const question of questions) await compare(`${question.method} ${question.path}`, (side) => ask(side, question));
for (const spdy of [false, true]) await compare(`kubectl port-forward${spdy ? ' (SPDY)' : ''}`, (side) => throughPort(side, spdy));
console.log(`${compared - different} of ${compared} the same`);
process.exitCode = different > 0 ? 1 : 0;
