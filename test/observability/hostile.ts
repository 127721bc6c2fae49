/**
 * `npm run test:observers [-- --ours EXECUTABLE]`: those who look on do no harm. Scrapes that are never read, a thousand at once, profiles at
 * once and broken off, labels that clients make up, a collector that hangs after the connection: other requests are served meanwhile, neither
 * series nor memory grow, nothing stays open, and the server stops when it is asked to.
 */
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request as startRequest } from 'node:https';
import type { Socket } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'node:tls';
import { parseArgs } from 'node:util';
import { ApiServerProcess } from '../servers/api-server-process.ts';
import { installOurs } from '../servers/our-package.ts';

const { values } = parseArgs({ options: { ours: { type: 'string' } } });
const root = mkdtempSync(join(tmpdir(), 'wheelhouse-observers-'));
await using owned = new AsyncDisposableStack();
owned.defer(() => rmSync(root, { recursive: true, force: true }));
const executable = values.ours ?? installOurs(join(root, 'package'));

/** Takes connections and reads nothing, for ever. */
const held = new Set<Socket>();
const collector = createServer((socket) => {
  socket.on('error', () => {});
  held.add(socket.pause());
});
await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
owned.defer(() => {
  for (const socket of held) socket.destroy();
  collector.close();
});
const { port: collectorPort } = collector.address() as { port: number };
const tracing = join(root, 'tracing.yaml');
writeFileSync(
  tracing,
  `apiVersion: apiserver.config.k8s.io/v1\nkind: TracingConfiguration\nendpoint: 127.0.0.1:${collectorPort}\nsamplingRatePerMillion: 1000000\n`,
);

const flags = [`--tracing-config-file=${tracing}`, `--vmodule=${'*'.repeat(50_000)}z=9,${'[a-z]*'.repeat(5_000)}=3`];
const server = owned.use(await ApiServerProcess.start({ executable, folder: join(root, 'server'), storage: 'embedded', flags }));
const agent = new Agent({ keepAlive: true, maxSockets: 64, ...server.credentials });
/** of those who have nothing to do with it */
const others = new Agent({ keepAlive: true, ...server.credentials });
owned.defer(() => {
  agent.destroy();
  others.destroy();
});

const residentMb = (): number =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024);
const openFiles = (): number => readdirSync(`/proc/${server.pid}/fd`).length;

function ask(method: string, path: string, headers: Readonly<Record<string, string>> = {}, by = agent): Promise<number> {
  return new Promise((resolve) => {
    const asked = startRequest({ host: '127.0.0.1', port: server.port, method, path, headers, agent: by }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    });
    asked.on('error', () => resolve(0)).end();
  });
}

async function seriesCount(): Promise<number> {
  const { body } = await server.request('GET', '/metrics');
  return body.split('\n').filter((line) => line !== '' && !line.startsWith('#')).length;
}

let passed = 0;
const failed: string[] = [];
const expect = (what: string, isSo: boolean): void => {
  if (isSo) passed++;
  else failed.push(what);
};

/** Others are served while something goes on. */
async function served(what: string, going: Promise<unknown>): Promise<void> {
  let [asked, wrong, slowest] = [0, 0, 0];
  let isOver = false;
  const over = going.finally(() => (isOver = true));
  while (!isOver) {
    const started = performance.now();
    if ((await ask('GET', '/api/v1/namespaces/default', {}, others)) !== 200) wrong++;
    slowest = Math.max(slowest, performance.now() - started);
    asked++;
    await sleep(5);
  }
  await over;
  expect(`${what}: ${wrong} of ${asked} requests of others failed`, wrong === 0);
  console.log(
    `${what}: ${asked} requests of others, ${wrong} failed, the slowest ${Math.round(slowest)} ms; ${residentMb()} MB, ${openFiles()} files`,
  );
}

