/**
 * `npm run test:audit [-- --only PATTERN] [-- --ours EXECUTABLE] [-- --show]`: the same requests under the same audit policy, to ours and to
 * upstream; then their audit logs are compared, event by event. Each request brings the id that its events have.
 */
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { request as startRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { EtcdProcess } from '../etcd/etcd-process.ts';
import { ApiServerProcess } from '../servers/api-server-process.ts';
import { installOurs } from '../servers/our-package.ts';
import { findReference } from '../servers/reference-binaries.ts';
import type { AuditCase } from './audit-cases.ts';
import { before, cases, namespaces, policy } from './audit-cases.ts';
import { normalise } from './normalise.ts';
import { textDiff } from './text-diff.ts';

interface Recorded {
  readonly auditID: string;
  readonly stage: string;
  readonly requestReceivedTimestamp: string;
  readonly stageTimestamp: string;
  readonly annotations?: Record<string, string>;
}

interface EventList {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: object;
  readonly items: readonly Recorded[];
}

const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, ours: { type: 'string' }, show: { type: 'boolean', default: false } },
});
const root = mkdtempSync(join(tmpdir(), 'wheelhouse-audit-'));
await using owned = new AsyncDisposableStack();
owned.defer(() => rmSync(root, { recursive: true, force: true }));
const etcd = owned.use(await EtcdProcess.start());
const policyFile = join(root, 'policy.json');
writeFileSync(policyFile, JSON.stringify(policy));

