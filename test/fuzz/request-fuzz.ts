import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RawAnswer, RawClient } from '../support/raw-client.ts';
import { Random } from './random.ts';
import { definition, targets } from './request-parts.ts';
import type { Recorded, Wrecked } from './wrecker.ts';
import { Wrecker } from './wrecker.ts';

const secondsPerRequest = 30;
const concurrency = 8;
/** Objects that wrecked requests made are cleared away this often. */
const requestsPerRound = 2000;
const failuresShown = 25;

/** Where upstream responds with 500 too: errors of its patch libraries, and faults that it has. */
const upstream500: readonly RegExp[] = [
  /failed to create typed (patch|live|new) object/,
  /failed to create manager/,
  /failed to convert new object/,
  /invalid resource version|resourceVersion: Invalid value|strconv\.ParseUint/,
  /failed to create RequestInfo/,
  /merge key|patch type|\$setElementOrder|\$deleteFromPrimitiveList|\$retainKeys|list element types|invalid JSON document/i,
  /unable to find api field/,
  /cannot (restore|merge) /i,
  /expected (a )?(map|list|object)/,
  /^target\.name: Required value$/,
  /no preferred addresses found/,
  /value for key \d+ is not a map/,
  /failed to allocate requested HealthCheck NodePort/,
  /the (spec|status) replicas field .* does not exist/,
];

export interface FuzzOptions {
  readonly count: number;
  readonly seed: number;
  readonly recorded?: readonly Recorded[];
  /** Asked about requests that got 500: whether upstream's response would be the same. */
  readonly isExpected?: (request: Wrecked) => Promise<boolean>;
  readonly progress?: (sent: number) => void;
}

export interface FuzzResult {
  readonly answers: ReadonlyMap<number, number>;
  readonly failures: readonly string[];
  readonly slowest: { readonly milliseconds: number; readonly request: string };
}

/** Sends wrecked requests: each gets a response in time, below 500 or with a 500 that upstream gives, and never with a stack trace. */
export async function fuzzRequests(client: RawClient, options: FuzzOptions): Promise<FuzzResult> {
  const { count, seed, recorded = [], isExpected, progress } = options;
  const wrecker = new Wrecker(new Random(seed), recorded);
  const answers = new Map<number, number>();
  const failures: string[] = [];
  let slowest = { milliseconds: 0, request: '' };

  const feed = async (request: Wrecked): Promise<void> => {
    const started = performance.now();
    try {
      const answer = await inTime(client, request);
      const milliseconds = performance.now() - started;
      if (milliseconds > slowest.milliseconds) slowest = { milliseconds, request: describe(request) };
      answers.set(answer.status, (answers.get(answer.status) ?? 0) + 1);
      const problem = problemWith(answer);
      if (problem !== undefined && !(answer.status === 500 && (await isExpected?.(request))))
        failures.push(`${describe(request)}: ${problem}`);
    } catch (error) {
      // node:http refuses to send some of these
      if (error instanceof TypeError) return;
      failures.push(`${describe(request)}: ${error instanceof Error ? error.message : String(error)}`);
    }
  };

  for (let sent = 0; sent < count && failures.length < failuresShown;) {
    await prepare(client);
    const end = Math.min(count, sent + requestsPerRound);
    const work = async (): Promise<void> => {
      while (sent < end && failures.length < failuresShown) {
        sent++;
        await feed(wrecker.next());
      }
    };
    await Promise.all(Array.from({ length: concurrency }, work));
    progress?.(sent);
  }
  const { status } = await client.call('POST', '/api/v1/namespaces/default/configmaps', {
    body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `after-${seed}` } },
  });
  assert.equal(status, 201, 'the server still creates');
  return { answers, failures, slowest };
}

const watching: RawAnswer = Object.freeze({ status: 200, headers: {}, bytes: Buffer.alloc(0), text: '' });

async function inTime(client: RawClient, { method, path, headers, body }: Wrecked): Promise<RawAnswer> {
  const late = new AbortController();
  const answer = client.call(method, path, { headers, ...(body !== undefined && { body }) });
  const limit = sleep(secondsPerRequest * 1000, undefined, { signal: late.signal }).then(() => {
    // What was wrecked into a watch is open as long as one.
    if (path.includes('/watch/')) return watching;
    throw new Error('no answer in time');
  });
  limit.catch(() => {});
  try {
    return await Promise.race([answer, limit]);
  } finally {
    late.abort();
  }
}

function problemWith({ status, text }: RawAnswer): string | undefined {
  if (/\n\s+at .*(?:\.[jt]s|node:)/.test(text) || text.includes('Maximum call stack'))
    return `a stack trace: ${status} ${text.slice(0, 500)}`;
  if (status >= 200 && status < 500) return undefined;
  if (status === 500 && isUpstream500(text)) return undefined;
  // kubelets and pods that requests are to be passed on to are not there
  if ((status === 502 || status === 503) && /^$|proxy|unavailable|dial|no endpoints|connect/i.test(text)) return undefined;
  if (status === 504 && text.includes('Too large resource version')) return undefined;
  if (status === 501 || status === 505) return undefined;
  return `${status}: ${text.slice(0, 500)}`;
}

function isUpstream500(text: string): boolean {
  const message = /"message":\s*"((?:[^"\\]|\\.)*)"/.exec(text)?.[1] ?? text;
  return upstream500.some((pattern) => pattern.test(message));
}

/** A fresh start: what requests have made goes, what they are about is there. */
async function prepare(client: RawClient): Promise<void> {
  await client.call('POST', '/api/v1/namespaces/default/serviceaccounts', {
    body: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } },
  });
  for (const { path } of targets) {
    if (/reviews$|namespaces$|customresourcedefinitions$/.test(path)) continue;
    await client.call('DELETE', path, { body: { gracePeriodSeconds: 0 } });
  }
  await client.call('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body: definition });
  for (const { path, object } of targets) await client.call('POST', path, { body: object });
}

export function describe({ method, path, headers, body }: Wrecked): string {
  const shown = body === undefined ? '' : body.length > 2000 ? `${body.length} bytes` : JSON.stringify(body.toString('latin1'));
  return `${method} ${path.slice(0, 300)} ${JSON.stringify(headers).slice(0, 500)} ${shown}`;
}
