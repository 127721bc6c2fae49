/**
 * `npm run test:controllers [-- --reference] [--replicas N] [--nodes N] [--keep]`: upstream's kube-controller-manager and
 * kube-scheduler, and kwok in place of kubelets, bring a Deployment to life on our server, scale it, roll it and delete its namespace.
 * With --reference upstream API server on etcd does the same first. Needs the programs of Kubernetes v1.37.1 (see README.md).
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Deployment, ReplicaSet } from '../../src/schema/types/apps-v1.ts';
import type { Node, Pod } from '../../src/schema/types/core-v1.ts';
import type { EndpointSlice } from '../../src/schema/types/discovery-v1.ts';
import { EtcdProcess } from '../etcd/etcd-process.ts';
import { ApiServerProcess } from '../servers/api-server-process.ts';
import type { ApiServerOptions } from '../servers/api-server-process.ts';
import { Controllers } from '../servers/controllers.ts';
import { installOurs } from '../servers/our-package.ts';
import { findReference } from '../servers/reference-binaries.ts';
import { Administrator } from './administrator.ts';
import { remainsOf } from './namespace-content.ts';

interface List<T> {
  readonly items: readonly T[];
}

interface Phase {
  readonly name: string;
  readonly run: (api: Administrator) => Promise<void>;
}

const { values } = parseArgs({
  options: {
    reference: { type: 'boolean', default: false },
    replicas: { type: 'string', default: '50' },
    nodes: { type: 'string', default: '2' },
    keep: { type: 'boolean', default: false },
  },
});
const replicas = Number(values.replicas);
const limitMs = 120_000;
const namespace = 'controllers-test';
const deployment = `/apis/apps/v1/namespaces/${namespace}/deployments/web`;
const labels = { app: 'web' };

const phases: readonly Phase[] = [
  { name: 'nodes ready', run: makeNodes },
  { name: `${replicas} replicas ready`, run: create },
  { name: `scaled to ${replicas * 2}`, run: (api) => scale(api, replicas * 2) },
  { name: `scaled to ${replicas}`, run: (api) => scale(api, replicas) },
  { name: 'rolled to a new image', run: roll },
  { name: 'rolled back', run: rollBack },
  { name: 'namespace deleted', run: deleteNamespace },
];

async function makeNodes(api: Administrator): Promise<void> {
  const amounts = { cpu: '32', memory: '256Gi', pods: '250' };
  for (let index = 0; index < Number(values.nodes); index++) {
    const name = `node-${index}`;
    await api.call('POST', '/api/v1/nodes', {
      metadata: { name, labels: { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux' } },
      status: { capacity: amounts, allocatable: amounts },
    });
  }
  await until('every node is ready', async () => {
    const { items } = await api.call<List<Node>>('GET', '/api/v1/nodes');
    // Admission of pods to a namespace waits for its service account.
    const account = await api.ask('GET', '/api/v1/namespaces/default/serviceaccounts/default');
    const ready = items.filter(({ spec, status }) => isTrue(status.conditions, 'Ready') && !spec.taints?.length);
    return account.status === 200 && ready.length === Number(values.nodes);
  });
}

async function create(api: Administrator): Promise<void> {
  await api.call('POST', '/api/v1/namespaces', { metadata: { name: namespace } });
  await api.call('POST', `/apis/apps/v1/namespaces/${namespace}/deployments`, {
    metadata: { name: 'web' },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'example.com/web:1' }] } },
    },
  });
  await api.call('POST', `/api/v1/namespaces/${namespace}/services`, {
    metadata: { name: 'web' },
    spec: { selector: labels, ports: [{ port: 80 }] },
  });
  await settled(api, replicas);
}

async function scale(api: Administrator, wanted: number): Promise<void> {
  await api.call('PATCH', `${deployment}/scale`, { spec: { replicas: wanted } }, 'application/merge-patch+json');
  await settled(api, wanted);
}

async function roll(api: Administrator): Promise<void> {
  const template = { spec: { containers: [{ name: 'web', image: 'example.com/web:2' }] } };
  await api.call('PATCH', deployment, { spec: { template } }, 'application/strategic-merge-patch+json');
  await settled(api, replicas);
  const images = new Set((await pods(api)).map(({ spec }) => spec.containers?.[0]?.image));
  assert.deepEqual([...images], ['example.com/web:2']);
}

/** As `kubectl rollout undo`: the template of the older replica set again, which then gets the pods. */
async function rollBack(api: Administrator): Promise<void> {
  const template = { spec: { containers: [{ name: 'web', image: 'example.com/web:1' }] } };
  await api.call('PATCH', deployment, { spec: { template } }, 'application/strategic-merge-patch+json');
  await settled(api, replicas);
  const { items } = await api.call<List<ReplicaSet>>('GET', `/apis/apps/v1/namespaces/${namespace}/replicasets`);
  assert.equal(items.length, 2, 'rolling back uses the replica set that is there');
  const current = items.find(({ spec }) => spec.replicas === replicas);
  assert.equal(current?.metadata.annotations?.['deployment.kubernetes.io/revision'], '3');
}

