/**
 * Plays requests for custom resources that a webhook converts against two servers, and compares their responses:
 *
 *   node test/clients/conversions.ts OURS.kubeconfig REFERENCE.kubeconfig [only this case]
 *
 * Each case is a definition of its own, stored as v1, and a conduct of its webhook. Leaves everything behind: start with fresh servers.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { ApiAnswer, ApiClient } from './json-client.ts';
import { connect } from './json-client.ts';
import { normalise } from './normalise.ts';
import type { Reply } from './webhook-server.ts';
import { WebhookServer } from './webhook-server.ts';

const [ours, reference, only] = process.argv.slice(2);
if (ours === undefined || reference === undefined) throw new Error('give two kubeconfigs: ours and the reference');

interface Custom {
  apiVersion: string;
  kind: string;
  metadata: Record<string, unknown>;
  spec?: { host?: string; port?: string; hostPort?: string };
}

interface Conversion {
  readonly uid: string;
  readonly desiredAPIVersion: string;
  readonly objects: readonly Custom[];
}

type Conduct = (request: Conversion, apiVersion: string) => Reply;

/** v1 has host and port, v2 both in one. */
function converted({ spec = {}, ...rest }: Custom, apiVersion: string): Custom {
  if (rest.apiVersion === apiVersion) return { ...rest, spec };
  if (apiVersion.endsWith('/v2')) return { ...rest, apiVersion, spec: { hostPort: `${spec.host}:${spec.port}` } };
  const [host = '', port = ''] = (spec.hostPort ?? '').split(':');
  return { ...rest, apiVersion, spec: { host, port } };
}

const reply = (apiVersion: string, response: object): Reply => ({
  raw: JSON.stringify({ kind: 'ConversionReview', apiVersion, response }),
});
const success = { status: 'Success' };
const changing =
  (change: (object: Custom) => unknown): Conduct =>
  ({ uid, desiredAPIVersion, objects }, apiVersion) =>
    reply(apiVersion, { uid, result: success, convertedObjects: objects.map((one) => change(converted(one, desiredAPIVersion))) });
const metadata = (more: object): Conduct => changing((one) => ({ ...one, metadata: { ...one.metadata, ...more } }));
const raw =
  (text: string, status = 200): Conduct =>
  () => ({ raw: text, status });

const conducts: Readonly<Record<string, Conduct>> = {
  good: changing((one) => one),
  labels: metadata({ labels: { a: 'b' }, annotations: { c: 'd' } }),
  finalizers: metadata({ finalizers: ['example.com/x'], generation: 77 }),
  unlabelled: changing(({ metadata: { labels: _, ...rest }, ...one }) => ({ ...one, metadata: rest })),
  badlabels: metadata({ labels: { 'not a key': 'b' } }),
  oddlabels: metadata({ labels: { a: 1 } }),
  listlabels: metadata({ labels: ['a'] }),
  renamed: metadata({ name: 'other' }),
  moved: metadata({ namespace: 'other' }),
  reborn: metadata({ uid: 'other' }),
  unmetad: changing(({ metadata: _, ...one }) => one),
  kindless: changing((one) => ({ ...one, kind: 'Other' })),
  versionless: changing((one) => ({ ...one, apiVersion: 'other/v1' })),
  unknownfields: changing((one) => ({ ...one, spec: { ...one.spec, more: 1 }, extra: true })),
  failing: ({ uid }, apiVersion) => reply(apiVersion, { uid, result: { status: 'Failure', message: 'I cannot' } }),
  silent: ({ uid }, apiVersion) => reply(apiVersion, { uid, result: { status: 'Failure' } }),
  statusless: ({ uid }, apiVersion) => reply(apiVersion, { uid }),
  uidless: (_, apiVersion) => reply(apiVersion, { uid: 'x', result: success, convertedObjects: [] }),
  few: ({ uid }, apiVersion) => reply(apiVersion, { uid, result: success, convertedObjects: [] }),
  broken: raw('oh no', 500),
  nothing: raw(''),
  responseless: raw('{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1"}'),
  kindless2: raw('{"response":{}}'),
};
const names = Object.keys(conducts).filter((name) => only === undefined || name === only);

await using server = new WebhookServer(
  new Map(
    names.map((name) => [
      `/${name}`,
      ({ request, apiVersion }) => (conducts[name] as Conduct)(request as unknown as Conversion, apiVersion),
    ]),
  ),
);
await server.listen();

