/**
 * A server in a process of its own that tells how long its event loop was held. What counts is the CPU time of the main thread between two
 * turns of the loop: unlike the time of day, which is reported too, it is nearly the same on a machine that is busy with something else.
 */
import { startTestServer } from '../../../src/testing/index.ts';
import { startDressedServer } from './dressed-server.ts';
import { clock, startProfile, stopProfile } from './longest-turn.ts';
import type { Order, Report } from './messages.ts';

const server = process.argv.includes('--dressed')
  ? await startDressedServer()
  : await startTestServer({ controllers: false, features: { CBORServingAndStorage: true } });
let last = cpu();
let first = last;
let lastSeen = performance.now();
let longest = 0;
let wall = 0;
let memory = 0;
let most = 0;
let best = Infinity;
let before = 1;
const asksWhy = process.argv.includes('--why');
let lastAt = clock();
/** of the longest turn */
let [from, to] = [0, 0];
const yardstick = JSON.stringify(Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`k${index}`, [index, 'text']])));

/** Milliseconds of CPU that this thread has used. */
function cpu(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Threads of other processes that share a core take at most half of it. */
const slowest = 2;

/**
 * How much slower this thread computes than it did at its best: another process on the same core costs CPU time too, by caches and shared
 * units. The best of several tries counts: a collection of garbage in one of them says nothing of the machine.
 */
function slowness(): number {
  let taken = Infinity;
  for (let attempt = 0; attempt < 5; attempt++) {
    const started = cpu();
    for (let round = 0; round < 10; round++) JSON.stringify(JSON.parse(yardstick));
    taken = Math.min(taken, cpu() - started);
  }
  best = Math.max(0.2, Math.min(best, taken));
  return Math.max(1, Math.min(taken / best, slowest));
}

function look(): void {
  const now = cpu();
  const seen = performance.now();
  const at = clock();
  if (now - last > longest) [longest, from, to] = [now - last, lastAt, at];
  lastAt = at;
  wall = Math.max(wall, seen - lastSeen);
  [last, lastSeen] = [now, seen];
  most = Math.max(most, process.memoryUsage.rss());
}

function turn(): void {
  look();
  setTimeout(turn, 2);
}

process.on('disconnect', () => process.exit());
process.on('message', (order: Order) => void obey(order));

async function obey(order: Order): Promise<void> {
  if (order === 'stop') return void server.stop().then(() => process.exit());
  if (order === 'begin' || order === 'glance') {
    if (order === 'begin') {
      globalThis.gc?.();
      before = slowness();
    } else before = 1;
    if (asksWhy) await startProfile();
    [first, longest, wall, memory] = [cpu(), 0, 0, process.memoryUsage.rss()];
    [last, lastSeen, lastAt, most] = [first, performance.now(), clock(), memory];
    return tell({ longest: 0, total: 0, wall: 0, slowness: 1, memory: 0, why: [] });
  }
  look();
  const report = { longest, total: last - first, wall, memory: most - memory };
  const why = asksWhy ? await stopProfile(from, to) : [];
  tell({ ...report, slowness: Math.max(1, Math.min(before, slowness())), why });
}

function tell(report: Report): void {
  process.send!(report);
}

turn();
process.send!({ url: server.url, ca: server.authority.certificate, admin: server.admin });
