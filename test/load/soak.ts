import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:http2';
import type { ClientHttp2Session } from 'node:http2';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Contender } from './contenders.ts';
import { podsPath } from './contenders.ts';
import type { CrowdPlan, CrowdReport } from './crowd-plan.ts';
import { runCrowds } from './crowd-process.ts';
import { line, quantile, slope } from './figures.ts';
import type { LoopRecord } from './loop-recorder.ts';
import type { Scenario } from './scenario.ts';

const objects = 500;
/**
 * V8 leaves what was replaced in place until there are some 64 MB of it: enough is written that this happens many times in an hour, else the
 * way to the first time would look like a leak.
 */
const pace = 4;
/** of the run, before memory is looked at */
const warmUpShare = 0.25;
const sampleMs = 10_000;

interface Sample {
  readonly second: number;
  readonly megabytes: number;
  readonly handles: number;
}

const every = (name: string, path: string, everyMs: number, clients = 1): CrowdPlan => ({
  name,
  token: name === 'livez' ? 'mouse' : 'worker',
  path,
  clients,
  connections: clients,
  everyMs: everyMs / pace,
  afterRefusal: 'obey',
});

const readers: readonly CrowdPlan[] = [
  every('livez', '/livez', 500),
  every('get', `${podsPath}/pod-1`, 200, 4),
  every('list', podsPath, 4000, 2),
  every('selector', `${podsPath}?labelSelector=tier%3Dbackend,app!%3Dother`, 3000),
];

/** Everything at once, for long: reads, writes, work for controllers, watches that come and go, clients that do not read. */
export function soak(recordFile: string): Scenario {
  const samples: Sample[] = [];
  const reports: CrowdReport[] = [];
  const done = { writes: 0, namespaces: 0, watches: 0, slow: 0, errors: [] as string[] };
  return {
    flags: ['--embedded-controllers'],
    environment: { NODE_OPTIONS: `--import=${new URL('./loop-recorder.ts', import.meta.url).href}`, LOOP_RECORD: recordFile },
    names: ['ours'],
    defaults: { seconds: 3600, rounds: 1 },
    prepare: (contender) => contender.createPods(objects),
    async turn(contender, { seconds }) {
      const began = performance.now();
      const stop = AbortSignal.timeout(seconds * 1000);
      const repeated = async (pauseMs: number, work: (round: number) => Promise<void>): Promise<void> => {
        for (let round = 0; !stop.aborted; round++) {
          try {
            await work(round);
          } catch (error) {
            if (done.errors.length < 20) done.errors.push(error instanceof Error ? error.message : String(error));
          }
          await sleep(pauseMs / pace, undefined, { signal: stop }).catch(() => {}); // its end is what it waits for
        }
      };
      // What comes and goes is gone for a moment; what stays is held.
      const held = async (): Promise<void> => {
        process.kill(contender.server.pid, 'SIGUSR2');
        await sleep(1000);
      };
      const early = setTimeout(() => void held(), seconds * 1000 * warmUpShare);
      stop.addEventListener('abort', () => clearTimeout(early));
      const sampling = setInterval(() => {
        const second = (performance.now() - began) / 1000;
        samples.push({ second, megabytes: contender.residentMegabytes(), handles: contender.openHandles() });
        if (samples.length % 30 === 0) {
          const { megabytes, handles } = samples.at(-1) as Sample;
          console.log(`${second.toFixed(0)} s: ${megabytes.toFixed(0)} MB, ${handles} handles, ${JSON.stringify(done)}`);
        }
      }, sampleMs);
      const [crowds] = await Promise.all([
        runCrowds([contender.task(0, ...readers)], seconds),
        repeated(300, (round) => write(contender, round).then(() => void done.writes++)),
        repeated(20_000, (round) => liveAndDie(contender, round).then(() => void done.namespaces++)),
        repeated(1000, (round) => watchAndGo(contender, round).then(() => void done.watches++)),
        repeated(15_000, () => readNothing(contender).then(() => void done.slow++)),
      ]);
      clearInterval(sampling);
      await held();
      reports.push(...crowds.values());
    },
    report() {
      const after = samples.filter((_, index) => index >= samples.length * warmUpShare);
      const perHour = (values: readonly number[]): number => slope(values) * (3_600_000 / sampleMs);
      const all = records(recordFile);
      const loop = all.filter(({ collected }) => !collected);
      const held = all
        .filter(({ collected }) => collected)
        .map(({ heapMegabytes, externalMegabytes }) => heapMegabytes + externalMegabytes);
      const settled = loop.slice(Math.floor(loop.length * warmUpShare));
      return [
        line('after warm-up, samples', String(after.length)),
        line(
          'RSS first, last, most MB',
          after[0]?.megabytes ?? 0,
          after.at(-1)?.megabytes ?? 0,
          Math.max(...after.map(({ megabytes }) => megabytes)),
        ),
        line('RSS by quarter of the run, median MB', ...quarters(samples.map(({ megabytes }) => megabytes))),
        line('RSS slope MB/h', perHour(after.map(({ megabytes }) => megabytes))),
        line('held after collection, first, last MB', held[0] ?? Number.NaN, held.at(-1) ?? Number.NaN),
        line('external slope MB/h', perHour(settled.map(({ externalMegabytes }) => externalMegabytes))),
        line('heap slope MB/h', perHour(settled.map(({ heapMegabytes }) => heapMegabytes))),
        line(
          'handles first, last, most',
          after[0]?.handles ?? 0,
          after.at(-1)?.handles ?? 0,
          Math.max(...after.map(({ handles }) => handles)),
        ),
        line('handles slope 1/h', perHour(after.map(({ handles }) => handles))),
        line('resources first, last', settled[0]?.resources ?? 0, settled.at(-1)?.resources ?? 0),
        line(
          'loop delay p50 ms, median',
          quantile(
            loop.map(({ p50 }) => p50),
            0.5,
          ),
        ),
        line(
          'loop delay p99 ms, median',
          quantile(
            loop.map(({ p99 }) => p99),
            0.5,
          ),
        ),
        line(
          'loop delay p99 ms, most',
          quantile(
            loop.map(({ p99 }) => p99),
            1,
          ),
        ),
        ...reports.map(({ name, statuses, latencies }) => {
          const [p50, p99] = [quantile(latencies, 0.5), quantile(latencies, 0.99)];
          return `${name}: ${JSON.stringify(statuses)}, p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`;
        }),
        `other work: ${JSON.stringify(done)}`,
      ];
    },
  };
}

