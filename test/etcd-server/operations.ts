import { Random } from '../fuzz/random.ts';
import { bytes } from '../support/etcd-api.ts';
import type { Plain } from '../support/etcd-api.ts';

export interface Operation {
  readonly method: string;
  readonly request: Plain;
}

const keys = [
  'a',
  'b',
  'aa',
  'ab',
  'abc',
  '/registry/pods/x',
  '/registry/pods/y',
  '/registry/po',
  '\xff',
  '\xff\xff',
  '\0',
  '\x7f\x80',
  'z',
];
const ends = ['', '', '', '\0', 'b', 'ac', '/registry/pods0', '\xff', 'a'];
const leases = [101, 102, 103, 104, 105];

/** Requests of every kind, right ones and wrong ones, on few keys, so that they meet. */
export class Operations {
  readonly #random: Random;

  constructor(seed: number) {
    this.#random = new Random(seed);
  }

  /** `revision`: the store's, as far as it is known. */
  next(revision: number): Operation {
    const dice = this.#below(1000);
    if (dice < 330) return { method: 'Put', request: this.#put() };
    if (dice < 400) return { method: 'DeleteRange', request: this.#delete() };
    if (dice < 680) return { method: 'Range', request: this.#range(revision) };
    if (dice < 940) return { method: 'Txn', request: this.#txn(revision, 0) };
    if (dice < 945) return { method: 'Compact', request: { revision: Math.max(1, revision - this.#below(60) + 2) } };
    if (dice < 965) return { method: 'LeaseGrant', request: { ID: this.#one(leases), TTL: 1000 + this.#below(1000) } };
    if (dice < 975) return { method: 'LeaseRevoke', request: { ID: this.#one(leases) } };
    if (dice < 990) return { method: 'LeaseTimeToLive', request: { ID: this.#one(leases), keys: this.#chance(0.5) } };
    return { method: 'LeaseLeases', request: {} };
  }

  watch(revision: number): Plain {
    const filters = this.#chance(0.3) ? [this.#below(2)] : [];
    return {
      key: this.#key(),
      range_end: bytes(this.#one(ends)),
      start_revision: Math.max(1, revision - this.#below(3000)),
      prev_kv: this.#chance(0.5),
      filters,
    };
  }

  #below(limit: number): number {
    return this.#random.below(limit);
  }

  #chance(probability: number): boolean {
    return this.#random.below(1000) < probability * 1000;
  }

  #one<T>(of: readonly T[]): T {
    return this.#random.pick(of);
  }

  #key(): Buffer {
    if (this.#chance(0.01)) return Buffer.alloc(0);
    return bytes(this.#chance(0.6) ? this.#one(keys) : `k${this.#below(60)}`);
  }

  #put(): Plain {
    return {
      key: this.#key(),
      value: this.#chance(0.1) ? Buffer.alloc(0) : bytes(`v${this.#below(30)}`),
      lease: this.#chance(0.2) ? this.#one(leases) : 0,
      prev_kv: this.#chance(0.3),
      ignore_value: this.#chance(0.05),
      ignore_lease: this.#chance(0.05),
    };
  }

  #delete(): Plain {
    return { key: this.#key(), range_end: bytes(this.#one(ends)), prev_kv: this.#chance(0.5) };
  }

  #range(revision: number): Plain {
    const request: Plain = { key: this.#key(), range_end: bytes(this.#one([...ends, '\0', '\0'])) };
    if (this.#chance(0.3)) request['limit'] = 1 + this.#below(8);
    if (this.#chance(0.3)) request['revision'] = revision - this.#below(80) + 2;
    if (this.#chance(0.3)) request['sort_order'] = this.#below(3);
    if (this.#chance(0.3)) request['sort_target'] = this.#below(5);
    if (this.#chance(0.01)) request['sort_order'] = 7;
    if (this.#chance(0.2)) request['keys_only'] = true;
    if (this.#chance(0.1)) request['count_only'] = true;
    for (const bound of ['min_mod_revision', 'max_mod_revision', 'min_create_revision', 'max_create_revision'])
      if (this.#chance(0.06)) request[bound] = Math.max(1, revision - this.#below(100));
    return request;
  }

  #compare(revision: number): Plain {
    const target = this.#below(5);
    const union = [
      { version: this.#below(4) },
      { create_revision: Math.max(0, revision - this.#below(50)) },
      { mod_revision: this.#chance(0.3) ? 0 : Math.max(0, revision - this.#below(20)) },
      { value: bytes(`v${this.#below(30)}`) },
      { lease: this.#chance(0.5) ? 0 : this.#one(leases) },
    ][target];
    return {
      key: this.#key(),
      target,
      result: this.#below(4),
      ...union,
      ...(this.#chance(0.15) ? { range_end: bytes(this.#one(ends)) } : {}),
    };
  }

  #operations(revision: number, depth: number): Plain[] {
    return Array.from({ length: this.#below(4) }, () => {
      const dice = this.#below(10);
      // Upstream panics when a key whose value is to be kept was deleted in the same transaction.
      if (dice < 4) return { put: { ...this.#put(), ignore_value: false, ignore_lease: false } };
      if (dice < 6) return { delete_range: this.#delete() };
      if (dice < 9 || depth > 1) return { range: this.#range(revision) };
      return { txn: this.#txn(revision, depth + 1) };
    });
  }

  #txn(revision: number, depth: number): Plain {
    return {
      compare: Array.from({ length: this.#below(3) }, () => this.#compare(revision)),
      success: this.#operations(revision, depth),
      failure: this.#operations(revision, depth),
    };
  }
}
