/**
 * Random writes by several managers (apply, update, three kinds of patch) to two servers: objects, managedFields and refusals must be the
 * same after every step.
 *   node test/clients/apply-sequences.ts OURS.kubeconfig REFERENCE.kubeconfig [sequences=2000] [seed=1]
 */
import { deepStrictEqual } from 'node:assert';
import { connect } from './json-client.ts';
import type { ApiClient } from './json-client.ts';

const [ours, reference, count = '2000', seed = '1'] = process.argv.slice(2);
if (ours === undefined || reference === undefined) throw new Error('give two kubeconfigs: ours and the reference');
const servers = [connect(ours), connect(reference)] as const;

type Json = Record<string, unknown>;

/** Mulberry32: small, seeded, good enough to choose with. */
function random(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

class Sequence {
  readonly #next: () => number;
  readonly name: string;

  constructor(index: number) {
    this.#next = random(Number(seed) * 1_000_003 + index);
    this.name = `s${seed}-${index}`;
  }

  pick<T>(options: readonly T[]): T {
    return options[Math.floor(this.#next() * options.length)] as T;
  }

  chance(p: number): boolean {
    return this.#next() < p;
  }

  labels(): Json {
    return Object.fromEntries(['a', 'b', 'c'].filter(() => this.chance(0.5)).map((key) => [key, this.pick(['1', '2'])]));
  }

  container(name: string): Json {
    return {
      name,
      image: this.pick(['i:1', 'i:2']),
      ...(this.chance(0.4) && {
        env: ['X', 'Y', 'Z'].filter(() => this.chance(0.5)).map((key) => ({ name: key, value: this.pick(['u', 'v']) })),
      }),
      ...(this.chance(0.3) && { args: [this.pick(['p', 'q']), 'r'] }),
      ...(this.chance(0.3) && { ports: [{ containerPort: this.pick([80, 81]), protocol: 'TCP' }] }),
    };
  }

  /** A whole Deployment, or the part of one that an applier cares about. */
  deployment(whole: boolean): Json {
    const containers = ['one', 'two', 'three']
      .filter((_, index) => (whole && index === 0) || this.chance(0.4))
      .map((name) => this.container(name));
    const template = {
      metadata: { labels: { app: 'x', ...(this.chance(0.4) && this.labels()) } },
      spec: {
        ...((whole || this.chance(0.8)) && { containers }),
        ...(this.chance(0.2) && { nodeSelector: this.labels() }),
        ...(this.chance(0.2) && { tolerations: [{ key: this.pick(['k', 'l']), operator: 'Exists' }] }),
      },
    };
    return {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: {
        name: this.name,
        ...(this.chance(0.6) && { labels: this.labels() }),
        ...(this.chance(0.3) && { annotations: this.labels() }),
      },
      spec: {
        ...(this.chance(0.5) && { replicas: this.pick([0, 1, 2]) }),
        ...(this.chance(0.2) && { paused: this.chance(0.5) }),
        selector: { matchLabels: { app: 'x' } },
        template,
      },
    };
  }

  /** Method, path suffix, content type and body of a step; `current` is what our server has. */
  step(current: Json | undefined): { method: string; query: string; type: string; body: unknown } {
    const manager = this.pick(['m1', 'm2', 'm3']);
    const query = `fieldManager=${manager}`;
    if (current === undefined && this.chance(0.5)) return { method: 'POST', query, type: 'application/json', body: this.deployment(true) };
    switch (current === undefined ? 0 : this.pick([0, 0, 0, 1, 2, 3, 4])) {
      case 1:
        return { method: 'PUT', query, type: 'application/json', body: this.#changed(current as Json) };
      case 2:
        return { method: 'PATCH', query, type: 'application/merge-patch+json', body: this.#mergePatch() };
      case 3:
        return { method: 'PATCH', query, type: 'application/strategic-merge-patch+json', body: this.#strategicPatch() };
      case 4:
        return { method: 'PATCH', query, type: 'application/json-patch+json', body: this.#jsonPatch() };
      default: {
        const force = this.chance(0.4) ? '&force=true' : '';
        return {
          method: 'PATCH',
          query: query + force,
          type: 'application/apply-patch+yaml',
          body: this.deployment(current === undefined),
        };
      }
    }
  }

  #changed(current: Json): Json {
    const { metadata, spec } = this.deployment(true) as { metadata: Json; spec: Json };
    const { resourceVersion: _, uid: __, ...kept } = current['metadata'] as Json;
    return this.chance(0.5)
      ? { ...current, metadata: { ...kept, labels: metadata['labels'] ?? {} } }
      : { ...current, metadata: kept, spec: { ...(current['spec'] as Json), ...spec } };
  }

  #mergePatch(): Json {
    return {
      metadata: { labels: { a: this.pick(['1', '2', null]), c: this.pick(['1', null]) } },
      ...(this.chance(0.5) && { spec: { replicas: this.pick([1, 3, null]) } }),
    };
  }

  #strategicPatch(): Json {
    const container = this.chance(0.3) ? { name: 'two', $patch: 'delete' } : this.container(this.pick(['one', 'two']));
    return { spec: { template: { spec: { containers: [container] } } } };
  }

  #jsonPatch(): Json[] {
    return [
      { op: 'add', path: '/metadata/annotations', value: this.labels() },
      ...(this.chance(0.5) ? [{ op: 'replace', path: '/spec/replicas', value: this.pick([1, 2]) }] : []),
    ];
  }
}

const volatile: ReadonlySet<string> = new Set(['uid', 'resourceVersion', 'creationTimestamp', 'time', 'namespace']);

/** What two servers must agree on. Times order managedFields, so entries are compared sorted. */
function comparable(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => comparable(item));
    return key === 'managedFields' || key === 'causes' ? items.map((item) => JSON.stringify(item)).sort() : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value as Json)
      .filter(([name]) => !volatile.has(name))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, item]) => [name, comparable(item, name)]),
  );
}

