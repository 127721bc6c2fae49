// Upstream: go.etcd.io/etcd/server/v3/lease/lessor.go
import type { Clock } from '../base/clock.ts';
import { steadyClock } from '../base/clock.ts';
import { Expiry } from '../storage/mvcc/expiry.ts';
import type { Storage } from '../storage/storage.ts';
import { leaseExists, leaseNotFound, leaseTooLong } from './errors.ts';

/** A lease shorter than an election of etcd's members takes is made that long. */
const shortestSeconds = 2;
const longestSeconds = 9_000_000_000;
/** Keys of a lease that have been noted are looked through when they have become this many. */
const firstReview = 1024;
/** A lease whose keys cannot be deleted now is tried again. */
const retryMs = 1000;

export interface Lease {
  readonly id: bigint;
  readonly ttlSeconds: number;
  /** milliseconds since the epoch */
  expiresAt: number;
  /** every key that has the lease, and some that had it */
  readonly keys: Set<string>;
  reviewAt: number;
}

export interface LeaseEvents {
  /** Deletes the keys that have the lease, in one revision. */
  readonly deleteKeys: (lease: Lease) => Promise<void>;
  readonly failed: (error: Error) => void;
}

/** Leases, each durable before it is granted. As with etcd, what is left of their time starts anew when the server does. */
export class Leases implements Disposable {
  readonly #storage: Storage;
  readonly #clock: Clock;
  readonly #events: LeaseEvents;
  readonly #leases = new Map<bigint, Lease>();
  readonly #expiry: Expiry;
  #next: bigint;

  private constructor(storage: Storage, clock: Clock, events: LeaseEvents) {
    this.#storage = storage;
    this.#clock = clock;
    this.#events = events;
    this.#expiry = new Expiry(clock, (over) => {
      for (const { key } of over) this.#consider(BigInt(key));
    });
    this.#next = (BigInt(Math.floor(clock.now())) << 20n) & 0x7fff_ffff_ffff_ffffn;
  }

  static async open(storage: Storage, clock: Clock, events: LeaseEvents): Promise<Leases> {
    const leases = new Leases(storage, steadyClock(clock), events);
    const { items } = await storage.list('');
    for (const { key, value } of items) leases.#add(BigInt(key), Number(value.toString()));
    return leases;
  }

  has(id: bigint): boolean {
    return this.#leases.has(id);
  }

  get(id: bigint): Lease | undefined {
    return this.#leases.get(id);
  }

  /** Soonest to expire first. */
  list(): Lease[] {
    return [...this.#leases.values()].sort((a, b) => a.expiresAt - b.expiresAt);
  }

  /** Notes that a key gets the lease, before it is durable. `has` says of keys that were noted whether they have it still. */
  attach(id: bigint, key: string, has: (key: string) => boolean): void {
    const lease = this.#leases.get(id);
    if (lease === undefined) return;
    lease.keys.add(key);
    if (lease.keys.size < lease.reviewAt) return;
    for (const noted of lease.keys) if (!has(noted)) lease.keys.delete(noted);
    lease.reviewAt = Math.max(firstReview, 2 * lease.keys.size);
  }

  async grant(wanted: bigint, ttlSeconds: number): Promise<Lease> {
    if (ttlSeconds > longestSeconds) throw leaseTooLong();
    const id = wanted === 0n ? this.#freeId() : wanted;
    if (this.#leases.has(id)) throw leaseExists();
    const seconds = Math.max(ttlSeconds, shortestSeconds);
    const put = { type: 'put', key: String(id), value: Buffer.from(String(seconds)), expect: 0 } as const;
    const { succeeded } = await this.#storage.transact([put]);
    if (!succeeded) throw leaseExists();
    return this.#add(id, seconds);
  }

  /** The whole time again, or undefined when there is no such lease. */
  keepAlive(id: bigint): number | undefined {
    const lease = this.#leases.get(id);
    if (lease === undefined) return undefined;
    // The deadline that is set already notices, when it comes, that there is more time.
    lease.expiresAt = this.#clock.now() + lease.ttlSeconds * 1000;
    return lease.ttlSeconds;
  }

  async revoke(id: bigint): Promise<void> {
    const lease = this.#leases.get(id);
    if (lease === undefined) throw leaseNotFound();
    // From here on no key can get it.
    this.#leases.delete(id);
    try {
      await this.#events.deleteKeys(lease);
      await this.#storage.transact([{ type: 'delete', key: String(id) }]);
    } catch (error) {
      this.#leases.set(id, lease);
      this.#expiry.add({ key: String(id), modRevision: 0, at: Math.max(lease.expiresAt, this.#clock.now() + retryMs) });
      throw error;
    }
  }

  [Symbol.dispose](): void {
    this.#expiry[Symbol.dispose]();
  }

  #add(id: bigint, ttlSeconds: number): Lease {
    const expiresAt = this.#clock.now() + ttlSeconds * 1000;
    const lease: Lease = { id, ttlSeconds, expiresAt, keys: new Set(), reviewAt: firstReview };
    this.#leases.set(id, lease);
    this.#expiry.add({ key: String(id), modRevision: 0, at: expiresAt });
    return lease;
  }

  #consider(id: bigint): void {
    const lease = this.#leases.get(id);
    if (lease === undefined) return;
    if (lease.expiresAt > this.#clock.now()) this.#expiry.add({ key: String(id), modRevision: 0, at: lease.expiresAt });
    else this.revoke(id).catch((error: Error) => this.#events.failed(error));
  }

  #freeId(): bigint {
    do this.#next = (this.#next + 1n) & 0x7fff_ffff_ffff_ffffn;
    while (this.#next === 0n || this.#leases.has(this.#next));
    return this.#next;
  }
}
