import { stepByStep } from '../base/steps.ts';
import type { Clock } from '../base/clock.ts';
import type { EmbeddedStorage } from '../storage/drivers/embedded/embedded-storage.ts';
import type { KeyValue } from '../storage/storage.ts';
import { checkDelete, checkPut, checkTxn } from './check-txn.ts';
import { compacted, futureRevision, storeError } from './errors.ts';
import { Leases } from './leases.ts';
import type { SortedKeys } from './range.ts';
import { executeRange, executingRange, hasDefaultOrder } from './range.ts';
import type { DeleteRangeRequest, PutRequest, RangeRequest, RequestOperation, TxnRequest } from './requests.ts';
import { checkRange, rangeOf } from './requests.ts';
import type { DeleteRangeResponse, PutResponse, RangeResponse, TxnResponse } from './responses.ts';
import { leaseOf } from './stored-value.ts';
import { PastStateNeededError, Transaction } from './transaction.ts';

export interface EtcdStoreOptions {
  readonly storage: EmbeddedStorage;
  /** leases are not part of the keys' history, so they have a store of their own */
  readonly leaseStorage: EmbeddedStorage;
  readonly clock: Clock;
  readonly maxTxnOperations: number;
  readonly onLeaseError: (error: Error) => void;
}

/** etcd's model of data on the embedded store: transactions over ranges of keys, and leases. */
export class EtcdStore implements AsyncDisposable {
  readonly storage: EmbeddedStorage;
  readonly leases: Leases;
  readonly #leaseStorage: EmbeddedStorage;
  readonly #maxTxnOperations: number;
  /** below the store's own when nothing was ever compacted: revision 1 can be, once */
  #compacted: number;

  private constructor(options: EtcdStoreOptions, leases: Leases) {
    this.storage = options.storage;
    this.leases = leases;
    this.#leaseStorage = options.leaseStorage;
    this.#maxTxnOperations = options.maxTxnOperations;
    const { compactRevision } = options.storage;
    this.#compacted = compactRevision > 1 ? compactRevision : -1;
  }

  static async open(options: EtcdStoreOptions): Promise<EtcdStore> {
    const { storage, leaseStorage, clock } = options;
    const leases = await Leases.open(leaseStorage, clock, {
      deleteKeys: ({ id, keys }) =>
        storage.change((state, revision) => {
          const transaction = new Transaction(state, revision, noContext);
          for (const key of [...keys].sort()) {
            const kv = state.get(key);
            if (kv !== undefined && leaseOf(kv) === id) transaction.delete(kv);
          }
          return { items: transaction.items, result: undefined };
        }),
      failed: options.onLeaseError,
    });
    const state = await storage.stateAt(undefined, '');
    for (const [key, kv] of state.entries()) {
      const lease = leaseOf(kv);
      if (lease !== 0n) leases.attach(lease, key, () => true);
    }
    return new EtcdStore(options, leases);
  }

  get revision(): number {
    return this.storage.revision;
  }

  async range(request: RangeRequest): Promise<RangeResponse> {
    checkRange(request);
    const state = await this.#stateFor(request);
    if (hasDefaultOrder(request)) return executeRange(state, request, this.revision);
    return stepByStep(executingRange(state, request, this.revision));
  }

  put(request: PutRequest): Promise<PutResponse> {
    checkPut(request);
    return this.#write((transaction) => transaction.checkedPut(request));
  }

  deleteRange(request: DeleteRangeRequest): Promise<DeleteRangeResponse> {
    checkDelete(request);
    return this.#write((transaction) => transaction.deleteRange(request));
  }

