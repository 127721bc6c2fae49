/**
 * npm run test:hunt [-- AREA-OR-NAME ...]: looks for requests that keep others waiting.
 *
 * Builds the worst that clients may send, in sizes that double up to the limits, and measures how long the event loop of a server was held.
 * The law: no turn of the loop takes more than 100 ms, costs grow no faster than sizes, and memory by a small multiple of them.
 */
import type { Case } from './case.ts';
import { bodyLimit } from './case.ts';
import { areas } from './areas.ts';
import { HuntedServer } from './hunted-server.ts';

const law = { milliseconds: 100, exponent: 1.35, memory: 40 };
const timeout = 60_000;

interface Found {
  readonly name: string;
  readonly size: number;
  readonly status: number;
  /** CPU milliseconds of the longest turn, and of all */
  readonly held: number;
  readonly total: number;
  /** by how much costs grow when sizes double, as a power of the size */
  readonly exponent: number;
  /** how many times the size the process grew */
  readonly memory: number;
  readonly livez: number;
}

const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const isQuick = process.argv.includes('--quick');
let server = await HuntedServer.start();

async function measure(test: Case, size: number): Promise<{ held: number; total: number; memory: number; status: number; livez: number }> {
  for (const before of test.before?.(size) ?? []) await server.send(before, timeout);
  const sent = test.request(size);
  await server.order('begin');
  const probe = new Probe();
  const answer = await server.send(sent, timeout);
  const livez = await probe.stop();
  if (answer === undefined || answer.status === 0) {
    // what does not respond is not asked again
    await server[Symbol.asyncDispose]();
    server = await HuntedServer.start();
    return { held: timeout, total: timeout, memory: 0, status: 0, livez };
  }
  if (process.argv.includes('--show')) console.log(`  ${size} ${answer.status} ${answer.length} bytes ${answer.start.slice(0, 200)}`);
  const { longest, total, memory } = await server.order('end');
  return { held: longest, total, memory: memory / size, status: answer.status, livez };
}

/** Asks for /livez, again 20 ms after each response, and keeps the longest wait. */
class Probe {
  #isOver = false;
  #longest = 0;
  readonly #asking = this.#ask();

  async #ask(): Promise<void> {
    while (!this.#isOver) {
      const started = performance.now();
      await server.send({ method: 'GET', path: '/livez' }, timeout);
      this.#longest = Math.max(this.#longest, performance.now() - started);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async stop(): Promise<number> {
    this.#isOver = true;
    await this.#asking;
    return this.#longest;
  }
}

async function hunt(test: Case): Promise<Found> {
  const limit = Math.min(test.limit ?? bodyLimit, bodyLimit) - 2048;
  // screened at an eighth; what is far from the law there, and does not grow, is not looked at further
  const small = await measure(test, limit / 8);
  const found = (size: number, last: typeof small, exponent: number): Found => ({ name: test.name, size, exponent, ...last });
  if (isQuick && small.held < law.milliseconds / 10 && small.memory < law.memory) return found(limit / 8, small, 1);
  if (small.held > law.milliseconds * 8) return found(limit / 8, small, 2);
  const half = await measure(test, limit / 2);
  if (half.held > law.milliseconds * 10) return found(limit / 2, half, Math.log2(half.total / small.total) / 2);
  const whole = await measure(test, limit);
  // small amounts are all noise
  const exponent = whole.total < 40 ? 1 : Math.log2(Math.max(whole.total, 1) / Math.max(small.total, 1)) / 3;
  return found(limit, whole, exponent);
}

const all: Found[] = [];
const started = performance.now();
for (const [area, cases] of Object.entries(areas)) {
  const chosen = cases().filter(
    ({ name }) => wanted.length === 0 || wanted.some((part) => area === part || `${area} ${name}`.includes(part)),
  );
  for (const test of chosen) {
    const found = await hunt({ ...test, name: `${area}: ${test.name}` });
    all.push(found);
    if (isBad(found)) console.log(line(found));
  }
  if (chosen.length > 0) console.log(`${area}: ${chosen.length} cases, ${((performance.now() - started) / 1000).toFixed(0)} s`);
}
await server[Symbol.asyncDispose]();

function isBad({ held, exponent, memory, status, size }: Found): boolean {
  const growsFast = exponent > law.exponent && held > law.milliseconds / 3;
  return held > law.milliseconds || growsFast || (memory > law.memory && size > 100_000) || status === 0 || status === 500;
}

function line({ name, size, status, held, total, exponent, memory, livez }: Found): string {
  const cell = (value: number, width: number): string => value.toFixed(0).padStart(width);
  return `${cell(held, 7)} ms held ${cell(total, 7)} ms in all  size ${cell(size, 8)}  ^${exponent.toFixed(2)}  memory x${cell(memory, 4)}  livez ${cell(livez, 6)} ms  ${status}  ${name}`;
}

console.log('\nthe slowest:');
for (const found of all.toSorted((one, other) => other.held - one.held).slice(0, 10)) console.log(line(found));
console.log('\nthe largest:');
for (const found of all.toSorted((one, other) => other.memory - one.memory).slice(0, 5)) console.log(line(found));
const bad = all.filter(isBad);
console.log(`\n${all.length} cases, ${bad.length} beyond the law`);
process.exitCode = bad.length === 0 ? 0 : 1;
