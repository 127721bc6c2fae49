// The administrator of strangers.ts and watchers.ts: asks again and again, on one connection, and says how long it took.
import { readFileSync } from 'node:fs';
import { connect } from 'node:http2';
import type { ClientHttp2Session } from 'node:http2';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const [port = '', pki = '', pid = ''] = process.argv.slice(2);
const credentials = {
  ca: readFileSync(join(pki, 'ca.crt')),
  cert: readFileSync(join(pki, 'admin.crt')),
  key: readFileSync(join(pki, 'admin.key')),
};
const enough = 300;
// It stands for a client on another machine: what it waits for is the server and not a processor, where that may be had.
try {
  setPriority(-10);
} catch {
  console.log('the administrator shares processors with the strangers: what it waits for is more than the server');
}
let session: ClientHttp2Session | undefined;
let stopped = false;

function ask(): Promise<boolean> {
  if (session === undefined || session.closed || session.destroyed) {
    session = connect(`https://127.0.0.1:${port}`, credentials);
    session.on('error', () => {});
  }
  const stream = session.request({ ':path': '/api/v1/namespaces/default' });
  return new Promise((resolve) => {
    let status = 0;
    stream.on('response', (headers) => (status = Number(headers[':status'])));
    stream.on('error', () => {});
    stream.on('close', () => resolve(status === 200));
    stream.resume();
  });
}

/** Milliseconds that the main thread of a process has run, and those that it was ready to and had no processor. */
function schedule(process: string): { ran: number; waited: number } {
  const [ran = '', waited = ''] = readFileSync(`/proc/${process}/task/${process}/schedstat`, 'utf8').split(' ');
  return { ran: Number(ran) / 1e6, waited: Number(waited) / 1e6 };
}

function shares(values: readonly number[]): { p50: number; p99: number; max: number } {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}

async function measure(seconds: number): Promise<object> {
  const times: number[] = [];
  const waits: number[] = [];
  const works: number[] = [];
  let failed = 0;
  const begun = performance.now();
  const passed = (): number => (performance.now() - begun) / 1000;
  // Where the machine has other work, fewer responses come in the time.
  stopped = false;
  while (!stopped && (passed() < seconds || (times.length < enough && passed() < 3 * seconds))) {
    const [start, server, own] = [performance.now(), schedule(pid), schedule(String(process.pid))];
    if (!(await ask())) failed++;
    const time = performance.now() - start;
    const [serverAfter, ownAfter] = [schedule(pid), schedule(String(process.pid))];
    times.push(time);
    waits.push(Math.max(0, time - (serverAfter.waited - server.waited) - (ownAfter.waited - own.waited)));
    works.push(serverAfter.ran - server.ran);
    await sleep(5);
  }
  return { count: times.length, failed, time: shares(times), wait: shares(waits), work: shares(works) };
}

process.on('message', ({ command, argument }: { command: string; argument: number }) => {
  // The measurement under way ends, and its result is sent.
  if (command === 'stop') stopped = true;
  else void measure(argument).then((latencies) => process.send?.(latencies));
});