const collection = '/apis/apps/v1/namespaces/default/deployments';

async function play(sequence: Sequence): Promise<number> {
  let current: Json | undefined;
  let steps = 0;
  for (let i = 0; i < 7; i++) {
    const { method, query, type, body } = sequence.step(current);
    const path = `${collection}${method === 'POST' ? '' : `/${sequence.name}`}?${query}`;
    const answers = await Promise.all(servers.map((server: ApiClient) => server.request(method, path, body, type)));
    const [mine, theirs] = answers as [Awaited<ReturnType<ApiClient['request']>>, Awaited<ReturnType<ApiClient['request']>>];
    steps++;
    try {
      deepStrictEqual({ status: mine.status, body: comparable(mine.body) }, { status: theirs.status, body: comparable(theirs.body) });
    } catch (difference) {
      console.error(`${sequence.name} step ${i}: ${method} ${path} ${type}\n${JSON.stringify(body)}\n${(difference as Error).message}`);
      throw difference;
    }
    if (mine.status < 300) current = mine.body as Json;
  }
  await Promise.all(servers.map((server) => server.request('DELETE', `${collection}/${sequence.name}`)));
  return steps;
}

let done = 0;
let steps = 0;
let differing = 0;
const total = Number(count);
await Promise.all(
  Array.from({ length: 8 }, async () => {
    while (done < total) {
      const sequence = new Sequence(done++);
      try {
        const played = await play(sequence);
        steps += played;
      } catch {
        if (++differing >= 5) throw new Error('too many differences');
      }
      if (done % 200 === 0) console.log(`${done} of ${total} sequences, ${steps} writes, ${differing} differ`);
    }
  }),
);
for (const server of servers) server.close();
console.log(`${total} sequences, ${steps} writes, ${differing} differ`);
process.exitCode = differing === 0 ? 0 : 1;
