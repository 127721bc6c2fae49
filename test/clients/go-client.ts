import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ApiServerProcess } from '../servers/api-server-process.ts';
import { playInformers } from './informer-play.ts';

const source = join(import.meta.dirname, 'go');
const run = promisify(execFile);
const limitSeconds = 110;

export async function buildGoClient(folder: string): Promise<string> {
  const program = join(folder, 'clients');
  await run('go', ['build', '-o', program, '.'], { cwd: source, env: { ...process.env, CGO_ENABLED: '0' } });
  return program;
}

interface Play {
  readonly name: string;
  readonly run: (program: string, server: ApiServerProcess, strict: boolean) => Promise<readonly string[]>;
}

const informers = (watchList: boolean, namespace: string): Play => ({
  name: `informers, ${watchList ? 'watch-list' : 'list and watch'}`,
  run: (program, server, strict) =>
    playInformers({ program, server, namespace, watchList, media: 'protobuf', objects: 200, strict, limitSeconds }),
});

const plays: readonly Play[] = [
  {
    name: 'every verb',
    run: async (program, server) => {
      const { stdout } = await run(program, [`-kubeconfig=${server.files.kubeconfig}`, '-namespace=play', 'objects'], {
        timeout: limitSeconds * 1000,
      });
      return stdout.trim().split('\n');
    },
  },
  informers(true, 'go-watch-list'),
  informers(false, 'go-list'),
];

/** Runs all plays against one server, prints one line for each, and returns how many failed. Needs the namespace `play`. */
export async function runGoClient(program: string, serverName: string, server: ApiServerProcess): Promise<number> {
  let failed = 0;
  for (const play of plays) {
    try {
      const lines = await play.run(program, server, serverName === 'ours');
      console.log(`✔ client-go, ${serverName}: ${play.name}: ${lines.join('; ')}`);
    } catch (error) {
      failed++;
      console.log(`✖ client-go, ${serverName}: ${play.name}: ${(error as Error).message}`);
    }
  }
  return failed;
}
