/**
 * npm run test:hunt [-- AREA-OR-NAME ... --show --why --part=N/M]: looks for requests that keep others waiting.
 *
 * Builds the worst that clients may send, as large as the limits let it be, and measures how long the event loop of a server was held; what
 * is not far from the law is sent in smaller sizes too, to see how it grows.
 * The law: no turn of the loop takes more than 100 ms, costs grow no faster than sizes, and memory by a small multiple of them.
 */
import type { Case, World } from './case.ts';
import { bodyLimit } from './case.ts';
import { areas } from './areas.ts';
import type { Answer, Sent } from './hunted-server.ts';
import { HuntedServer } from './hunted-server.ts';

const law = { milliseconds: 100, exponent: 1.35, memory: 40 };
const timeout = 60_000;
/**
 * Quirks kept: upstream (v1.37.1, asked each of these cases in three sizes) says with 500 what is wrong with the target of a Binding, whatever
 * it is: without a name, with one that no node can have, of another kind; that ports of a Service that is updated have the same node port; that
 * a resource version is no number; that what is applied has fields that no object of its kind has; and that a pod that is evicted has several
 * budgets.
 */
const quirk =
  /^kinds: (?:Binding |Service spec.ports .*update$|ConfigMap metadata.resourceVersion )|^combined: YAML that is JSON: .*, applied$|^crowded: an eviction among /;

interface Measured {
  readonly status: number;
  /** CPU milliseconds of the longest turn as on a machine without other load, and as they were */
  readonly held: number;
  readonly raw: number;
  /** milliseconds of the longest turn by the time of day */
  readonly wall: number;
  /** CPU milliseconds of all turns */
  readonly total: number;
  /** bytes by which the process grew */
  readonly memory: number;
  /** the longest that a probe of /livez waited; 0 where none was sent */
  readonly livez: number;
}

interface Found extends Measured {
  readonly name: string;
  readonly size: number;
  /** bytes of what was there before: a small patch may be of a large object */
  readonly basis: number;
  /** by how much costs grow when sizes double, as a power of the size */
  readonly exponent: number;
}

const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const shows = process.argv.includes('--show');
const [part = 1, parts = 1] = (process.argv.find((argument) => argument.startsWith('--part='))?.slice(7) ?? '1/1').split('/').map(Number);
let server = await HuntedServer.start();
/** What the server has been given for several cases. */
const made = new Set<World>();
/** of the bodies that it was made with */
const worldBytes = new Map<World, number>();

async function startAnew(): Promise<void> {
  await server[Symbol.asyncDispose]();
  server = await HuntedServer.start();
  made.clear();
}

/** Cases that wait for something that the server refuses to make, with what it says. */
const refusals = new Map<string, string>();

/** What must be there before; what is refused on the way is returned: what comes next would wait for it in vain, so that it is hunted instead. */
async function prepare(test: Case, size: number): Promise<Sent | undefined> {
  for (const world of test.world ?? []) {
    if (made.has(world)) continue;
    made.add(world);
    const steps = world();
    const bytes = steps.flat().reduce((sum, { body = '' }) => sum + body.length, 0);
    worldBytes.set(world, bytes);
    for (const step of steps) await (Array.isArray(step) ? sendBeside(step as readonly Sent[]) : sendPrepared(step as Sent));
  }
  const steps = test.before?.(size) ?? [];
  for (const [index, before] of steps.entries()) {
    const answer = await sendUntil(before);
    const isRefused = before.method === 'POST' && (answer?.status ?? 0) >= 400 && answer?.status !== 409;
    if (!isRefused || !steps.slice(index).some(({ until }) => until !== undefined)) continue;
    refusals.set(test.name, answer?.start ?? '');
    return before;
  }
  return undefined;
}