function definition(name: string): object {
  const properties = (fields: readonly string[]): object => ({
    openAPIV3Schema: {
      type: 'object',
      properties: { spec: { type: 'object', properties: Object.fromEntries(fields.map((field) => [field, { type: 'string' }])) } },
    },
  });
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${name}s.conversion.example.com` },
    spec: {
      group: 'conversion.example.com',
      names: { plural: `${name}s`, kind: name[0]?.toUpperCase() + name.slice(1) },
      scope: 'Namespaced',
      versions: [
        { name: 'v1', served: true, storage: true, schema: properties(['host', 'port']) },
        { name: 'v2', served: true, storage: false, schema: properties(['hostPort']) },
      ],
      conversion: {
        strategy: 'Webhook',
        webhook: {
          conversionReviewVersions: ['v1'],
          clientConfig: { url: `https://127.0.0.1:${server.port}/${name}`, caBundle: server.caBundle },
        },
      },
    },
  };
}

type Step = readonly [method: string, path: string, body?: unknown, type?: string];

function steps(name: string): Step[] {
  const at = (version: string): string => `/apis/conversion.example.com/${version}/namespaces/default/${name}s`;
  const kind = name[0]?.toUpperCase() + name.slice(1);
  const object = (version: string, of: string, spec: object): object => ({
    apiVersion: `conversion.example.com/${version}`,
    kind,
    metadata: { name: of, labels: { own: 'label' } },
    spec,
  });
  return [
    ['POST', at('v1'), object('v1', 'one', { host: 'a', port: '1' })],
    ['GET', `${at('v1')}/one`],
    ['GET', `${at('v2')}/one`],
    ['GET', at('v1')],
    ['GET', at('v2')],
    ['POST', at('v2'), object('v2', 'two', { hostPort: 'b:2' })],
    ['GET', `${at('v1')}/two`],
    ['PATCH', `${at('v2')}/one`, { spec: { hostPort: 'c:3' } }, 'application/merge-patch+json'],
    ['PATCH', `${at('v2')}/two?fieldManager=me&force=true`, object('v2', 'two', { hostPort: 'd:4' }), 'application/apply-patch+yaml'],
    ['PATCH', `${at('v2')}/three?fieldManager=me`, object('v2', 'three', { hostPort: 'd:4' }), 'application/apply-patch+yaml'],
    ['GET', at('v1')],
    ['GET', at('v2')],
    ['GET', `${at('v2')}?limit=500`],
    ['DELETE', `${at('v2')}/one`],
    ['DELETE', `${at('v1')}/two`],
    ['GET', at('v1')],
  ];
}

interface Shown {
  readonly status: number;
  readonly warning: unknown;
  readonly body: { readonly message?: string };
}

function shown({ status, body, warning }: ApiAnswer): Shown {
  const text = JSON.stringify(body, (key, value: unknown) =>
    key === 'managedFields' ? undefined : key === 'retryAfterSeconds' ? 'SECONDS' : value,
  );
  return { status, warning, body: JSON.parse(normalise(text)) as Shown['body'] };
}

const unfilled = 'storage is (re)initializing: failed to list <unspecified>: ';
const settleMs = 60_000;

/**
 * Upstream learns that it cannot fill its watch cache up to half a minute after the write that it cannot read. A list that fails is asked again until it
 * fails in those words; after how many seconds a client may come back depends on how long that lasts.
 */
async function answer(client: ApiClient, [method, path, body, type]: Step): Promise<Shown> {
  const isList = method === 'GET' && path.endsWith('s');
  for (const deadline = performance.now() + settleMs; ; await sleep(250)) {
    const { status, ...rest } = await client.request(method, path, body, type);
    const response = shown({ status, ...rest });
    const isSettled = status === 200 || response.body.message?.startsWith(unfilled) === true;
    if (!isList || isSettled || performance.now() > deadline) return response;
  }
}

const clients: readonly ApiClient[] = [connect(ours), connect(reference)];
for (const client of clients) {
  for (const name of names) {
    const { status, body } = await client.request('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition(name));
    if (status !== 201) throw new Error(JSON.stringify(body));
  }
}
await sleep(6000);
let answers = 0;
let differences = 0;
const play = async (name: string): Promise<void> => {
  for (const step of steps(name)) {
    const [left, right] = await Promise.all(clients.map((client) => answer(client, step)));
    answers++;
    if (isDeepStrictEqual(left, right)) continue;
    differences++;
    console.log(`\n${name}: ${step[0]} ${step[1]}\n  ours      ${JSON.stringify(left)}\n  reference ${JSON.stringify(right)}`);
  }
};
await Promise.all(names.map(play));
console.log(`\n${answers} answers of ${names.length} cases, ${differences} different`);
for (const client of clients) client.close();
process.exitCode = differences === 0 ? 0 : 1;