async function deleteNamespace(api: Administrator): Promise<void> {
  await api.call('DELETE', `/api/v1/namespaces/${namespace}`);
  await until('the namespace is gone', async () => (await api.ask('GET', `/api/v1/namespaces/${namespace}`)).status === 404);
  assert.deepEqual(await remainsOf(api, namespace), [], 'nothing of the namespace is left');
}

/** The deployment says that it is complete, and so do its replica sets, its pods and the endpoints of its service. */
async function settled(api: Administrator, wanted: number): Promise<void> {
  await until(`${wanted} replicas are ready`, async () => {
    const { metadata, spec, status } = await api.call<Deployment>('GET', deployment);
    assert.equal(spec.replicas, wanted);
    const counts = [status.replicas, status.updatedReplicas, status.readyReplicas, status.availableReplicas];
    return status.observedGeneration === metadata.generation && counts.every((count) => count === wanted);
  });
  await until(`${wanted} pods run`, async () => {
    const all = await pods(api);
    return all.length === wanted && all.every(({ spec, status }) => spec.nodeName !== '' && isTrue(status.conditions, 'Ready'));
  });
  await until(`${wanted} endpoints`, async () => {
    const { items } = await api.call<List<EndpointSlice>>('GET', `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices`);
    const ready = items.flatMap(({ endpoints }) => endpoints ?? []).filter(({ conditions }) => conditions?.ready);
    return ready.length === wanted;
  });
}

async function pods(api: Administrator): Promise<readonly Pod[]> {
  return (await api.call<List<Pod>>('GET', `/api/v1/namespaces/${namespace}/pods?labelSelector=app%3Dweb`)).items;
}

function isTrue(conditions: readonly { type: string; status: string }[] | undefined, wanted: string): boolean {
  return conditions?.some(({ type, status }) => type === wanted && status === 'True') ?? false;
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + limitMs;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`it is still not true that ${what}`);
    await sleep(100);
  }
}

/** Milliseconds of each phase. */
async function play(name: string, options: Omit<ApiServerOptions, 'folder'>): Promise<Map<string, number>> {
  const folder = join(root, name);
  const home = join(folder, 'controllers');
  mkdirSync(home, { recursive: true });
  // The controllers want to know who may speak for others.
  const flags = [`--requestheader-client-ca-file=${join(folder, 'pki/ca.crt')}`, '--requestheader-allowed-names=front-proxy-client'];
  const headers = ['username-headers=X-Remote-User', 'group-headers=X-Remote-Group', 'extra-headers-prefix=X-Remote-Extra-'];
  flags.push(...headers.map((header) => `--requestheader-${header}`));
  await using server = await ApiServerProcess.start({ ...options, folder, flags });
  await using controllers = await Controllers.start(server, home);
  const api = new Administrator(server);
  const times = new Map<string, number>();
  for (const phase of phases) {
    const started = performance.now();
    await phase.run(api);
    times.set(phase.name, performance.now() - started);
    process.stdout.write(`${name}: ${phase.name} after ${((performance.now() - started) / 1000).toFixed(1)} s\n`);
  }
  for (const program of ['kube-controller-manager', 'kube-scheduler'] as const) {
    const errors = controllers.errors(program);
    process.stdout.write(`${name}: ${program} logged ${errors.length} errors\n`);
    // Revisions and names differ each time: one line for each sort.
    const sorts = Map.groupBy(errors, (error) => error.replace(/\d+/g, 'N').replace(/"[^"]*\/[^"]*"/g, '...'));
    for (const [sort, same] of sorts) process.stdout.write(`  ${same.length} × ${sort.slice(0, 300)}\n`);
  }
  return times;
}

const root = mkdtempSync(join(tmpdir(), 'wheelhouse-controllers-'));
await using owned = new AsyncDisposableStack();
if (!values.keep) owned.defer(() => rmSync(root, { recursive: true, force: true }));
else process.stdout.write(`logs are in ${root}\n`);
const results: Map<string, number>[] = [];
if (values.reference) {
  const etcd = owned.use(await EtcdProcess.start());
  results.push(await play('reference', { executable: findReference('kube-apiserver'), storage: { etcd: etcd.endpoint } }));
}
results.push(await play('ours', { executable: installOurs(join(root, 'package')), storage: 'embedded' }));
process.stdout.write(`\n${'phase'.padEnd(24)}${values.reference ? 'reference'.padStart(12) : ''}${'ours'.padStart(12)}\n`);
for (const { name } of phases) {
  const cells = results.map((times) => `${((times.get(name) as number) / 1000).toFixed(1)} s`.padStart(12));
  process.stdout.write(`${name.padEnd(24)}${cells.join('')}\n`);
}
