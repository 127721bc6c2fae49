/** What the thread did in its longest turn, as V8's profiler has seen it: `npm run test:hunt -- NAME --why`. */
import type { Profiler } from 'node:inspector';
import { Session } from 'node:inspector/promises';

/** microseconds between two looks at the stack */
const interval = 200;
const session = new Session();

/** Microseconds of the clock that profiles have. */
export const clock = (): number => Number(process.hrtime.bigint() / 1000n);

export async function startProfile(): Promise<void> {
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval });
  await session.post('Profiler.start');
}

/** The functions in which the thread was most of the time between two times, with what they called. */
export async function stopProfile(from: number, to: number): Promise<readonly string[]> {
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const parents = new Map(profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const [self, whole] = [new Map<string, number>(), new Map<string, number>()];
  let at = profile.startTime;
  for (const [index, sample] of (profile.samples ?? []).entries()) {
    at += profile.timeDeltas?.[index] ?? 0;
    const taken = profile.timeDeltas?.[index + 1] ?? 0;
    if (at < from || at > to) continue;
    add(self, nameOf(nodes.get(sample)), taken);
    const stack = new Set<string>();
    for (let id: number | undefined = sample; id !== undefined; id = parents.get(id)) stack.add(nameOf(nodes.get(id)));
    for (const name of stack) add(whole, name, taken);
  }
  return [...most('itself', self), ...most('with what it calls', whole)];
}

function add(times: Map<string, number>, name: string, taken: number): void {
  times.set(name, (times.get(name) ?? 0) + taken);
}

function most(how: string, times: ReadonlyMap<string, number>): string[] {
  const entries = [...times].toSorted(([, one], [, other]) => other - one).slice(0, how === 'itself' ? 12 : 45);
  return entries.map(([name, taken]) => `    ${(taken / 1000).toFixed(1).padStart(6)} ms ${how}: ${name}`);
}

function nameOf(node: Profiler.ProfileNode | undefined): string {
  if (node === undefined) return '?';
  const { functionName, url, lineNumber } = node.callFrame;
  return `${functionName || '(anonymous)'} ${url.replace(/^.*\/src\//, 'src/')}:${lineNumber + 1}`;
}
