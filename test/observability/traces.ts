/**
 * `npm run test:traces [-- --ours EXECUTABLE] [-- --show]`: the same requests, each within a trace of its own, to ours and to upstream, with
 * webhooks and an etcd; both export their spans to a receiver, and the trees are compared: names, kinds, attributes, events, parents.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as startRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { textDiff } from '../clients/text-diff.ts';
import type { Asked } from '../clients/webhook-server.ts';
import { WebhookServer } from '../clients/webhook-server.ts';
import { EtcdProcess } from '../etcd/etcd-process.ts';
import { ApiServerProcess } from '../servers/api-server-process.ts';
import { installOurs } from '../servers/our-package.ts';
import { findReference } from '../servers/reference-binaries.ts';
import type { ReceivedSpan } from './otlp-receiver.ts';
import { OtlpReceiver } from './otlp-receiver.ts';

const { values } = parseArgs({ options: { ours: { type: 'string' }, show: { type: 'boolean', default: false } } });
const root = mkdtempSync(join(tmpdir(), 'wheelhouse-traces-'));
await using owned = new AsyncDisposableStack();
owned.defer(() => rmSync(root, { recursive: true, force: true }));

const accept = { response: { allowed: true } };
const patch = Buffer.from('[{"op":"add","path":"/metadata/labels","value":{"mutated":"yes"}}]').toString('base64');
const webhooks = owned.use(
  new WebhookServer(
    new Map([
      ['/mutate', () => ({ response: { allowed: true, patchType: 'JSONPatch', patch } })],
      ['/validate', () => accept],
    ]),
  ),
);
await webhooks.listen();

interface Step {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  /** ours reads from its watch cache where upstream asks etcd: the trees differ in what reading is a part of, and in nothing else */
  readonly isCached?: boolean;
}

const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'traced' }, data: { a: 'b' } };
const folder = '/api/v1/namespaces/default/configmaps';
/** Each is one trace. */
const steps: readonly Step[] = [
  { name: 'create with webhooks and etcd', method: 'POST', path: folder, body: configMap },
  { name: 'create of what is there', method: 'POST', path: folder, body: configMap, isCached: true },
  { name: 'get', method: 'GET', path: `${folder}/traced`, isCached: true },
  { name: 'get of what is not there', method: 'GET', path: `${folder}/missing`, isCached: true },
  { name: 'list', method: 'GET', path: `${folder}?limit=5`, isCached: true },
  { name: 'update', method: 'PUT', path: `${folder}/traced`, body: { ...configMap, data: { a: 'c' } } },
  { name: 'patch', method: 'PATCH', path: `${folder}/traced`, body: { data: { a: 'd' } } },
  { name: 'delete', method: 'DELETE', path: `${folder}/traced`, isCached: true },
  { name: 'a plain path', method: 'GET', path: '/healthz/ping' },
];

function hook(name: string, path: string): object {
  return {
    name: `${name}.example.com`,
    clientConfig: { url: `https://127.0.0.1:${webhooks.port}${path}`, caBundle: webhooks.caBundle },
    rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'], scope: 'Namespaced' }],
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'default' } },
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  };
}

function ask(server: ApiServerProcess, { method, path, body }: Step, traceId: string): Promise<number> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const headers = {
    accept: 'application/json',
    'user-agent': 'tracer/1',
    traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
    baggage,
    ...(text !== undefined && {
      'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
      'content-length': Buffer.byteLength(text),
    }),
  };
  return new Promise((resolve, reject) => {
    const asked = startRequest(`${server.url}${path}`, { ...server.credentials, method, headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    });
    asked.on('error', reject);
    asked.end(text);
  });
}

const traceIdOf = (index: number): string => `4bf92f3577b34da6a3ce929d0e0e${String(index).padStart(4, '0')}`;

/** One value has to be escaped, one need not be, and one is nothing that can be passed on. */
const baggage = 'tenant=a%20b;secret,order=%41, broken';

interface Played {
  /** of all steps, as text */
  readonly trees: readonly string[];
  /** what webhooks were sent besides the review */
  readonly passedOn: readonly string[];
}

/** One server with its own etcd and receiver. */
async function play(executable: string, name: string): Promise<Played> {
  await using parts = new AsyncDisposableStack();
  const receiver = parts.use(await OtlpReceiver.start());
  const etcd = parts.use(await EtcdProcess.start());
  const config = join(root, `${name}.yaml`);
  writeFileSync(config, `apiVersion: apiserver.config.k8s.io/v1\nkind: TracingConfiguration\nendpoint: ${receiver.endpoint}\n`);
  const server = parts.use(
    await ApiServerProcess.start({
      executable,
      folder: join(root, name),
      storage: { etcd: etcd.endpoint },
      flags: [`--tracing-config-file=${config}`],
    }),
  );
  for (const [kind, path] of [
    ['Mutating', '/mutate'],
    ['Validating', '/validate'],
  ] as const) {
    await server.post(`/apis/admissionregistration.k8s.io/v1/${kind.toLowerCase()}webhookconfigurations`, {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: `${kind}WebhookConfiguration`,
      metadata: { name: 'traced' },
      webhooks: [hook(path.slice(1), path)],
    });
  }
  await untilCalled(server);
  webhooks.takeAsked();
  for (const [index, step] of steps.entries()) {
    await ask(server, step, traceIdOf(index));
    // Until its watch cache has seen the write, upstream makes the next one twice.
    await sleep(500);
  }
  const wanted = new Set(steps.map((_, index) => traceIdOf(index)));
  let known = -1;
  // Spans are sent every five seconds: when no more have come for longer than that, all have.
  for (;;) {
    const count = receiver.spans.filter(({ traceId }) => wanted.has(traceId)).length;
    if (count === known && count > 0) break;
    known = count;
    await sleep(8000);
  }
  return {
    trees: steps.map((_, index) => treeText(receiver.spans.filter(({ traceId }) => traceId === traceIdOf(index)))),
    passedOn: webhooks.takeAsked().map(({ url, headers }) => `${url} ${contextText(headers)}`),
  };
}

