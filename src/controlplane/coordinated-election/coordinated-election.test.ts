import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RawClient } from '../../../test/support/raw-client.ts';
import { ManualClock } from '../../base/clock.ts';
import { startApiServer } from '../../index.ts';
import { createMemoryStorage } from '../../storage/drivers/memory/memory-storage.ts';
import type { Candidate } from './choice.ts';
import { isAsked, oldestCandidate, strategyOf } from './choice.ts';

const timeout = 30_000;

interface Versions {
  readonly emulation?: string;
  readonly binary: string;
  readonly strategy?: string;
  readonly created?: string;
}

function candidate(
  name: string,
  { emulation, binary, strategy = 'OldestEmulationVersion', created = '2026-01-01T00:00:00Z' }: Versions,
): Candidate {
  return {
    metadata: { name, creationTimestamp: created },
    spec: { leaseName: 'l', binaryVersion: binary, strategy, ...(emulation !== undefined && { emulationVersion: emulation }) },
  };
}

test('the oldest emulation wins, then the oldest program, then the oldest object', () => {
  const best = (...candidates: readonly Candidate[]): string | undefined => oldestCandidate(candidates)?.metadata.name;
  assert.equal(
    best(candidate('a', { emulation: '1.20.0', binary: '1.20.0' }), candidate('b', { emulation: '1.19.0', binary: '1.20.0' })),
    'b',
  );
  assert.equal(
    best(candidate('a', { emulation: '1.19.0', binary: '1.20.0' }), candidate('b', { emulation: '1.19.0', binary: '1.19.0' })),
    'b',
  );
  const same = { emulation: '1.19.0', binary: '1.19.0' };
  assert.equal(best(candidate('a', { ...same, created: '2026-01-02T00:00:00Z' }), candidate('b', same)), 'b');
  assert.equal(best(candidate('a', same), candidate('b', same)), 'a');
  assert.equal(best(candidate('a', { binary: '1.18.0' })), undefined);
});

test('the newest program says which strategy; two of them must agree', () => {
  assert.equal(
    strategyOf([candidate('a', { binary: '1.19.0' }), candidate('b', { binary: '1.20.0', strategy: 'example.com/x' })]),
    'example.com/x',
  );
  assert.throws(() => strategyOf([candidate('a', { binary: '1.20.0' }), candidate('b', { binary: '1.20.0', strategy: 'example.com/x' })]), {
    message: 'candidates "a", "b" at same binary version but received differing strategies OldestEmulationVersion, example.com/x',
  });
});

test('whether a candidate has responded is decided to the microsecond', () => {
  const at = (pingTime: string, renewTime: string): Candidate => ({
    ...candidate('a', { binary: '1.20.0' }),
    spec: { leaseName: 'l', binaryVersion: '1.20.0', pingTime, renewTime },
  });
  assert.ok(isAsked(at('2026-01-01T00:00:00.000002Z', '2026-01-01T00:00:00.000001Z')));
  assert.ok(!isAsked(at('2026-01-01T00:00:00.000001Z', '2026-01-01T00:00:00.000001Z')));
});

interface LeaseSpec {
  readonly holderIdentity?: string;
  readonly preferredHolder?: string;
  readonly strategy?: string;
  readonly renewTime?: string;
}

/** A server whose time stands still until it is moved, and candidates that respond when the test says so. */
class World implements AsyncDisposable {
  readonly clock = new ManualClock(Date.UTC(2026, 0, 1));
  readonly #stack = new AsyncDisposableStack();
  #client: RawClient | undefined;

  async start(): Promise<void> {
    const { clock } = this;
    const storage = this.#stack.use(createMemoryStorage({ clock }));
    const features = { CoordinatedLeaderElection: true };
    const server = this.#stack.use(
      await startApiServer({ clock, storage, controllers: false, features, apis: { 'coordination.k8s.io/v1beta1': true } }),
    );
    this.#client = this.#stack.use(new RawClient(server));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }

  async call<T>(method: string, path: string, body?: unknown): Promise<{ status: number; object: T }> {
    const { status, text } = await (this.#client as RawClient).call(method, path, body === undefined ? {} : { body });
    return { status, object: JSON.parse(text) as T };
  }

  get now(): string {
    return new Date(this.clock.now()).toISOString().replace('Z', '000Z');
  }

  async join(name: string, emulationVersion: string): Promise<void> {
    const spec = { leaseName: 'work', binaryVersion: '1.37.0', emulationVersion, strategy: 'OldestEmulationVersion', renewTime: this.now };
    const { status } = await this.call('POST', candidatesPath, { metadata: { name }, spec });
    assert.equal(status, 201);
  }

  async respond(name: string): Promise<void> {
    const { object } = await this.call<Candidate>('GET', `${candidatesPath}/${name}`);
    await this.call('PUT', `${candidatesPath}/${name}`, { ...object, spec: { ...object.spec, renewTime: this.now } });
  }

  async lease(): Promise<LeaseSpec> {
    return (await this.call<{ spec?: LeaseSpec }>('GET', leasePath)).object.spec ?? {};
  }

  async candidate(name: string): Promise<Candidate | undefined> {
    const { status, object } = await this.call<Candidate>('GET', `${candidatesPath}/${name}`);
    return status === 200 ? object : undefined;
  }

  /** Every look may move the clock. */
  async until(holds: () => Promise<boolean>, stepMs = 0): Promise<void> {
    while (!(await holds())) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      if (stepMs > 0) this.clock.advance(stepMs);
    }
  }
}

const candidatesPath = '/apis/coordination.k8s.io/v1beta1/namespaces/default/leasecandidates';
const leasePath = '/apis/coordination.k8s.io/v1/namespaces/default/leases/work';

test('a candidate alone holds the Lease; a better one is preferred, and the holder is not put out', { timeout }, async () => {
  await using world = new World();
  await world.start();
  await world.join('new', '1.37.0');
  await world.until(async () => (await world.lease()).holderIdentity === 'new');
  assert.equal((await world.lease()).strategy, 'OldestEmulationVersion');
  await world.join('old', '1.36.0');
  await world.until(async () => (await world.lease()).preferredHolder === 'old');
  assert.equal((await world.lease()).holderIdentity, 'new');
});

test('when the Lease runs out candidates are asked, and one of those that respond holds it', { timeout }, async () => {
  await using world = new World();
  await world.start();
  await world.join('gone', '1.36.0');
  await world.until(async () => (await world.lease()).holderIdentity === 'gone');
  await world.join('there', '1.37.0');
  // Moved in steps that are short against the lease of the server that elects.
  await world.until(async () => (await world.candidate('there'))?.spec.pingTime !== undefined, 500);
  await world.respond('there');
  await world.until(async () => (await world.lease()).holderIdentity === 'there', 500);
});

test('candidates that have not been heard of for half an hour are taken away', { timeout }, async () => {
  await using world = new World();
  await world.start();
  await world.join('gone', '1.36.0');
  await world.until(async () => (await world.lease()).holderIdentity === 'gone');
  await world.until(async () => (await world.candidate('gone')) === undefined, 10_000);
});
