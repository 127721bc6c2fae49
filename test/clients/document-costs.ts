import { readFileSync, readdirSync } from 'node:fs';
import { request } from 'node:https';
import { Worker } from 'node:worker_threads';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Credentials } from '../servers/api-server-process.ts';
import type { OthersTask } from './other-requests.ts';

/** A process that is asked. */
export interface Asked {
  readonly pid: number;
  readonly url: string;
  readonly credentials: Credentials;
}

/** What a server pays for a response, and what others pay meanwhile. */
export interface Cost {
  readonly cpuMs: number;
  readonly bytes: number;
  /** the longest that another request had to wait, which was sent every few milliseconds by another thread */
  readonly longestWaitMs: number;
}

export interface Costs {
  readonly cold: Cost;
  readonly warm: Cost;
}

const warmRounds = 20;
const gzip = { 'accept-encoding': 'gzip' };
const json = { accept: 'application/json' };
const protobuf = (version: string): { accept: string } => ({
  accept: `application/com.github.proto-openapi.spec.${version}.v1.0+protobuf`,
});

/** Protobuf and gzip is what kubectl takes of OpenAPI 2. */
export const questions: readonly { readonly name: string; readonly path: string; readonly headers: Record<string, string> }[] = [
  { name: '/openapi/v2 (protobuf, gzip)', path: '/openapi/v2', headers: { ...protobuf('v2'), ...gzip } },
  { name: '/openapi/v2 (protobuf)', path: '/openapi/v2', headers: protobuf('v2') },
  { name: '/openapi/v2 (JSON, gzip)', path: '/openapi/v2', headers: { ...json, ...gzip } },
  { name: '/openapi/v2 (JSON)', path: '/openapi/v2', headers: json },
  { name: '/openapi/v3 (list of documents)', path: '/openapi/v3', headers: {} },
];

/** Of the documents that the list of OpenAPI 3 names. */
export const documentForms: readonly { readonly name: string; readonly headers: Record<string, string> }[] = [
  { name: 'JSON', headers: json },
  { name: 'protobuf', headers: protobuf('v3') },
];

/** The first response and those after it. */
export async function documentCosts(server: Asked, path: string, headers: Record<string, string>): Promise<Costs> {
  const ask = (): Promise<number> => get(server, path, headers);
  const cold = await costOf(server, ask);
  const rounds = await costOf(server, async () => {
    let bytes = 0;
    for (let round = 0; round < warmRounds; round++) bytes = await ask();
    return bytes;
  });
  return { cold, warm: { ...rounds, cpuMs: rounds.cpuMs / warmRounds } };
}

/** All documents of OpenAPI 3 by their addresses, one after the other; costs are those of one, on average. */
export async function groupVersionCosts(server: Asked, addresses: readonly string[], headers: Record<string, string>): Promise<Costs> {
  const all = async (): Promise<number> => {
    let bytes = 0;
    for (const address of addresses) bytes += await get(server, address, headers);
    return bytes;
  };
  const average = ({ cpuMs, bytes, longestWaitMs }: Cost): Cost => {
    return { cpuMs: cpuMs / addresses.length, bytes: Math.round(bytes / addresses.length), longestWaitMs };
  };
  return { cold: average(await costOf(server, all)), warm: average(await costOf(server, all)) };
}

async function costOf(server: Asked, run: () => Promise<number>): Promise<Cost> {
  await using others = await Others.start(server);
  const idle = await others.cost();
  const started = performance.now();
  const before = cpuMs(server.pid);
  others.begin();
  const bytes = await run();
  const longestWaitMs = await others.end();
  const spent = cpuMs(server.pid) - before;
  // What the other requests cost is not what the response costs.
  return { cpuMs: Math.max(0, spent - (idle * (performance.now() - started)) / 1000), bytes, longestWaitMs };
}

/** Small requests, one after the other, by a thread that does nothing else. */
class Others implements AsyncDisposable {
  readonly #server: Asked;
  readonly #worker: Worker;

  private constructor(server: Asked, worker: Worker) {
    this.#server = server;
    this.#worker = worker;
  }

  static async start(server: Asked): Promise<Others> {
    const { url, credentials } = server;
    const workerData: OthersTask = { url: `${url}/version`, credentials };
    const others = new Others(server, new Worker(new URL('other-requests.ts', import.meta.url), { workerData }));
    await others.#answer();
    return others;
  }

  /** milliseconds of CPU for a second of them, in a server that does nothing else */
  async cost(): Promise<number> {
    const before = cpuMs(this.#server.pid);
    const started = performance.now();
    this.begin();
    await sleep(1000);
    await this.end();
    return ((cpuMs(this.#server.pid) - before) / (performance.now() - started)) * 1000;
  }

  begin(): void {
    this.#worker.postMessage('begin');
  }

  /** Returns the longest that one waited. */
  end(): Promise<number> {
    const longest = this.#answer();
    this.#worker.postMessage('end');
    return longest;
  }

  #answer(): Promise<number> {
    return new Promise((resolve, reject) => this.#worker.once('message', resolve).once('error', reject));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate();
  }
}

/** Of all threads of a process. */
function cpuMs(pid: number): number {
  let nanoseconds = 0;
  for (const task of readdirSync(`/proc/${pid}/task`)) {
    try {
      nanoseconds += Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]);
    } catch (error) {
      // A thread that has ended since.
      if (!['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
  }
  return nanoseconds / 1e6;
}

/** Returns how many bytes came, and throws them away. */
function get(server: Asked, path: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    request(`${server.url}${path}`, { ...server.credentials, headers }, (response) => {
      let bytes = 0;
      response.on('data', (part: Buffer) => (bytes += part.length));
      response.on('end', () =>
        response.statusCode === 200 ? resolve(bytes) : reject(new Error(`GET ${path}: ${response.statusCode ?? 0}`)),
      );
    })
      .on('error', reject)
      .end();
  });
}
