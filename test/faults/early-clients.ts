/**
 * `npm run test:early-clients [-- --definitions 500] [-- --only PATTERN]`: a server starts with many custom resource definitions while clients
 * already ask for what they define. Nothing that exists may be 404: a client would take it for gone. 503 must say when to ask again.
 * Ours on both stores, and upstream for comparison. Needs the programs of Kubernetes (see README.md).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { EtcdProcess } from '../etcd/etcd-process.ts';
import { ApiServerProcess } from '../servers/api-server-process.ts';
import { installOurs } from '../servers/our-package.ts';
import { findReference } from '../servers/reference-binaries.ts';

const { values } = parseArgs({ options: { definitions: { type: 'string', default: '500' }, only: { type: 'string', default: '' } } });
const count = Number(values.definitions);
const groups = 25;
const root = mkdtempSync(join(tmpdir(), 'wheelhouse-early-'));

const groupOf = (index: number): string => `g${index % groups}.example.com`;
const pluralOf = (index: number): string => `things${index}`;

function definition(index: number): object {
  const schema = {
    openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } } },
  };
  return {
    metadata: { name: `${pluralOf(index)}.${groupOf(index)}` },
    spec: {
      group: groupOf(index),
      scope: 'Cluster',
      names: { plural: pluralOf(index), kind: `Thing${index}` },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
}

interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
}

/** undefined: there was none, since the port is not open yet */
function ask(server: ApiServerProcess, agent: Agent, path: string): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    const asked = request(`${server.url}${path}`, { ...server.credentials, agent }, (response) => {
      response.resume();
      response.on('end', () => resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] }));
      response.on('error', () => resolve(undefined));
    });
    asked.on('error', () => resolve(undefined));
    asked.end();
  });
}

async function prepare(server: ApiServerProcess): Promise<void> {
  const indexes = [...Array(count).keys()];
  await Promise.all(
    [0, 1, 2, 3].map(async (worker) => {
      for (const index of indexes.filter((one) => one % 4 === worker)) {
        await server.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition(index));
      }
    }),
  );
  const object = { apiVersion: `${groupOf(count - 1)}/v1`, kind: `Thing${count - 1}`, metadata: { name: 'one' } };
  for (const deadline = Date.now() + 120_000; ; await sleep(200)) {
    const { status } = await server.request('POST', `/apis/${groupOf(count - 1)}/v1/${pluralOf(count - 1)}`, object);
    if (status === 201) return;
    if (Date.now() > deadline) throw new Error(`the last definition is not served: ${status}`);
  }
}

async function play(name: string, executable: string, etcd: EtcdProcess | undefined): Promise<boolean> {
  await using server = await ApiServerProcess.start({
    executable,
    folder: join(root, name),
    storage: etcd === undefined ? 'embedded' : { etcd: etcd.endpoint },
  });
  await prepare(server);
  await server.stop();
  const last = count - 1;
  const paths = [
    `/apis/${groupOf(last)}/v1/${pluralOf(last)}/one`,
    `/apis/${groupOf(last)}/v1/${pluralOf(last)}`,
    `/apis/${groupOf(0)}/v1/${pluralOf(0)}`,
    ...[1, 7, 13].map((index) => `/apis/${groupOf(index)}/v1/${pluralOf(index)}`),
    `/apis/${groupOf(3)}/v1`,
    `/apis/${groupOf(4)}`,
    `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${pluralOf(last)}.${groupOf(last)}`,
  ];
  const tally = new Map<string, number>();
  let done = false;
  const agent = new Agent({ keepAlive: true, maxSockets: paths.length });
  const asking = Promise.all(
    paths.map(async (path) => {
      while (!done) {
        const answer = await ask(server, agent, path);
        if (answer === undefined) await sleep(5);
        else {
          const text = `${answer.status}${answer.status === 503 ? ` ${answer.retryAfter === undefined ? 'without' : 'with'} Retry-After` : ''}`;
          tally.set(text, (tally.get(text) ?? 0) + 1);
        }
      }
    }),
  );
  const took = await server.start();
  await sleep(1000);
  done = true;
  await asking;
  agent.destroy();
  const ok = [...tally.keys()].every((text) => text === '200' || text === '503 with Retry-After');
  const texts = [...tally].toSorted().map(([text, times]) => `${text}: ${times}`);
  console.log(`${ok ? '✔' : '✖'} ${name}, ${count} definitions: ready after ${(took / 1000).toFixed(1)} s; ${texts.join(', ')}`);
  return ok;
}

let failed = 0;
try {
  const ours = installOurs(join(root, 'package'));
  await using etcd = await EtcdProcess.start();
  await using other = await EtcdProcess.start();
  const plays = [
    ['ours-embedded', ours, undefined],
    ['ours-etcd', ours, etcd],
    ['upstream', findReference('kube-apiserver'), other],
  ] as const;
  for (const [name, executable, store] of plays) {
    if (!new RegExp(values.only).test(name)) continue;
    const ok = await play(name, executable, store);
    // Upstream is there to compare with.
    if (!ok && name !== 'upstream') failed++;
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}
process.exitCode = failed === 0 ? 0 : 1;
