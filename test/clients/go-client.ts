import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type { ApiServerProcess } from '../servers/api-server-process.ts';

const source = join(import.meta.dirname, 'go');
const limitMs = 110_000;

export async function buildGoClient(folder: string): Promise<string> {
  const program = join(folder, 'clients');
  await promisify(execFile)('go', ['build', '-o', program, '.'], { cwd: source, env: { ...process.env, CGO_ENABLED: '0' } });
  return program;
}

interface Play {
  readonly name: string;
  readonly command: 'objects' | 'informer';
  readonly watchList: boolean;
  /** what happens to the server when the program says that half is done */
  readonly half?: (server: ApiServerProcess) => Promise<void>;
}

const restart = async (server: ApiServerProcess): Promise<void> => {
  await server.stop();
  await server.start();
};
const crash = async (server: ApiServerProcess): Promise<void> => {
  await server.stop('SIGKILL');
  await server.start();
};

const plays: readonly Play[] = [
  { name: 'every verb', command: 'objects', watchList: true },
  { name: 'informer, watch-list', command: 'informer', watchList: true },
  { name: 'informer, list and watch', command: 'informer', watchList: false },
  { name: 'informer, watch-list, restart', command: 'informer', watchList: true, half: restart },
  { name: 'informer, list and watch, restart', command: 'informer', watchList: false, half: restart },
  { name: 'informer, watch-list, kill -9', command: 'informer', watchList: true, half: crash },
];

/** Runs all plays against one server, prints one line for each, and returns how many failed. */
export async function runGoClient(program: string, serverName: string, server: ApiServerProcess): Promise<number> {
  let failed = 0;
  for (const [index, play] of plays.entries()) {
    const namespace = `go-${index}`;
    await createNamespace(server, namespace);
    const child = spawn(program, ['-kubeconfig', server.files.kubeconfig, '-namespace', namespace, play.command], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, KUBE_FEATURE_WatchListClient: String(play.watchList) },
    });
    const impatient = setTimeout(() => child.kill('SIGKILL'), limitMs);
    const lines: string[] = [];
    let disturbance = Promise.resolve();
    createInterface(child.stdout).on('line', (line) => {
      if (line === 'half') disturbance = play.half?.(server) ?? disturbance;
      else lines.push(line);
    });
    // client-go logs what it retries.
    child.stderr.resume();
    const [code] = (await once(child, 'close')) as [number | null];
    clearTimeout(impatient);
    await disturbance;
    if (code !== 0) failed++;
    console.log(`${code === 0 ? '✔' : '✖'} client-go, ${serverName}: ${play.name}: ${lines.join('; ')}`);
  }
  return failed;
}

async function createNamespace(server: ApiServerProcess, name: string): Promise<void> {
  await server.post('/api/v1/namespaces', { metadata: { name } });
  // Pods are refused without it, and no controller runs here that would make it.
  await server.post(`/api/v1/namespaces/${name}/serviceaccounts`, { metadata: { name: 'default' } });
}