function quarters(values: readonly number[]): number[] {
  const length = values.length / 4;
  return [0, 1, 2, 3].map((quarter) => quantile(values.slice(quarter * length, (quarter + 1) * length), 0.5));
}

function records(file: string): readonly LoopRecord[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((text) => JSON.parse(text) as LoopRecord);
}

async function expect(contender: Contender, method: string, path: string, body?: unknown): Promise<void> {
  const { status, body: answer } = await contender.server.request(method, path, body);
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${answer.slice(0, 200)}`);
}

/** Creates, changes and deletes. */
async function write(contender: Contender, round: number): Promise<void> {
  const name = `soak-${round % 50}`;
  const path = '/api/v1/namespaces/load/configmaps';
  await expect(contender, 'POST', path, { metadata: { name }, data: { round: String(round), text: 'x'.repeat(2000) } });
  await expect(contender, 'PATCH', `${path}/${name}`, { data: { round: 'changed' } });
  await expect(contender, 'PATCH', `${podsPath}/pod-${round % objects}`, { metadata: { annotations: { round: String(round) } } });
  await expect(contender, 'DELETE', `${path}/${name}`);
}

/** Work for the controllers: a namespace with an owner and what it owns, which all have to go. */
async function liveAndDie(contender: Contender, round: number): Promise<void> {
  const namespace = `soak-${round}`;
  await expect(contender, 'POST', '/api/v1/namespaces', { metadata: { name: namespace } });
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  const owner = (await contender.server.post(path, { metadata: { name: 'owner' } })) as { metadata: { uid: string } };
  const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: owner.metadata.uid }];
  for (let owned = 0; owned < 5; owned++) await expect(contender, 'POST', path, { metadata: { name: `owned-${owned}`, ownerReferences } });
  await expect(contender, 'DELETE', `${path}/owner`);
  for (let look = 0; look < 100; look++) {
    const { status } = await contender.server.request('GET', `${path}/owned-0`);
    if (status === 404) break;
    if (look === 99) throw new Error(`${path}/owned-0 has outlived its owner`);
    await sleep(200);
  }
  await expect(contender, 'DELETE', `/api/v1/namespaces/${namespace}`);
}

function openSession({ server }: Contender): ClientHttp2Session {
  const session = connect(server.url, server.credentials);
  session.on('error', () => {}); // it is closed soon, one way or the other
  return session;
}

/** A client that starts anew: lists, watches for a while, and goes without a word. */
async function watchAndGo(contender: Contender, round: number): Promise<void> {
  const session = openSession(contender);
  try {
    for (const path of [podsPath, '/api/v1/namespaces/load/configmaps']) {
      const query =
        round % 2 === 0 ? '?watch=true' : '?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
      const stream = session.request({ ':path': `${path}${query}` });
      stream.on('error', () => {}); // the session has gone
      stream.resume();
    }
    await sleep(2000);
  } finally {
    session.destroy();
  }
}

/** A client that asks for much and reads none of it. */
async function readNothing(contender: Contender): Promise<void> {
  const session = openSession(contender);
  try {
    for (const path of [podsPath, `${podsPath}?watch=true`, '/openapi/v2']) {
      const stream = session.request({ ':path': path });
      stream.on('error', () => {}); // the session has gone
      stream.pause();
    }
    await sleep(10_000);
  } finally {
    session.destroy();
  }
}
