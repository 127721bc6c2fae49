/** Asks one server in all ways without a break, in a thread of its own: what it costs is no part of what others measure. */
import { Agent, request } from 'node:https';
import type { RequestOptions } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';

export interface Answer {
  readonly status: number;
  readonly body: string;
  /** of the certificate that the server showed */
  readonly shown: string;
}

/** What a client asks with. */
export interface Access {
  readonly url: string;
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

export interface LoadResult {
  readonly asked: number;
  readonly failures: readonly string[];
}

export function ask(url: string, options: RequestOptions, sent?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { timeout: 10_000, ...options }, (response) => {
      const shown = (response.socket as TLSSocket).getPeerCertificate().fingerprint256;
      let body = '';
      response.setEncoding('utf8').on('data', (part: string) => (body += part));
      response.on('error', reject).on('end', () => resolve({ status: response.statusCode ?? 0, body, shown }));
    });
    asked.on('timeout', () => asked.destroy(new Error('no answer')));
    asked.on('error', reject);
    asked.end(sent);
  });
}

/** Clients that ask until they are stopped. */
export class Load {
  readonly #worker: Worker;

  constructor(access: Access) {
    this.#worker = new Worker(new URL(import.meta.url), { workerData: access });
  }

  async stop(): Promise<LoadResult> {
    const { promise, resolve, reject } = Promise.withResolvers<LoadResult>();
    this.#worker.once('message', resolve).once('error', reject);
    this.#worker.postMessage('stop');
    return promise;
  }
}

async function run({ url, ca, cert, key }: Access, signal: AbortSignal): Promise<LoadResult> {
  const kept = new Agent({ keepAlive: true });
  const get = (path: string, options: RequestOptions = {}): Promise<Answer> =>
    ask(`${url}${path}`, { ca, cert, key, agent: false, ...options });
  const ways: readonly (() => Promise<Answer>)[] = [
    () => get('/api/v1/namespaces/default', { agent: kept }),
    () => get('/api/v1/namespaces/default'),
    () => get('/version', { servername: 'sni.example.com' }),
    () => get('/apis/reload.example.com/v1'),
    () => get('/api/v1/namespaces/default/pods/reload/log'),
  ];
  const failures: string[] = [];
  let asked = 0;
  await Promise.all(
    ways.map(async (way, index) => {
      while (!signal.aborted) {
        asked++;
        try {
          const { status, body } = await way();
          if (status !== 200) failures.push(`way ${index}: ${status} ${body.slice(0, 200)}`);
        } catch (error) {
          failures.push(`way ${index}: ${(error as Error).message}`);
        }
        await sleep(20);
      }
    }),
  );
  kept.destroy();
  return { asked, failures };
}

if (!isMainThread && parentPort !== null) {
  const port = parentPort;
  const stopping = new AbortController();
  port.once('message', () => stopping.abort());
  port.postMessage(await run(workerData as Access, stopping.signal));
}
