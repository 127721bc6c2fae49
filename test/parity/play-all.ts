import { setTimeout as sleep } from 'node:timers/promises';
import type { Case, Result } from './case.ts';
import { Cleaner } from './cleaner.ts';
import type { ParityClient } from './client.ts';
import type { Ground } from './player.ts';
import { groundFor, play } from './player.ts';

export interface PlayOptions {
  readonly concurrency?: number;
  /** leaves namespaces behind: faster, for servers that are thrown away */
  readonly keep?: boolean;
}

/** Documents of the whole cluster: cases that read them run before those that change them. */
const clusterWide = new Set(['/api', '/apis', '/openapi/v2', '/openapi/v3', '/openapi/v3/', '/metrics', '/', '/apis/', '/api/']);
const isExclusive = ({ exclusive, steps }: Case): boolean =>
  exclusive === true || steps.some(({ path }) => path !== undefined && clusterWide.has(path.split('?')[0] as string));

/** Cases without a response one after the other, after which the server counts as gone. */
const lostInARow = 40;
const reviveMs = 30_000;

/** Plays all cases, exclusive ones first and alone, and reports each as it ends. Throws when the server is gone for good. */
export async function playAll(
  client: ParityClient,
  cases: readonly Case[],
  report: (one: Case, results: readonly Result[]) => void,
  { concurrency = 8, keep = false }: PlayOptions = {},
): Promise<void> {
  let number = 0;
  let lost = 0;
  /** namespaces in which nothing was changed */
  const spare: string[] = [];
  const playOne = async (one: Case, ground: Ground): Promise<void> => {
    const { results, isPristine, isLost } = await play(client, one, ground, keep);
    report(one, results);
    lost = isLost ? lost + 1 : 0;
    if (ground.usesNamespace && isPristine && !isLost) spare.push(ground.namespace);
    if (lost >= lostInARow) await waitForServer(client);
  };
  const prepare = async (one: Case): Promise<Ground> => {
    const ground = groundFor(one, number++);
    const old = ground.usesNamespace ? spare.pop() : undefined;
    if (old !== undefined) ground.namespace = old;
    else if (ground.usesNamespace) await makeNamespace(client, ground.namespace);
    return ground;
  };
  for (const one of cases.filter(isExclusive)) await playOne(one, await prepare(one));
  // Namespaces are made some cases ahead, so that the caches of the server know them.
  const rest = cases.filter((one) => !isExclusive(one));
  const prepared: Promise<Ground>[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < rest.length) {
      const index = next++;
      while (prepared.length < Math.min(rest.length, index + concurrency * 3)) prepared.push(prepare(rest[prepared.length] as Case));
      await playOne(rest[index] as Case, await (prepared[index] as Promise<Ground>));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  for (const namespace of spare) await new Cleaner(client, keep).clean([], namespace);
}

async function makeNamespace(client: ParityClient, name: string): Promise<void> {
  const body = JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  await client.ask({ method: 'POST', path: '/api/v1/namespaces', headers: { 'content-type': 'application/json' }, body });
}

async function waitForServer(client: ParityClient): Promise<void> {
  const deadline = Date.now() + reviveMs;
  while (Date.now() < deadline) {
    const { error } = await client.ask({ method: 'GET', path: '/readyz', timeoutMs: 3000 });
    if (error === undefined) return;
    await sleep(1000);
  }
  throw new Error(`the server has not responded to ${lostInARow} cases, nor to /readyz for ${reviveMs / 1000} s`);
}
