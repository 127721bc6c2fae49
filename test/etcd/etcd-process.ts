import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findEtcd } from './etcd-binary.ts';

/** A port on loopback that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('no port to be had');
  return address.port;
}

/** Whether a server listens there. */
export async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

export interface EtcdProcessOptions {
  /** the executable; an etcd that `findEtcd` finds unless given */
  readonly binary?: string;
  readonly name?: string;
  readonly clientPort?: number;
  readonly peerPort?: number;
  /** flags besides those for name, folder and own addresses */
  readonly flags?: readonly string[];
  /** given: kept when the process ends, and reused on restart */
  readonly dataFolder?: string;
  /** really write to disk; slow, and pointless unless the machine crashes */
  readonly fsync?: boolean;
  readonly scheme?: 'http' | 'https';
}

/** One etcd member as a child process. Ends with its owner. */
export class EtcdProcess implements AsyncDisposable {
  readonly endpoint: string;
  readonly clientPort: number;
  readonly #binary: string;
  readonly #arguments: readonly string[];
  readonly #ownFolder: string | undefined;
  #child: ChildProcess | undefined;
  #output = '';

  private constructor(binary: string, args: readonly string[], clientPort: number, endpoint: string, ownFolder: string | undefined) {
    this.#binary = binary;
    this.#arguments = args;
    this.clientPort = clientPort;
    this.endpoint = endpoint;
    this.#ownFolder = ownFolder;
  }

  /** A member that serves, alone or as flags say. */
  static async start(options: EtcdProcessOptions = {}): Promise<EtcdProcess> {
    const member = await EtcdProcess.prepare(options);
    await member.start();
    return member;
  }

  static async prepare(options: EtcdProcessOptions = {}): Promise<EtcdProcess> {
    const binary = options.binary ?? (await findEtcd());
    const name = options.name ?? 'default';
    const clientPort = options.clientPort ?? (await freePort());
    const peerPort = options.peerPort ?? (await freePort());
    const ownFolder = options.dataFolder === undefined ? await mkdtemp(join(tmpdir(), 'etcd-test-')) : undefined;
    const endpoint = `${options.scheme ?? 'http'}://127.0.0.1:${clientPort}`;
    const peer = `http://127.0.0.1:${peerPort}`;
    const flags = options.flags ?? [];
    const args = [`--name=${name}`, `--data-dir=${join(options.dataFolder ?? (ownFolder as string), name)}`, '--log-level=warn'];
    args.push(`--listen-client-urls=${endpoint}`, `--advertise-client-urls=${endpoint}`, `--listen-peer-urls=${peer}`);
    if (!flags.some((flag) => flag.startsWith('--initial-cluster='))) {
      args.push(`--initial-advertise-peer-urls=${peer}`, `--initial-cluster=${name}=${peer}`);
    }
    if (!options.fsync) args.push('--unsafe-no-fsync');
    return new EtcdProcess(binary, [...args, ...flags], clientPort, endpoint, ownFolder);
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Also after `stop` or a kill: comes back with the same data and address. `wait: false` returns before it serves. */
  async start(options = { wait: true }): Promise<void> {
    const child = spawn(this.#binary, this.#arguments, { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    const note = (chunk: Buffer): void => {
      this.#output = (this.#output + chunk.toString()).slice(-4000);
    };
    child.stdout.on('data', note);
    child.stderr.on('data', note);
    child.once('exit', () => {
      if (this.#child === child) this.#child = undefined;
    });
    if (!options.wait) return;
    for (const deadline = Date.now() + 30_000; !(await accepts(this.clientPort)); await sleep(20)) {
      if (this.#child !== child) throw new Error(`etcd ended at start:\n${this.#output}`);
      if (Date.now() > deadline) throw new Error(`etcd does not serve ${this.endpoint}:\n${this.#output}`);
    }
  }

  signal(name: NodeJS.Signals): void {
    this.#child?.kill(name);
  }

  async stop(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    // A stopped process does not die of SIGTERM before it goes on.
    child.kill('SIGCONT');
    await exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    if (this.#ownFolder !== undefined) await rm(this.#ownFolder, { recursive: true, force: true });
  }
}
