// Upstream: k8s.io/kubernetes/pkg/registry/core/service/portallocator/{allocator,operation}.go
import type { Operation, Storage } from '../../../storage/storage.ts';
import { AllocationError, rangeIsFull } from './allocation-error.ts';
import type { AllocationScope, NodePortMetrics } from './allocator-metrics.ts';
import type { PortBitmap, PortRange } from './port-bitmap.ts';
import { formatPortRange, inRange, reservedPorts } from './port-bitmap.ts';
import { nodePortsKey, readPorts, writePorts } from './range-allocation.ts';

/** where dry runs start to count: beyond the default range */
const dryRunBase = 32768;

/** The node ports of a cluster. Ports of writes that are under way are held here until they are stored, or given up. */
export class NodePortPool {
  readonly range: PortRange;
  readonly key: string;
  readonly #held = new Set<number>();
  readonly metrics: NodePortMetrics | undefined;
  #turn: Promise<void> = Promise.resolve();

  constructor(range: PortRange, storagePrefix: string, metrics?: NodePortMetrics) {
    this.metrics = metrics;
    this.range = range;
    this.key = nodePortsKey(storagePrefix);
  }

  begin(storage: Storage, dryRun: boolean): NodePortOperation {
    return new NodePortOperation(this, storage, dryRun);
  }

  isHeld(port: number): boolean {
    return this.#held.has(port);
  }

  hold(port: number): void {
    this.#held.add(port);
  }

  letGo(ports: Iterable<number>): void {
    for (const port of ports) this.#held.delete(port);
  }

  /** All ports share one key, so writes to it take turns; returns what ends the turn. */
  async takeTurn(): Promise<() => void> {
    const previous = this.#turn;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#turn = promise;
    await previous;
    return resolve;
  }
}

/** What one write does to the pool. */
export class NodePortOperation {
  readonly #pool: NodePortPool;
  readonly #storage: Storage;
  readonly #dryRun: boolean;
  readonly #allocated: number[] = [];
  readonly #released: number[] = [];
  #ports: PortBitmap | undefined;
  /** as they are after the write */
  #written: PortBitmap | undefined;
  #endTurn: (() => void) | undefined;

  constructor(pool: NodePortPool, storage: Storage, dryRun: boolean) {
    this.#pool = pool;
    this.#storage = storage;
    this.#dryRun = dryRun;
  }

  allocate(port: number): Promise<void> {
    return this.#counted('static', () => this.#allocate(port));
  }

  allocateNext(): Promise<number> {
    return this.#counted('dynamic', () => this.#allocateNext());
  }

  async #counted<T>(scope: AllocationScope, allocate: () => Promise<T>): Promise<T> {
    const metrics = this.#dryRun ? undefined : this.#pool.metrics;
    try {
      const result = await allocate();
      metrics?.allocations.with(scope).inc();
      return result;
    } catch (error) {
      metrics?.errors.with(scope).inc();
      throw error;
    }
  }

  async #allocate(port: number): Promise<void> {
    const { range } = this.#pool;
    // Quirk: a dry run does not look at the range.
    if (!this.#dryRun && !inRange(range, port)) {
      throw new AllocationError(`provided port is not in the valid range. The range of valid ports is ${formatPortRange(range)}`);
    }
    const ports = await this.#current();
    const taken = (inRange(range, port) && ports.has(port)) || this.#pool.isHeld(port) || this.#allocated.includes(port);
    if (taken) throw new AllocationError('provided port is already allocated');
    this.#take(port);
  }

  async #allocateNext(): Promise<number> {
    if (this.#dryRun) {
      const port = Math.max(dryRunBase, ...this.#allocated) + 1;
      this.#allocated.push(port);
      return port;
    }
    const { first, size } = this.#pool.range;
    const ports = await this.#current();
    const reserved = reservedPorts(size);
    const isFree = (port: number): boolean => !ports.has(port) && !this.#pool.isHeld(port);
    const port = scan(first + reserved, size - reserved, isFree) ?? scan(first, reserved, isFree);
    if (port === undefined) throw rangeIsFull();
    this.#take(port);
    return port;
  }

  /** Gives a port back when, and only when, the write succeeds. */
  release(port: number): void {
    if (inRange(this.#pool.range, port)) this.#released.push(port);
  }

  async operations(): Promise<readonly Operation[]> {
    if (this.#allocated.length === 0 && this.#released.length === 0) return [];
    this.#endTurn = await this.#pool.takeTurn();
    const stored = await readPorts(this.#storage, this.#pool.key, this.#pool.range);
    for (const port of this.#released) stored.ports.set(port, false);
    // Another server may have been first. What it stored makes this transaction fail, and the write starts again.
    const lost = this.#allocated.some((port) => stored.ports.has(port));
    for (const port of this.#allocated) stored.ports.set(port, true);
    this.#written = stored.ports;
    const write = writePorts(this.#pool.key, stored);
    return [lost ? { ...write, expect: neverTheRevision } : write];
  }

  finish(isWritten = false): void {
    if (isWritten && this.#written !== undefined) this.#show(this.#written);
    if (!this.#dryRun) this.#pool.letGo(this.#allocated);
    this.#endTurn?.();
  }

  #show(ports: PortBitmap): void {
    const { metrics, range } = this.#pool;
    if (metrics === undefined) return;
    const count = [...ports.taken()].length;
    metrics.allocated.set(count);
    metrics.available.set(range.size - count);
  }

  async #current(): Promise<PortBitmap> {
    this.#ports ??= (await readPorts(this.#storage, this.#pool.key, this.#pool.range)).ports;
    return this.#ports;
  }

  #take(port: number): void {
    this.#allocated.push(port);
    if (!this.#dryRun) this.#pool.hold(port);
  }
}

/** no key has been changed at a revision before the first */
const neverTheRevision = -1;

/** The first free port from a random one on, around the end. */
function scan(first: number, size: number, isFree: (port: number) => boolean): number | undefined {
  const start = Math.floor(Math.random() * size);
  for (let step = 0; step < size; step++) {
    const port = first + ((start + step) % size);
    if (isFree(port)) return port;
  }
  return undefined;
}
