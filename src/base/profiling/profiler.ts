import type { HeapProfiler, Profiler as V8Profiler, Runtime, Session } from 'node:inspector';
import type { Profile, ProfiledFunction, Sample } from './pprof.ts';

/** a fifth of what V8 would take: profiles of a busy server stay small, and it stays fast */
const cpuIntervalMicros = 5000;
const heapIntervalBytes = 64 << 10;

const bytes = { type: 'space', unit: 'bytes' };

export class ProfilerBusyError extends Error {
  override readonly name = 'ProfilerBusyError';
}

/** Profiles of this process, by V8's own profilers. Costs nothing until it is asked. */
export class Profiler {
  #session: Promise<Session> | undefined;
  #isProfilingCpu = false;
  #isSamplingHeap = false;

  /** What runs until `until` is resolved. */
  async cpu(until: () => Promise<void>): Promise<Profile> {
    if (this.#isProfilingCpu) throw new ProfilerBusyError('cpu profiling already in use');
    this.#isProfilingCpu = true;
    try {
      await this.#post('Profiler.enable');
      await this.#post('Profiler.setSamplingInterval', { interval: cpuIntervalMicros });
      const at = Date.now();
      await this.#post('Profiler.start');
      await until();
      const { profile } = (await this.#post('Profiler.stop')) as V8Profiler.StopReturnType;
      return cpuProfile(profile, at);
    } finally {
      this.#isProfilingCpu = false;
    }
  }

  /**
   * What is alive. Sampling begins with the first call, which waits for `until`; what was allocated before is shown as one function. It
   * goes on from then: later calls return at once, and know more.
   */
  async heap(until: () => Promise<void>): Promise<Profile> {
    if (!this.#isSamplingHeap) {
      await this.#startHeapSampling({ samplingInterval: heapIntervalBytes });
      await until();
    }
    const { profile } = (await this.#post('HeapProfiler.getSamplingProfile')) as HeapProfiler.GetSamplingProfileReturnType;
    const { heapUsed } = process.memoryUsage();
    const samples = heapSamples(profile);
    const known = samples.reduce((sum, { values }) => sum + (values[1] ?? 0), 0);
    const before = { name: '(allocated before profiling began)', file: '', line: 0 };
    if (heapUsed > known) samples.push({ stack: [before], values: [1, heapUsed - known] });
    return heapProfile(samples, 'inuse');
  }

  /** What is allocated until `until` is resolved, whether it lives on or not. */
  async allocations(until: () => Promise<void>): Promise<Profile> {
    if (this.#isSamplingHeap) {
      this.#isSamplingHeap = false;
      await this.#post('HeapProfiler.stopSampling');
    }
    await this.#startHeapSampling({
      samplingInterval: heapIntervalBytes / 8,
      includeObjectsCollectedByMajorGC: true,
      includeObjectsCollectedByMinorGC: true,
    });
    await until();
    const { profile } = (await this.#post('HeapProfiler.stopSampling')) as HeapProfiler.StopSamplingReturnType;
    this.#isSamplingHeap = false;
    return heapProfile(heapSamples(profile), 'alloc');
  }

  async #startHeapSampling(options: HeapProfiler.StartSamplingParameterType & Record<string, unknown>): Promise<void> {
    if (this.#isSamplingHeap) throw new ProfilerBusyError('heap profiling already in use');
    this.#isSamplingHeap = true;
    try {
      await this.#post('HeapProfiler.enable');
      await this.#post('HeapProfiler.startSampling', options);
    } catch (error) {
      this.#isSamplingHeap = false;
      throw error;
    }
  }

  async #post(method: string, parameters: object = {}): Promise<unknown> {
    const session = await (this.#session ??= connect());
    return new Promise((resolve, reject) => {
      session.post(method, parameters, (error, result: unknown) => (error === null ? resolve(result) : reject(error)));
    });
  }

  /** Ends what still samples. */
  async close(): Promise<void> {
    const session = await this.#session;
    this.#session = undefined;
    session?.disconnect();
  }
}

async function connect(): Promise<Session> {
  const inspector = await import('node:inspector');
  const session = new inspector.Session();
  session.connect();
  return session;
}

function functionOf({ functionName, url, lineNumber, columnNumber }: Runtime.CallFrame): ProfiledFunction {
  const file = url.replace(/^file:\/\//, '');
  // A bundle has many functions on one line: those without a name differ by their column.
  const place = `${file.slice(file.lastIndexOf('/') + 1)}:${lineNumber + 1}:${columnNumber + 1}`;
  const name = functionName || (file === '' ? '(native)' : `(anonymous ${place})`);
  return { name, file, line: lineNumber < 0 ? 0 : lineNumber + 1 };
}

function cpuProfile({ nodes, samples = [], timeDeltas = [], startTime, endTime }: V8Profiler.Profile, at: number): Profile {
  const parents = new Map<number, number>();
  const byId = new Map(nodes.map((node) => [node.id, node]));
  for (const { id, children = [] } of nodes) for (const child of children) parents.set(child, id);
  const spent = new Map<number, [count: number, nanoseconds: number]>();
  for (const [index, id] of samples.entries()) {
    const name = byId.get(id)?.callFrame.functionName;
    // Time in which the process did nothing is not time that it used.
    if (name === '(idle)' || name === '(root)') continue;
    const sum = spent.get(id) ?? [0, 0];
    spent.set(id, [sum[0] + 1, sum[1] + Math.max(0, timeDeltas[index + 1] ?? cpuIntervalMicros) * 1000]);
  }
  const stackOf = (id: number): ProfiledFunction[] => {
    const stack: ProfiledFunction[] = [];
    for (let next: number | undefined = id; next !== undefined && parents.has(next); next = parents.get(next)) {
      const frame = byId.get(next)?.callFrame;
      if (frame !== undefined) stack.push(functionOf(frame));
    }
    return stack;
  };
  return {
    types: [
      { type: 'samples', unit: 'count' },
      { type: 'cpu', unit: 'nanoseconds' },
    ],
    samples: [...spent].map(([id, values]) => ({ stack: stackOf(id), values })),
    at,
    durationMs: (endTime - startTime) / 1000,
    period: { type: { type: 'cpu', unit: 'nanoseconds' }, value: cpuIntervalMicros * 1000 },
  };
}

/** More than the types of Node say. */
interface HeapNode extends HeapProfiler.SamplingHeapProfileNode {
  readonly id: number;
  readonly children: HeapNode[];
}

interface HeapTree {
  readonly head: HeapNode;
  readonly samples: readonly { readonly nodeId: number }[];
}

function heapSamples(tree: HeapProfiler.SamplingHeapProfile): Sample[] {
  const { head, samples } = tree as HeapTree;
  const counts = new Map<number, number>();
  for (const { nodeId } of samples) counts.set(nodeId, (counts.get(nodeId) ?? 0) + 1);
  const found: Sample[] = [];
  const open: [node: HeapNode, outer: readonly ProfiledFunction[]][] = [[head, []]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [node, outer] = next;
    const stack = node === head ? outer : [functionOf(node.callFrame), ...outer];
    if (node.selfSize > 0)
      found.push({ stack: stack.length === 0 ? [functionOf(node.callFrame)] : stack, values: [counts.get(node.id) ?? 1, node.selfSize] });
    for (const child of node.children) open.push([child, stack]);
  }
  return found;
}

function heapProfile(samples: readonly Sample[], what: 'inuse' | 'alloc'): Profile {
  return {
    types: [
      { type: `${what}_objects`, unit: 'count' },
      { type: `${what}_space`, unit: 'bytes' },
    ],
    samples,
    at: Date.now(),
    period: { type: bytes, value: heapIntervalBytes },
    defaultType: `${what}_space`,
  };
}
