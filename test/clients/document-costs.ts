import { readFileSync, readdirSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiServerProcess } from '../servers/api-server-process.ts';

/** What a server pays for a response, and what others pay meanwhile. */
export interface Cost {
  readonly cpuMs: number;
  readonly bytes: number;
  /** the longest that another request had to wait, which was sent every few milliseconds */
  readonly longestWaitMs: number;
}

const everyMs = 4;
const warmRounds = 20;
const v2 = { accept: 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf', 'accept-encoding': 'gzip' };

/** As clients ask for them: kubectl takes OpenAPI 2 as compressed protobuf, and of OpenAPI 3 the list first. */
export const questions: readonly { readonly name: string; readonly path: string; readonly headers: Record<string, string> }[] = [
  { name: '/openapi/v2 (protobuf, gzip)', path: '/openapi/v2', headers: v2 },
  { name: '/openapi/v2 (JSON, gzip)', path: '/openapi/v2', headers: { accept: 'application/json', 'accept-encoding': 'gzip' } },
  { name: '/openapi/v2 (JSON)', path: '/openapi/v2', headers: { accept: 'application/json' } },
  { name: '/openapi/v3', path: '/openapi/v3', headers: {} },
];

/** The first response and those after it. */
export async function documentCosts(server: ApiServerProcess, name: string): Promise<{ readonly cold: Cost; readonly warm: Cost }> {
  const question = questions.find((one) => one.name === name);
  if (question === undefined) throw new Error(`no question ${name}`);
  const ask = (): Promise<number> => get(server, question.path, question.headers);
  const cold = await costOf(server, ask);
  const rounds = await costOf(server, async () => {
    let bytes = 0;
    for (let round = 0; round < warmRounds; round++) bytes = await ask();
    return bytes;
  });
  return { cold, warm: { ...rounds, cpuMs: rounds.cpuMs / warmRounds } };
}

/** All documents of OpenAPI 3 by their addresses, one after the other; costs are those of one, on average. */
export async function groupVersionCosts(
  server: ApiServerProcess,
): Promise<{ readonly cold: Cost; readonly warm: Cost; readonly count: number }> {
  const { paths } = JSON.parse((await server.request('GET', '/openapi/v3')).body) as {
    paths: Record<string, { serverRelativeURL: string }>;
  };
  const addresses = Object.values(paths).map(({ serverRelativeURL }) => serverRelativeURL);
  const all = async (): Promise<number> => {
    let bytes = 0;
    for (const address of addresses) bytes += await get(server, address, {});
    return bytes;
  };
  const average = ({ cpuMs, bytes, longestWaitMs }: Cost): Cost => {
    return { cpuMs: cpuMs / addresses.length, bytes: Math.round(bytes / addresses.length), longestWaitMs };
  };
  return { cold: average(await costOf(server, all)), warm: average(await costOf(server, all)), count: addresses.length };
}

async function costOf(server: ApiServerProcess, run: () => Promise<number>): Promise<Cost> {
  const others = new Others(server);
  const idle = await others.cost();
  const started = performance.now();
  const before = cpuMs(server.pid);
  const waiting = others.follow();
  const bytes = await run();
  const longestWaitMs = await waiting.stop();
  const spent = cpuMs(server.pid) - before;
  // What the other requests cost is not what the response costs.
  return { cpuMs: Math.max(0, spent - (idle * (performance.now() - started)) / 1000), bytes, longestWaitMs };
}

/** Small requests, one after the other. */
class Others {
  readonly #server: ApiServerProcess;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(server: ApiServerProcess) {
    this.#server = server;
  }

  /** milliseconds of CPU for a second of them, in a server that does nothing else */
  async cost(): Promise<number> {
    const before = cpuMs(this.#server.pid);
    const started = performance.now();
    const waiting = this.follow();
    await sleep(1000);
    await waiting.stop();
    return ((cpuMs(this.#server.pid) - before) / (performance.now() - started)) * 1000;
  }

  follow(): { stop(): Promise<number> } {
    let isOver = false;
    let longest = 0;
    const asking = (async () => {
      while (!isOver) {
        const asked = performance.now();
        await get(this.#server, '/version', {}, this.#agent);
        longest = Math.max(longest, performance.now() - asked);
        await sleep(everyMs);
      }
    })();
    return {
      async stop() {
        isOver = true;
        await asking;
        return longest;
      },
    };
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
function get(server: ApiServerProcess, path: string, headers: Record<string, string>, agent?: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const options = { ...server.credentials, headers, ...(agent !== undefined && { agent }) };
    request(`${server.url}${path}`, options, (response) => {
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