/** Members of baggage come in any order. */
function contextText({ traceparent, baggage: passed }: Asked['headers']): string {
  const traceId = String(traceparent).split('-')[1] ?? '';
  return `trace ${traceId}, baggage ${String(passed).split(',').toSorted().join(',')}`;
}

/** Without what tells a read of the watch cache from one of etcd. */
function withoutReads(tree: string): string {
  const kept: string[] = [];
  let hidden = Infinity;
  for (const line of tree.split('\n')) {
    const indent = line.search(/\S/);
    if (indent > hidden) continue;
    hidden = /^\s*(Get etcd3|cacher\.GetList|etcdserverpb\.KV\/Range) /.test(line) ? indent : Infinity;
    if (hidden === Infinity) kept.push(line);
  }
  return kept.join('\n');
}

/** A server takes a moment to learn of its webhooks. */
async function untilCalled(server: ApiServerProcess): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    webhooks.takeAsked();
    const body = { ...configMap, metadata: { name: `probe-${attempt}` } };
    await server.request('POST', `${folder}?dryRun=All`, body);
    if (webhooks.takeAsked().length === 2) return;
    if (attempt > 100) throw new Error('the webhooks are not called');
    await sleep(200);
  }
}

/** What is different each time. */
const varying: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UUID'],
  [/127\.0\.0\.1:\d+/g, 'ADDRESS'],
];
/** Ports, durations, sizes and revisions; and what is about the process. */
const varyingValues: ReadonlySet<string> = new Set([
  'network.peer.port',
  'client.port',
  'server.port',
  'net.peer.port',
  'net.sock.peer.port',
]);

function treeText(spans: readonly ReceivedSpan[]): string {
  const children = new Map<string, ReceivedSpan[]>();
  const ids = new Set(spans.map(({ id }) => id));
  for (const span of spans) {
    const parent = ids.has(span.parentId) ? span.parentId : span.parentId === '00f067aa0ba902b7' ? 'client' : 'elsewhere';
    children.set(parent, [...(children.get(parent) ?? []), span]);
  }
  const lines: string[] = [];
  const show = (span: ReceivedSpan, indent: string): void => {
    const attributes = [...span.attributes].map(([key, value]) => `${key}=${varyingValues.has(key) ? 'PORT' : value}`).toSorted();
    lines.push(`${indent}${span.name} (${span.scope}, kind ${span.kind}, status ${span.status}) ${attributes.join(', ')}`);
    for (const event of span.events) {
      const about = [...event.attributes].map(([key, value]) => `${key}=${value}`).toSorted();
      lines.push(`${indent}  * ${event.name} ${about.join(', ')}`.trimEnd());
    }
    // They come in the order in which they are exported, which depends on what is in one batch.
    const parts = (children.get(span.id) ?? []).toSorted((a, b) => (a.name < b.name ? -1 : 1));
    for (const part of parts) show(part, `${indent}  `);
  };
  for (const origin of ['client', 'elsewhere']) {
    for (const span of children.get(origin) ?? []) {
      lines.push(`from ${origin}:`);
      show(span, '  ');
    }
  }
  return varying.reduce((text, [pattern, shown]) => text.replaceAll(pattern, shown), lines.join('\n'));
}

const executables = [
  ['upstream', findReference('kube-apiserver')],
  ['ours', values.ours ?? (await installOurs(root))],
] as const;
const [expected, actual] = [await play(executables[0][1], executables[0][0]), await play(executables[1][1], executables[1][0])];
let same = 0;
let cached = 0;
let wrong = 0;
for (const [index, { name, isCached }] of steps.entries()) {
  const [wanted = '', got = ''] = [expected.trees[index], actual.trees[index]];
  if (values.show) console.log(`=== ${name}\n${wanted}`);
  if (wanted === got && wanted !== '') same++;
  else if (isCached === true && withoutReads(wanted) === withoutReads(got) && wanted !== '') cached++;
  else {
    wrong++;
    console.log(`--- ${name}\n${textDiff(wanted, got)}`);
  }
}
const [wanted, got] = [expected.passedOn.join('\n'), actual.passedOn.join('\n')];
if (wanted !== got || wanted === '') {
  wrong++;
  console.log(`--- what webhooks are sent\n${textDiff(wanted, got)}`);
}
console.log(`${same} of ${steps.length} traces as upstream's, ${cached} but for reading the watch cache and not etcd, ${wrong} differ`);
process.exitCode = wrong === 0 ? 0 : 1;