/** A connection of an administrator that asks and never reads. */
function neverRead(paths: readonly string[]): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port: server.port, ...server.credentials, ALPNProtocols: ['http/1.1'] }, () => {
      socket.pause();
      for (const path of paths) socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`);
      resolve(socket);
    });
    socket.on('error', reject);
  });
}

for (let warm = 0; warm < 300; warm++) await ask('GET', '/metrics');
const before = { memory: residentMb(), files: openFiles(), series: await seriesCount() };

await served(
  '100 connections with 20 scrapes each that are never read',
  (async () => {
    const sockets = await Promise.all(Array.from({ length: 100 }, () => neverRead(Array<string>(20).fill('/metrics'))));
    await sleep(3000);
    for (const socket of sockets) socket.destroy();
  })(),
);

await served(
  '1,000 scrapes at once',
  (async () => {
    const codes = await Promise.all(Array.from({ length: 1000 }, () => ask('GET', '/metrics')));
    const good = codes.filter((code) => code === 200).length;
    expect(
      `1,000 scrapes: ${good} got metrics, others were not turned away with 429`,
      codes.every((code) => code === 200 || code === 429),
    );
  })(),
);

await served(
  'profiles at once, and broken off',
  (async () => {
    const kinds = ['profile', 'heap', 'allocs', 'goroutine'];
    const codes = await Promise.all(
      Array.from({ length: 40 }, (_, index) => ask('GET', `/debug/pprof/${kinds[index % 4] ?? ''}?seconds=1`)),
    );
    expect(
      `profiles at once: ${[...new Set(codes)].join(' ')}`,
      codes.every((code) => code === 200 || code === 500) && codes.includes(200),
    );
    for (let round = 0; round < 10; round++) {
      const sockets = await Promise.all(kinds.map((kind) => neverRead([`/debug/pprof/${kind}?seconds=300`])));
      await sleep(50);
      for (const socket of sockets) socket.destroy();
    }
    await sleep(500);
    for (const kind of kinds)
      expect(`${kind} can be taken after profiles that were broken off`, (await ask('GET', `/debug/pprof/${kind}?seconds=1`)) === 200);
    expect('a profile of a year is refused', (await ask('GET', '/debug/pprof/profile?seconds=31536000')) === 400);
  })(),
);

await served(
  '3,000 requests with names that clients make up',
  (async () => {
    const made = (index: number): readonly [string, string] => {
      const name = `x${index}${Math.random().toString(36).slice(2)}`;
      return (
        [
          ['GET', `/apis/${name}.example.com/v1/things`],
          ['GET', `/api/v1/namespaces/default/${name}`],
          ['GET', `/api/v1/namespaces/default/pods/a/${name}`],
          ['GET', `/${name}/a`],
          ['GET', `/healthz/${name}`],
          ['GET', `/openapi/v3/apis/${name}/v1`],
          ['GET', `/debug/pprof/${name}`],
          ['GET', `/api/v1/configmaps?fieldValidation=${name}&dryRun=${name}`],
          ['GET', `/api/v1/configmaps?labelSelector=${name}&fieldSelector=metadata.name%3D${name}`],
          ['GET', `/api/v1/namespaces/${name}/secrets/${name}`],
          ['REPORT', `/api/v1/namespaces`],
          ['GET', `/api/v1/watch/namespaces/default/${name}`],
        ] as const
      )[index % 12] as readonly [string, string];
    };
    let next = 0;
    const worker = async (): Promise<void> => {
      for (let index = next++; index < 3000; index = next++) {
        const [method, path] = made(index);
        await ask(method, path, {
          'user-agent': `agent-${index}`,
          'x-remote-user': `user-${index}`,
          ...(index % 5 === 0 && { accept: `a/${index}` }),
        });
      }
    };
    await Promise.all(Array.from({ length: 8 }, worker));
  })(),
);
const grown = (await seriesCount()) - before.series;
console.log(`series: ${before.series} + ${grown}`);
expect(`${grown} new series after 3,000 names that were made up`, grown < 600);

await sleep(2000);
const after = { memory: residentMb(), files: openFiles() };
console.log(`memory ${before.memory} -> ${after.memory} MB, files ${before.files} -> ${after.files}`);
expect(`memory grew by ${after.memory - before.memory} MB`, after.memory - before.memory < 150);
expect(`${after.files - before.files} more files are open`, after.files - before.files < 80);
const stopping = performance.now();
await server.stop();
const took = performance.now() - stopping;
expect(`it took ${Math.round(took)} ms to stop`, took < 15_000);
for (const one of failed) console.log(`✖ ${one}`);
console.log(`${passed} passed, ${failed.length} failed`);
process.exitCode = failed.length === 0 ? 0 : 1;
