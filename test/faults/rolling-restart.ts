/**
 * `npm run test:rolling-restart [-- --rounds 2] [-- --only ours]`: three API servers on one etcd behind a plain TCP balancer that asks for /readyz are
 * stopped and started one after the other, while client-go writes, reads and listens without a break and kubectl watches. No acknowledged write is
 * lost, no event missed, no request fails that client-go does not try again by itself. The same on upstream, for comparison.
 * Needs the programs of Kubernetes and Go (see README.md).
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { renderKubeconfig } from '../../src/controlplane/kubeconfig.ts';
import { buildGoClient } from '../clients/go-client.ts';
import { EtcdProcess } from '../etcd/etcd-process.ts';
import { ApiServerProcess } from '../servers/api-server-process.ts';
import { installOurs } from '../servers/our-package.ts';
import { findReference } from '../servers/reference-binaries.ts';
import { Balancer } from './balancer.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '2' }, only: { type: 'string', default: '' } } });
const rounds = Number(values.rounds);
const root = mkdtempSync(join(tmpdir(), 'wheelhouse-rolling-'));
const namespace = 'rolling';
const flags = ['--shutdown-delay-duration=2s'];

/** kubectl get -w, again and again, each time from where the last one was; what it prints as errors is kept. */
class Watching {
  readonly errors: string[] = [];
  ends = 0;
  events = 0;
  #stopping = false;
  readonly #done: Promise<void>;
  #kill = (): void => {};

  constructor(kubeconfig: string) {
    this.#done = this.#run(kubeconfig);
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#kill();
    await this.#done;
  }

  async #run(kubeconfig: string): Promise<void> {
    while (!this.#stopping) {
      const args = [`--kubeconfig=${kubeconfig}`, `--namespace=${namespace}`, 'get', 'configmaps', '--watch', '--output=name'];
      const child = spawn(findReference('kubectl'), args, { stdio: ['ignore', 'pipe', 'pipe'] });
      this.#kill = () => void child.kill();
      const closed = once(child, 'close') as Promise<[number | null]>;
      child.stdout.on('data', (chunk: Buffer) => (this.events += chunk.toString().split('\n').length - 1));
      let text = '';
      child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
      const [code] = await closed;
      if (this.#stopping) return;
      this.ends++;
      if (code !== 0) this.errors.push(`kubectl ended with ${code}: ${text.trim()}`);
    }
  }
}

async function play(name: string, executable: string, program: string): Promise<boolean> {
  await using etcd = await EtcdProcess.start();
  await using owned = new AsyncDisposableStack();
  const servers: ApiServerProcess[] = [];
  for (const index of [0, 1, 2]) {
    const server = owned.use(
      await ApiServerProcess.prepare({
        executable,
        folder: join(root, `${name}-${index}`),
        storage: { etcd: etcd.endpoint },
        flags: [...flags, `--advertise-address=10.1.0.${index + 1}`],
        ...(servers[0] !== undefined && { files: servers[0].files }),
      }),
    );
    servers.push(server);
    await server.start();
  }
  const [first] = servers as [ApiServerProcess];
  await first.post('/api/v1/namespaces', { metadata: { name: namespace } });
  using balancer = await Balancer.start(
    servers.map(({ port }) => port),
    first.credentials,
  );
  const { ca, cert, key } = first.credentials;
  const kubeconfig = join(root, `${name}.kubeconfig`);
  const admin = { certificate: cert.toString(), key: key.toString() };
  writeFileSync(kubeconfig, renderKubeconfig(`https://127.0.0.1:${balancer.port}`, ca.toString(), admin), { mode: 0o600 });
  while (balancer.readyCount < 3) await sleep(50);

  const child = spawn(program, [`-kubeconfig=${kubeconfig}`, `-namespace=${namespace}`, '-limit=300s', 'steady'], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const closed = once(child, 'close') as Promise<[number | null]>;
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => (log = (log + chunk.toString()).slice(-3000)));
  const lines: string[] = [];
  const working = Promise.withResolvers<void>();
  void closed.then(() => working.resolve());
  createInterface(child.stdout).on('line', (line) => (line === 'at work' ? working.resolve() : lines.push(line)));
  await working.promise;
  const watching = new Watching(kubeconfig);
  await sleep(3000);
  const stops: string[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const server of servers) {
      const started = performance.now();
      await server.stop();
      stops.push(((performance.now() - started) / 1000).toFixed(1));
      await server.start();
      while (balancer.readyCount < 3) await sleep(50);
      await sleep(1000);
    }
  }
  await watching.stop();
  child.stdin.write('enough\n');
  const [code] = await closed;
  const ok = code === 0 && watching.errors.length === 0 && !lines.some((line) => line.startsWith('failed'));
  console.log(`${ok ? '✔' : '✖'} ${name}: ${3 * rounds} restarts, each stop took ${stops.join(', ')} s`);
  for (const line of [...lines, ...(code === 0 ? [] : [log])]) console.log(`    ${line}`);
  console.log(`    kubectl -w: ${watching.events} lines, ended ${watching.ends} times by itself`);
  for (const error of watching.errors) console.log(`    ${error}`);
  return ok;
}

let failed = 0;
try {
  const program = await buildGoClient(root);
  const executables = { ours: installOurs(join(root, 'package')), upstream: findReference('kube-apiserver') };
  for (const [name, executable] of Object.entries(executables)) {
    if (!new RegExp(values.only).test(name)) continue;
    const ok = await play(name, executable, program);
    // Upstream is there to compare with.
    if (!ok && name === 'ours') failed++;
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}
process.exitCode = failed === 0 ? 0 : 1;
