/**
 * `npm run test:flow-control`: the same requests of the same users to ours and to upstream, under the same flow schemas; which schema and
 * priority level each was of, by the headers of the responses, must be the same, and what both say of objects that are wrong. Then the pages for people and the metrics of both are
 * compared by their columns, names and labels. Needs the programs of Kubernetes v1.37.1 (see README.md).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:https';
import type { IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EtcdProcess } from '../etcd/etcd-process.ts';
import { ApiServerProcess } from '../servers/api-server-process.ts';
import { installOurs } from '../servers/our-package.ts';
import { findReference } from '../servers/reference-binaries.ts';
import { Administrator } from './administrator.ts';
import { oddLevels, oddSchemas } from './flow-control-objects.ts';

const api = '/apis/flowcontrol.apiserver.k8s.io/v1';

interface Named {
  readonly metadata: { readonly name: string; readonly uid: string };
}

const limited = (shares: number, more: object = {}): object => ({
  type: 'Limited',
  limited: {
    nominalConcurrencyShares: shares,
    limitResponse: { type: 'Queue', queuing: { queues: 16, handSize: 3, queueLengthLimit: 20 } },
    ...more,
  },
});
const levels: Readonly<Record<string, object>> = {
  mine: limited(10, { lendablePercent: 30, borrowingLimitPercent: 50 }),
  rejecting: { type: 'Limited', limited: { nominalConcurrencyShares: 3, limitResponse: { type: 'Reject' } } },
};

const everything = { verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] };
const user = (name: string): object => ({ kind: 'User', user: { name } });
const group = (name: string): object => ({ kind: 'Group', group: { name } });
const account = (namespace: string, name: string): object => ({ kind: 'ServiceAccount', serviceAccount: { namespace, name } });

/** Name, level, precedence, rules. */
const schemas: readonly (readonly [name: string, level: string, precedence: number, rules: readonly object[]])[] = [
  ['by-user', 'mine', 700, [{ subjects: [user('ann')], resourceRules: [everything] }]],
  ['by-star-user', 'rejecting', 9800, [{ subjects: [user('*')], resourceRules: [{ ...everything, resources: ['leases'] }] }]],
  ['by-group', 'mine', 710, [{ subjects: [group('staff'), group('none')], resourceRules: [{ ...everything, verbs: ['get', 'list'] }] }]],
  [
    'by-accounts',
    'mine',
    720,
    [{ subjects: [account('team', '*')], resourceRules: [{ ...everything, namespaces: ['team'], clusterScope: false }] }],
  ],
  [
    'by-account',
    'rejecting',
    600,
    [
      {
        subjects: [account('team', 'one')],
        resourceRules: [everything],
        nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/version'] }],
      },
    ],
  ],
  [
    'by-subresource',
    'mine',
    500,
    [{ subjects: [group('system:authenticated')], resourceRules: [{ ...everything, resources: ['pods/status', 'deployments/scale'] }] }],
  ],
  [
    'by-path',
    'mine',
    510,
    [
      {
        subjects: [group('system:authenticated')],
        nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/openapi/*', '/apis', '/logs'] }],
      },
    ],
  ],
  ['dangling', 'nowhere', 100, [{ subjects: [group('*')], resourceRules: [everything] }]],
  ['same-a', 'mine', 400, [{ subjects: [user('twin')], resourceRules: [everything] }]],
  ['same-b', 'rejecting', 400, [{ subjects: [user('twin')], resourceRules: [everything] }]],
];

const users: readonly (readonly [name: string, groups: readonly string[]])[] = [
  ['ann', ['system:authenticated']],
  ['bob', ['staff', 'system:authenticated']],
  ['eve', ['system:authenticated']],
  ['twin', ['system:authenticated']],
  ['system:serviceaccount:team:one', ['system:serviceaccounts', 'system:serviceaccounts:team', 'system:authenticated']],
  ['system:serviceaccount:team:two', ['system:serviceaccounts', 'system:serviceaccounts:team', 'system:authenticated']],
  ['system:serviceaccount:teams:one', ['system:serviceaccounts', 'system:authenticated']],
  ['system:serviceaccount:kube-system:x', ['system:serviceaccounts', 'system:authenticated']],
  ['system:kube-controller-manager', ['system:authenticated']],
  ['system:kube-scheduler', ['system:authenticated']],
  ['system:node:n1', ['system:nodes', 'system:authenticated']],
  ['root', ['system:masters', 'system:authenticated']],
  ['system:anonymous', ['system:unauthenticated']],
];

const requests: readonly (readonly [method: string, path: string])[] = [
  ['GET', '/api/v1/pods'],
  ['GET', '/api/v1/namespaces/team/pods'],
  ['GET', '/api/v1/namespaces/other/pods/p'],
  ['GET', '/api/v1/namespaces/team/pods/p/status'],
  ['PUT', '/apis/apps/v1/namespaces/team/deployments/d/scale'],
  ['DELETE', '/api/v1/namespaces/team/configmaps/none'],
  ['POST', '/api/v1/namespaces/team/configmaps'],
  ['GET', '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/l'],
  ['PUT', '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/l'],
  ['DELETE', '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/l'],
  ['GET', '/api/v1/nodes/n1'],
  ['PATCH', '/api/v1/nodes/n1/status'],
  ['GET', '/api/v1/namespaces/team'],
  ['GET', '/healthz'],
  ['GET', '/livez/ping'],
  ['GET', '/readyz'],
  ['POST', '/healthz'],
  ['GET', '/version'],
  ['GET', '/openapi/v3'],
  ['GET', '/openapi'],
  ['GET', '/apis'],
  ['GET', '/apis/apps'],
  ['GET', '/metrics'],
  ['GET', '/nothing/here'],
  ['GET', '/apis/example.com/v1/things'],
  ['GET', '/apis/example.com/v1/namespaces/team/things/t'],
];

const root = mkdtempSync(join(tmpdir(), 'wheelhouse-flow-control-'));
await using owned = new AsyncDisposableStack();
owned.defer(() => rmSync(root, { recursive: true, force: true }));
const etcd = owned.use(await EtcdProcess.start());
const start = async (name: string, executable: string, storage: { etcd: string } | 'embedded'): Promise<ApiServerProcess> =>
  owned.use(await ApiServerProcess.start({ executable, folder: join(root, name), storage }));
const servers = {
  ours: await start('ours', installOurs(join(root, 'package')), 'embedded'),
  upstream: await start('upstream', findReference('kube-apiserver'), { etcd: etcd.endpoint }),
};

const agent = new Agent({ keepAlive: true, maxSockets: 4 });
owned.defer(() => agent.destroy());

function ask(
  server: ApiServerProcess,
  method: string,
  path: string,
  as?: (typeof users)[number],
): Promise<{ headers: IncomingHttpHeaders; text: string }> {
  const headers = as === undefined ? {} : { 'impersonate-user': as[0], 'impersonate-group': [...as[1]] };
  return new Promise((resolve, reject) => {
    const options = {
      ...server.credentials,
      agent,
      method,
      headers: { ...headers, ...(method !== 'GET' && { 'content-type': 'application/json', 'content-length': '2' }) },
    };
    request(`${server.url}${path}`, options, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => resolve({ headers: response.headers, text: Buffer.concat(parts).toString() }));
      response.on('error', reject);
    })
      .on('error', (error) =>
        reject(new Error(`${method} ${server.url}${path} of ${as?.[0] ?? 'admin'}: ${error.message}`, { cause: error })),
      )
      .end(method === 'GET' ? undefined : '{}');
  });
}

/** Creates the objects and returns names by uid, once the last schema is followed. */
async function prepare(server: ApiServerProcess): Promise<ReadonlyMap<string, string>> {
  const admin = new Administrator(server);
  for (const [name, spec] of Object.entries(levels)) {
    await admin.call('POST', `${api}/prioritylevelconfigurations`, { metadata: { name }, spec });
  }
  for (const [name, level, matchingPrecedence, rules] of schemas) {
    const spec = { priorityLevelConfiguration: { name: level }, matchingPrecedence, rules };
    await admin.call('POST', `${api}/flowschemas`, { metadata: { name }, spec });
  }
  const named = new Map<string, string>();
  for (const plural of ['flowschemas', 'prioritylevelconfigurations']) {
    const { items } = await admin.call<{ items: Named[] }>('GET', `${api}/${plural}`);
    for (const { metadata } of items) named.set(metadata.uid, metadata.name);
  }
  const followed = async (): Promise<boolean> => {
    const { headers } = await ask(server, 'GET', '/api/v1/pods', ['twin', ['system:authenticated']]);
    return named.get(String(headers['x-kubernetes-pf-flowschema-uid'])) === 'same-a';
  };
  for (let attempt = 0; !(await followed()); attempt++) {
    if (attempt > 200) throw new Error(`${server.url} does not follow its flow schemas`);
    await sleep(100);
  }
  return named;
}

async function classify(server: ApiServerProcess): Promise<Map<string, string>> {
  const named = await prepare(server);
  const found = new Map<string, string>();
  for (const as of users) {
    for (const [method, path] of requests) {
      const { headers } = await ask(server, method, path, as);
      const of = (kind: string): string => named.get(String(headers[`x-kubernetes-pf-${kind}-uid`])) ?? 'none';
      found.set(`${method} ${path} of ${as[0]}`, `${of('flowschema')} in ${of('prioritylevel')}`);
    }
  }
  return found;
}

/** What becomes of objects that are wrong, and of a request of an exempt user while those that were accepted are there. */
async function create(server: ApiServerProcess, plural: string, specs: readonly unknown[]): Promise<Map<string, string>> {
  const admin = new Administrator(server);
  const found = new Map<string, string>();
  for (const [index, spec] of specs.entries()) {
    const path = `${api}/${plural}`;
    const { status, object } = await admin.ask<{ message?: string }>('POST', path, { metadata: { name: `odd-${index}` }, spec });
    const exempt = await admin.ask('GET', '/api/v1/namespaces/default');
    found.set(`POST ${path} ${JSON.stringify(spec)}`, `${status} ${object.message ?? ''}, then ${exempt.status}`);
  }
  return found;
}

const columns = async (server: ApiServerProcess, page: string): Promise<string> =>
  ((await ask(server, 'GET', `/debug/api_priority_and_fairness/${page}`)).text.split('\n')[0] ?? '').replaceAll(/,\s+/g, ', ');

/** Name and label names of every series. */
async function series(server: ApiServerProcess): Promise<Set<string>> {
  const { text } = await ask(server, 'GET', '/metrics');
  const lines = text.split('\n').filter((line) => line.startsWith('apiserver_flowcontrol_'));
  return new Set(
    lines.map((line) => {
      const [, name = '', labels = ''] = /^([a-z_]+)(?:\{(.*)\})? /.exec(line) ?? [];
      return `${name.replace(/_(bucket|sum|count)$/, '')}{${[...labels.matchAll(/([a-z_]+)="/g)]
        .map(([, label]) => label)
        .filter((label) => label !== 'le')
        .join(',')}}`;
    }),
  );
}

let passed = 0;
const failed: string[] = [];
const compare = (what: string, ours: string, upstream: string): void => {
  if (ours === upstream) passed++;
  else failed.push(`${what}: ours ${ours}, upstream ${upstream}`);
};

const [ours, upstream] = [await classify(servers.ours), await classify(servers.upstream)];
for (const [what, expected] of upstream) compare(what, ours.get(what) ?? '', expected);
for (const [plural, specs] of [
  ['prioritylevelconfigurations', oddLevels],
  ['flowschemas', oddSchemas],
] as const) {
  const made = await create(servers.ours, plural, specs);
  for (const [what, expected] of await create(servers.upstream, plural, specs)) compare(what, made.get(what) ?? '', expected);
}
for (const page of ['dump_priority_levels', 'dump_queues', 'dump_requests', 'dump_requests?includeRequestDetails=1']) {
  compare(`columns of ${page}`, await columns(servers.ours, page), await columns(servers.upstream, page));
}
const [own, others] = [await series(servers.ours), await series(servers.upstream)];
for (const one of others) compare(`metric ${one}`, own.has(one) ? 'is there' : 'is not there', 'is there');
for (const one of failed) console.log(`✖ ${one}`);
console.log(`${passed} passed, ${failed.length} failed`);
process.exitCode = failed.length === 0 ? 0 : 1;