/** Gets the events too, in batches, and without their objects where they are large. */
class Receiver implements AsyncDisposable {
  readonly events: Recorded[] = [];
  readonly requests = new Set<string>();
  readonly #server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { kind, apiVersion, metadata, items } = JSON.parse(Buffer.concat(chunks).toString()) as EventList;
      const { accept, 'content-type': type, authorization } = request.headers;
      this.requests.add(
        JSON.stringify({ method: request.method, url: request.url, accept, type, authorization, kind, apiVersion, metadata }),
      );
      this.events.push(...items);
      response.end('{}');
    });
  });

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/events`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

const receivers = { ours: owned.use(new Receiver()), reference: owned.use(new Receiver()) };

async function kubeconfigFor(name: keyof typeof receivers): Promise<string> {
  const file = join(root, `${name}.kubeconfig`);
  const kubeconfig = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster: { server: await receivers[name].listen() } }],
    users: [{ name: 'u', user: { token: 'secret' } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  };
  writeFileSync(file, JSON.stringify(kubeconfig));
  return file;
}

const logOf = (name: string): string => join(root, name, 'audit', 'audit.log');
async function start(name: 'ours' | 'reference'): Promise<ApiServerProcess> {
  const flags = [
    `--audit-policy-file=${policyFile}`,
    `--audit-log-path=${logOf(name)}`,
    `--audit-webhook-config-file=${await kubeconfigFor(name)}`,
    '--audit-webhook-batch-max-size=7',
    '--audit-webhook-batch-max-wait=1s',
    '--audit-webhook-batch-throttle-qps=100',
    '--audit-webhook-truncate-enabled',
    '--audit-webhook-truncate-max-event-size=2500',
    '--audit-webhook-truncate-max-batch-size=8000',
  ];
  const folder = join(root, name);
  mkdirSync(folder, { recursive: true });
  const executable = name === 'reference' ? findReference('kube-apiserver') : (values.ours ?? installOurs(join(root, 'package')));
  return ApiServerProcess.start({ executable, folder, flags, storage: name === 'ours' ? 'embedded' : { etcd: etcd.endpoint } });
}

const selected = Object.entries(cases).filter(([name]) => new RegExp(values.only).test(name));
const idOf = (name: string): string => `case-${name.replaceAll(/[^A-Za-z]+/g, '-')}`;

/** Resolves when the response has ended. */
function send(server: ApiServerProcess, id: string, one: AuditCase): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const text = one.text ?? (one.body === undefined ? undefined : JSON.stringify(one.body));
  const headers = {
    accept: 'application/json',
    'user-agent': 'judge',
    'audit-id': id,
    ...(text !== undefined && { 'content-type': one.type ?? 'application/json', 'content-length': Buffer.byteLength(text) }),
    ...one.headers,
  };
  const identity = one.anonymous === true ? { ca: server.credentials.ca } : server.credentials;
  const asked = startRequest(`${server.url}${one.path}`, { ...identity, agent: false, method: one.method, headers }, (response) => {
    if (response.headers['audit-id'] !== id) console.log(`✖ ${id}: answered under the id ${String(response.headers['audit-id'])}`);
    response.resume();
    response.on('end', resolve);
    if (one.leaves === true)
      void sleep(300)
        .then(() => asked.destroy())
        .then(() => resolve());
    else response.on('error', reject);
  });
  asked.on(
    'upgrade',
    (_response, socket) =>
      void sleep(300)
        .then(() => socket.destroy())
        .then(() => resolve()),
  );
  asked.on('error', reject);
  asked.end(text);
  return promise;
}

async function play(server: ApiServerProcess): Promise<void> {
  for (const name of namespaces) {
    const labels = name === 'full' ? { 'pod-security.kubernetes.io/audit': 'restricted' } : {};
    await server.post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });
    await server.post(`/api/v1/namespaces/${name}/serviceaccounts`, {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'default' },
    });
  }
  for (const [path, object] of before) await server.post(path, object);
  while ((await server.request('GET', '/apis/example.com/v1/widgets')).status !== 200) await sleep(100);
  // upstream looks at policies once a second
  await sleep(2500);
  for (const [name, one] of selected) await send(server, idOf(name), one);
  // the end of a watch is recorded after its client has heard of it, and the last batch is waited for
  await sleep(2500);
}

const byId = (events: readonly Recorded[]): Map<string, Recorded[]> => Map.groupBy(events, ({ auditID }) => auditID);

function logged(name: keyof typeof receivers): Map<string, Recorded[]> {
  const lines = readFileSync(logOf(name), 'utf8').trimEnd().split('\n');
  return byId(lines.map((line) => JSON.parse(line) as Recorded));
}

/** Batches overtake each other. */
function received(name: keyof typeof receivers): Map<string, Recorded[]> {
  return byId(receivers[name].events.toSorted((a, b) => (a.stageTimestamp < b.stageTimestamp ? -1 : 1)));
}

const microseconds = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

/** In the order in which they were written, keys too. How long a layer took is known to upstream only. */
function shown(events: readonly Recorded[] = []): string {
  return events
    .map((event) => {
      const { requestReceivedTimestamp: received, stageTimestamp: at } = event;
      const isSound =
        microseconds.test(received) && microseconds.test(at) && received <= at && (event.stage !== 'RequestReceived' || received === at);
      const text = JSON.stringify(event, (key, value: unknown) => (key.startsWith('apiserver.latency.k8s.io/') ? undefined : value), 1);
      return `${isSound ? '' : `times: ${received} ${at}\n`}${normalise(text)
        .replaceAll(/(?<="g-)[a-z0-9]{5}(?=")/g, 'SUFFIX')
        .replaceAll(/"\d+s"/g, '"AGE"')
        .replaceAll(/("serverAddress": "[^"]*):\d+"/g, '$1:PORT"')}`;
    })
    .join('\n');
}

const servers = { ours: owned.use(await start('ours')), reference: owned.use(await start('reference')) };
await Promise.all(Object.values(servers).map(play));
let [events, different] = [0, 0];
for (const [where, recorded] of Object.entries({ log: logged, webhook: received })) {
  const [ours, reference] = [recorded('ours'), recorded('reference')];
  for (const [name] of selected) {
    const [expected, actual] = [reference.get(idOf(name)), ours.get(idOf(name))];
    events += expected?.length ?? 0;
    if (values.show) console.log(`${name}\n${shown(expected)}`);
    if (shown(expected) === shown(actual)) continue;
    different++;
    console.log(`✖ ${where}: ${name}\n${textDiff(shown(expected), shown(actual))}`);
  }
}
const [asked, expected] = [receivers.ours, receivers.reference].map(({ requests }) => [...requests].join('\n'));
if (asked !== expected) console.log(`✖ the webhook is called otherwise\n${textDiff(expected ?? '', asked ?? '')}`);
console.log(
  `\n${selected.length} requests, ${events} events in log and webhook; ${different} requests recorded otherwise than by upstream`,
);
process.exitCode = different === 0 && events > 0 && asked === expected ? 0 : 1;
