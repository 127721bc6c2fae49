/** A thread that sends small requests, one after the other, between 'begin' and 'end', and says how long the slowest took. */
import { Agent, request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { Credentials } from '../servers/api-server-process.ts';

export interface OthersTask {
  readonly url: string;
  readonly credentials: Credentials;
}

const everyMs = 4;
const { url, credentials } = workerData as OthersTask;
const [ca, cert, key] = [credentials.ca, credentials.cert, credentials.key].map((part) => Buffer.from(part));
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let isOver = true;

function ask(): Promise<void> {
  return new Promise((resolve, reject) => {
    request(url, { ca, cert, key, agent }, (response) => response.resume().on('end', resolve))
      .on('error', reject)
      .end();
  });
}

async function follow(): Promise<void> {
  let longest = 0;
  isOver = false;
  while (!isOver) {
    const asked = performance.now();
    await ask();
    longest = Math.max(longest, performance.now() - asked);
    await sleep(everyMs);
  }
  parentPort?.postMessage(longest);
}

parentPort?.on('message', (order: 'begin' | 'end') => {
  if (order === 'end') isOver = true;
  else void follow();
});
// The connection is made before anything is measured.
await ask();
parentPort?.postMessage(0);