  async txn(request: TxnRequest): Promise<TxnResponse> {
    checkTxn(request, this.#maxTxnOperations);
    if (isReadOnly(request)) return this.#readOnlyTxn(request);
    const past = new Map<number, SortedKeys>();
    for (;;) {
      try {
        return await this.#write((transaction) => transaction.txn(request), past);
      } catch (error) {
        if (!(error instanceof PastStateNeededError)) throw error;
        await this.#fetchPast(request, past);
      }
    }
  }

  async compact(revision: number): Promise<void> {
    if (revision <= this.#compacted) throw compacted();
    if (revision > this.revision) throw futureRevision();
    this.#compacted = revision;
    await this.storage.compact(revision).catch((error: unknown) => {
      throw storeError(error);
    });
  }

  /** Keys of a lease that are durable. */
  async keysOf(id: bigint): Promise<string[]> {
    const state = await this.storage.stateAt(undefined, '');
    return [...(this.leases.get(id)?.keys ?? [])].filter((key) => {
      const kv = state.get(key);
      return kv !== undefined && leaseOf(kv) === id;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.leases[Symbol.dispose]();
    await Promise.all([this.storage[Symbol.asyncDispose](), this.#leaseStorage[Symbol.asyncDispose]()]);
  }

  async #stateFor({ key, rangeEnd, revision }: RangeRequest): Promise<SortedKeys> {
    try {
      const { from, to } = rangeOf(key, rangeEnd);
      return await this.storage.stateAt(revision > 0 ? revision : undefined, commonPrefix(from, to));
    } catch (error) {
      throw storeError(error);
    }
  }

  async #write<T>(run: (transaction: Transaction) => T, past?: ReadonlyMap<number, SortedKeys>): Promise<T> {
    const context = {
      hasLease: (id: bigint) => this.leases.has(id),
      pastState: (revision: number) => past?.get(revision),
      compactRevision: this.#compacted,
    };
    try {
      return await this.storage.change((state, revision) => {
        const transaction = new Transaction(state, revision, context);
        const result = run(transaction);
        for (const item of transaction.items) if (item.type === 'put') this.#attach(item.kv, transaction);
        return { items: transaction.items, result };
      });
    } catch (error) {
      throw storeError(error);
    }
  }

  #attach(kv: KeyValue, transaction: Transaction): void {
    const lease = leaseOf(kv);
    if (lease === 0n) return;
    this.leases.attach(lease, kv.key, (key) => {
      const noted = transaction.get(key);
      return noted !== undefined && leaseOf(noted) === lease;
    });
  }

  /** On what is durable, as every read. */
  async #readOnlyTxn(request: TxnRequest): Promise<TxnResponse> {
    const past = new Map<number, SortedKeys>();
    await this.#fetchPast(request, past);
    const state = (await this.storage.stateAt(undefined, '')).snapshot();
    const context = { hasLease: () => false, pastState: (revision: number) => past.get(revision), compactRevision: this.#compacted };
    return new Transaction(state, this.revision + 1, context).txn(request);
  }

  /** States of revisions that ranges in the transaction name. What cannot be had is left out: the transaction says why. */
  async #fetchPast(request: TxnRequest, past: Map<number, SortedKeys>): Promise<void> {
    const revisions = new Set(rangesOf(request).map(({ revision }) => revision));
    // What is queued becomes durable first, so that its states can be had.
    if ([...revisions].some((revision) => revision > this.revision)) await this.#write(() => undefined);
    for (const revision of revisions) {
      if (revision <= 0 || revision < this.#compacted || revision > this.revision) continue;
      past.set(revision, (await this.storage.stateAt(revision, '')).snapshot());
    }
  }
}

const noContext = Object.freeze({ hasLease: () => false, pastState: () => undefined, compactRevision: 0 });

function isReadOnly({ success, failure }: TxnRequest): boolean {
  const isRange = ({ type }: RequestOperation): boolean => type === 'range';
  return success.every(isRange) && failure.every(isRange);
}

function rangesOf({ success, failure }: TxnRequest): RangeRequest[] {
  return [...success, ...failure].flatMap((one) =>
    one.type === 'range' ? [one.request] : one.type === 'txn' ? rangesOf(one.request) : [],
  );
}

/** What all keys in [from, to) start with. */
export function commonPrefix(from: string, to: string | undefined): string {
  if (to === undefined) return '';
  let length = 0;
  while (length < from.length && from[length] === to[length]) length++;
  return from.slice(0, length);
}