async function sendUntil(request: Sent, patience = 30_000, pause = 0): Promise<Answer | undefined> {
  const started = performance.now();
  for (;;) {
    const answer = await server.send(request, timeout);
    if (answer === undefined || request.until === undefined || answer.status === request.until) return answer;
    if (performance.now() - started > patience) {
      console.log(`in vain: ${request.method} ${request.path} is answered with ${answer.status}`);
      return answer;
    }
    if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

async function sendBeside(requests: readonly Sent[]): Promise<void> {
  const left = requests.values();
  const clients = Array.from({ length: 8 }, async () => {
    for (const request of left) await sendPrepared(request);
  });
  await Promise.all(clients);
}

/** A world that is not there would be hunted in vain. */
async function sendPrepared(request: Sent): Promise<void> {
  const answer = await sendUntil(request);
  const isWrite = request.method === 'POST';
  if (answer === undefined || (isWrite && answer.status >= 300 && answer.status !== 409))
    throw new Error(`${request.method} ${request.path} was answered with ${answer?.status}: ${answer?.start}`);
}

async function measure(test: Case, size: number): Promise<Measured> {
  const sent = (await prepare(test, size)) ?? test.request(size);
  await server.order('begin');
  const probe = new Probe();
  const answer = await server.send(sent, timeout);
  if (test.settled !== undefined) await sendUntil(test.settled, 5 * timeout, 250);
  const livez = await probe.stop();
  if (answer === undefined || answer.status === 0) {
    // what does not respond is not asked again
    await startAnew();
    return { held: timeout, raw: timeout, wall: timeout, total: timeout, memory: 0, status: 0, livez };
  }
  const { longest, total, wall, memory, slowness, why } = await server.order('end');
  if (shows) console.log(`  ${size} ${longest.toFixed(0)} ms ${answer.status} ${answer.length} bytes ${answer.start.slice(0, 200)}`);
  if (why.length > 0) console.log([`  ${test.name}: ${size} ${longest.toFixed(0)} ms`, ...why].join('\n'));
  return { held: longest / slowness, raw: longest, wall, total: total / slowness, memory, status: answer.status, livez };
}

/** How long each probe of /livez has waited, in milliseconds. */
const waits: number[] = [];

/** Asks for /livez, again 20 ms after each response, and keeps the longest wait. */
class Probe {
  #isOver = false;
  #longest = 0;
  readonly #asking = this.#ask();

  async #ask(): Promise<void> {
    while (!this.#isOver) {
      const started = performance.now();
      await server.send({ method: 'GET', path: '/livez' }, timeout);
      const waited = performance.now() - started;
      waits.push(waited);
      this.#longest = Math.max(this.#longest, waited);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async stop(): Promise<number> {
    this.#isOver = true;
    await this.#asking;
    return this.#longest;
  }
}

/** Most of thousands of cases are far from the law, which a request without a probe beside it shows. */
async function glance(test: Case, size: number): Promise<Measured | undefined> {
  const sent = (await prepare(test, size)) ?? test.request(size);
  await server.order('glance');
  const answer = await server.send(sent, timeout);
  if (answer === undefined || answer.status === 0) return undefined;
  const { longest, total, wall, memory } = await server.order('end');
  return { held: longest, raw: longest, wall, total, memory, status: answer.status, livez: 0 };
}

/** The largest size that is not refused for how much it holds, more or less: what is refused costs little. */
async function accepted(test: Case, size: number): Promise<number> {
  let [least, most] = [0, size];
  for (let step = 0; step < 6 || (least === 0 && step < 10); step++) {
    const middle = (least + most) / 2;
    const seen = await glance(test, middle);
    if (seen?.status === 413) most = middle;
    else least = middle;
  }
  return least;
}

/** What a part of the size, or else all of it, takes, if that is far less than it may. */
async function farFromTheLaw(test: Case, size: number, part: number): Promise<Measured | undefined> {
  const isFar = (seen: Measured | undefined, share: number): seen is Measured =>
    seen !== undefined && seen.status !== 500 && seen.status !== 413 && seen.held < (law.milliseconds / 2) * share;
  const some = await glance(test, size * part);
  if (isFar(some, part)) return some;
  const whole = await glance(test, size);
  // compiled, and collected, meanwhile
  const seen = isFar(whole, 1) ? whole : await glance(test, size);
  return isFar(seen, 1) && seen.memory < law.memory * size ? seen : undefined;
}

async function hunt(test: Case): Promise<Found> {
  let size = Math.min(test.limit ?? bodyLimit, bodyLimit) - 2048;
  const before = (test.before?.(size) ?? []).reduce((sum, { body = '' }) => sum + body.length, 0);
  const found = (measured: Measured, exponent: number): Found => {
    const basis = (test.world ?? []).reduce((sum, world) => sum + (worldBytes.get(world) ?? 0), before);
    return { name: test.name, size, basis, exponent, ...measured };
  };
  const far = test.screen === undefined ? undefined : await farFromTheLaw(test, size, test.screen);
  if (far !== undefined) return found(far, 1);
  let whole = await measure(test, size);
  if (whole.status === 413) {
    size = await accepted(test, size);
    const refused = whole;
    if (size > 0) whole = await measure(test, size);
    // What is refused should have cost little.
    if (refused.held > Math.max(whole.held, law.milliseconds / 2)) return found(refused, 1);
  }
  if (test.once === true || (whole.held < law.milliseconds / 3 && whole.memory < law.memory * size)) return found(whole, 1);
  let small = await measure(test, size / 8);
  // the first of its kind also pays for the compilation of what it runs through, so it is sent again
  if (whole.held < law.milliseconds * 20) {
    const again = await measure(test, size);
    if (again.status !== 0 && again.held < whole.held) whole = again;
  }
  let exponent = growth(small, whole);
  for (let again = 0; again < 2 && exponent > law.exponent; again++) {
    small = cheaper(small, await measure(test, size / 8));
    whole = cheaper(whole, await measure(test, size));
    exponent = growth(small, whole);
  }
  return found(whole, exponent);
}

/** The power of the size that the costs of two sizes, of which one is eight times the other, grow with. */
function growth(small: Measured, whole: Measured): number {
  // small amounts are all noise
  return whole.total < 40 ? 1 : Math.log2(Math.max(whole.total, 1) / Math.max(small.total, 1)) / 3;
}

/** What took longer had to collect garbage of others, or to compile. */
function cheaper(one: Measured, other: Measured): Measured {
  return other.status === 0 || other.total < one.total ? other : one;
}

const all: Found[] = [];
const started = performance.now();
for (const [area, cases] of Object.entries(areas)) {
  const chosen = cases().filter(
    ({ name }, index) =>
      index % parts === part - 1 && (wanted.length === 0 || wanted.some((some) => area === some || `${area} ${name}`.includes(some))),
  );
  // Each area has a server of its own: what others left there is not its concern.
  if (chosen.length > 0 && all.length > 0) await startAnew();
  let reported = performance.now();
  for (const [index, test] of chosen.entries()) {
    if (performance.now() - reported > 60_000) {
      console.log(`${area}: ${index} of ${chosen.length}`);
      reported = performance.now();
    }
    const found = await hunt({ ...test, name: `${area}: ${test.name}` });
    all.push(found);
    if (isBad(found)) console.log(line(found));
  }
  if (chosen.length > 0) console.log(`${area}: ${chosen.length} cases, ${((performance.now() - started) / 1000).toFixed(0)} s`);
}
await server[Symbol.asyncDispose]();

function isBad({ name, held, exponent, memory, status, size, basis }: Found): boolean {
  const growsFast = exponent > law.exponent && held > law.milliseconds / 3;
  return (
    held > law.milliseconds ||
    growsFast ||
    (memory > law.memory * (size + basis) && size > 100_000) ||
    status === 0 ||
    (status === 500 && !quirk.test(name))
  );
}

function line({ name, size, status, held, raw, wall, total, exponent, memory, livez }: Found): string {
  const cell = (value: number, width: number): string => value.toFixed(0).padStart(width);
  return (
    `${cell(held, 6)} ms held (measured ${cell(raw, 5)}, by the clock ${cell(wall, 5)}) ${cell(total, 6)} ms in all  size ${cell(size, 7)}  ` +
    `^${exponent.toFixed(2)}  memory ${cell(memory / 2 ** 20, 4)} MiB  livez ${cell(livez, 5)} ms  ${status}  ${name}`
  );
}

console.log('\nthe slowest:');
for (const found of all.toSorted((one, other) => other.held - one.held).slice(0, 10)) console.log(line(found));
console.log('\nthe largest:');
for (const found of all.toSorted((one, other) => other.memory - one.memory).slice(0, 5)) console.log(line(found));
const bad = all.filter(isBad);
waits.sort((one, other) => one - other);
const share = (part: number): string => (waits[Math.min(waits.length - 1, Math.floor(waits.length * part))] ?? 0).toFixed(1);
console.log(
  `\n/livez, asked every 20 ms meanwhile: ${waits.length} times, p50 ${share(0.5)} ms, p99 ${share(0.99)} ms, at most ${share(1)} ms`,
);
if (refusals.size > 0) console.log(`\nwhat these wait for is refused, which was hunted instead:`);
for (const [name, start] of refusals) console.log(`${name}: ${start.slice(0, 300)}`);
console.log(`${all.length} cases, ${bad.length} beyond the law`);
process.exitCode = bad.length === 0 ? 0 : 1;
