/**
 * A server in a process of its own that tells how long its event loop was held. What counts is the CPU time of the main thread between two
 * turns of the loop: unlike the time of day it is the same on a machine that is busy with something else.
 */
import { startTestServer } from '../../../src/testing/index.ts';
import type { Order, Report } from './messages.ts';

const server = await startTestServer();
let last = cpu();
let first = last;
let longest = 0;
let memory = 0;
let most = 0;

/** Milliseconds of CPU that this thread has used. */
function cpu(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function look(): void {
  const now = cpu();
  longest = Math.max(longest, now - last);
  last = now;
  most = Math.max(most, process.memoryUsage.rss());
}

function turn(): void {
  look();
  setTimeout(turn, 2);
}

process.on('message', (order: Order) => {
  if (order === 'stop') return void server.stop().then(() => process.exit());
  if (order === 'begin') {
    globalThis.gc?.();
    [first, longest, memory] = [cpu(), 0, process.memoryUsage.rss()];
    [last, most] = [first, memory];
    return tell({ longest: 0, total: 0, memory: 0 });
  }
  look();
  tell({ longest, total: last - first, memory: most - memory });
});

function tell(report: Report): void {
  process.send!(report);
}

turn();
process.send!({ url: server.url, ca: server.authority.certificate, admin: server.admin });
