// Upstream: go.etcd.io/etcd/server/v3/etcdserver/txn/{txn.go,put.go,delete.go}
import { overlaid } from '../storage/mvcc/foreseen-state.ts';
import type { ForeseenState } from '../storage/mvcc/foreseen-state.ts';
import type { ChangeItem } from '../storage/mvcc/transaction.ts';
import type { KeyValue } from '../storage/storage.ts';
import { compacted, futureRevision, keyNotFound, leaseNotFound } from './errors.ts';
import type { SortedKeys } from './range.ts';
import { executeRange } from './range.ts';
import type { Compare, DeleteRangeRequest, PutRequest, RangeRequest, RequestOperation, TxnRequest } from './requests.ts';
import { compareTarget, rangeOf } from './requests.ts';
import type { DeleteRangeResponse, PutResponse, RangeResponse, ResponseOperation, TxnResponse } from './responses.ts';
import { leaseOf, storedValue, valueOf } from './stored-value.ts';

/** What a transaction needs to know beyond the newest state. */
export interface TransactionContext {
  readonly hasLease: (id: bigint) => boolean;
  /** a past state, or undefined when it has not been fetched */
  readonly pastState: (revision: number) => SortedKeys | undefined;
  readonly compactRevision: number;
}

/** A past state is asked for that has to be fetched first. */
export class PastStateNeededError extends Error {
  override readonly name = 'PastStateNeededError';
}

/** One write as it is being evaluated: the state before it, and the changes so far, all of one revision. */
export class Transaction implements SortedKeys {
  readonly items: ChangeItem[] = [];
  readonly #before: Pick<ForeseenState, 'get' | 'range'>;
  readonly #changes = new Map<string, ChangeItem>();
  /** the revision that the changes get */
  readonly #next: number;
  readonly #context: TransactionContext;

  constructor(before: Pick<ForeseenState, 'get' | 'range'>, next: number, context: TransactionContext) {
    this.#before = before;
    this.#next = next;
    this.#context = context;
  }

  /** the store's revision as operations of the transaction see it */
  get revision(): number {
    return this.items.length > 0 ? this.#next : this.#next - 1;
  }

  get(key: string): KeyValue | undefined {
    const item = this.#changes.get(key);
    if (item === undefined) return this.#before.get(key);
    return item.type === 'put' ? item.kv : undefined;
  }

  range(from: string, to: string | undefined, limit?: number): KeyValue[] {
    if (to === `${from}\0`) {
      const kv = this.get(from);
      return kv === undefined ? [] : [kv];
    }
    return overlaid(this.#before.range(from, to), this.#changes, from, to).slice(0, limit);
  }

  count(from: string, to: string | undefined): number {
    return this.range(from, to).length;
  }

  /** A put by itself, which is checked here; those of transactions were checked before anything was changed. */
  checkedPut(request: PutRequest): PutResponse {
    this.#checkPut(request);
    return this.#put(request);
  }

  deleteRange({ key, rangeEnd, prevKv }: DeleteRangeRequest): DeleteRangeResponse {
    const { from, to } = rangeOf(key, rangeEnd);
    const found = this.range(from, to);
    for (const kv of found) this.delete(kv);
    return { revision: this.revision, deleted: found.length, previous: prevKv ? found : [] };
  }

  delete(previous: KeyValue): void {
    this.#change(previous.key, { type: 'delete', key: previous.key, revision: this.#next, previous });
  }

  txn(request: TxnRequest): TxnResponse {
    const path = this.#choose(request);
    this.#check(path);
    return { ...this.#run(path), revision: this.revision };
  }

  #change(key: string, item: ChangeItem): void {
    // Put and deleted at one revision, as alternatives of two nested transactions can: the value before is that before the revision.
    const earlier = this.#changes.get(key);
    const change = earlier === undefined ? item : { ...item, previous: earlier.previous };
    this.items.push(change);
    this.#changes.set(key, change);
  }

  #put({ key, value, lease, prevKv, ignoreValue, ignoreLease }: PutRequest): PutResponse {
    const previous = this.get(key);
    const newValue = ignoreValue && previous !== undefined ? valueOf(previous) : value;
    const newLease = ignoreLease && previous !== undefined ? leaseOf(previous) : lease;
    const kv: KeyValue = {
      key,
      value: storedValue(newValue, newLease),
      modRevision: this.#next,
      createRevision: previous?.createRevision ?? this.#next,
      version: (previous?.version ?? 0) + 1,
    };
    this.#change(key, { type: 'put', kv, previous });
    return { revision: this.#next, previous: prevKv ? previous : undefined };
  }

  #checkPut({ key, lease, ignoreValue, ignoreLease }: PutRequest): void {
    if (lease !== 0n && !this.#context.hasLease(lease)) throw leaseNotFound();
    if ((ignoreValue || ignoreLease) && this.get(key) === undefined) throw keyNotFound();
  }

  #range(request: RangeRequest): RangeResponse {
    const { revision } = request;
    if (revision <= 0 || revision === this.revision) return executeRange(this, request, this.revision);
    // The newest state before the transaction is at hand without being fetched.
    if (revision === this.#next - 1) return executeRange(new Transaction(this.#before, this.#next, this.#context), request, this.revision);
    const past = this.#context.pastState(revision);
    if (past === undefined) throw new PastStateNeededError();
    return executeRange(past, request, this.revision);
  }

  #checkRange({ revision }: RangeRequest): void {
    if (revision === 0) return;
    if (revision > this.revision) throw futureRevision();
    if (revision < this.#context.compactRevision) throw compacted();
  }

  /** Which branches run. All comparisons see the state before the transaction, nested ones too. */
  #choose({ compare, success, failure }: TxnRequest): Branch {
    const succeeded = compare.every((one) => this.#holds(one));
    const operations = (succeeded ? success : failure).map((operation) => ({
      operation,
      branch: operation.type === 'txn' ? this.#choose(operation.request) : undefined,
    }));
    return { succeeded, operations };
  }

  #check({ operations }: Branch): void {
    for (const { operation, branch } of operations) {
      if (branch !== undefined) this.#check(branch);
      else if (operation.type === 'range') this.#checkRange(operation.request);
      else if (operation.type === 'put') this.#checkPut(operation.request);
    }
  }

  #run({ succeeded, operations }: Branch): TxnResponse {
    const responses = operations.map(({ operation, branch }): ResponseOperation => {
      if (branch !== undefined) return { type: 'txn', response: this.#run(branch) };
      if (operation.type === 'range') return { type: 'range', response: this.#range(operation.request) };
      if (operation.type === 'put') return { type: 'put', response: this.#put(operation.request) };
      return { type: 'delete', response: this.deleteRange(operation.request as DeleteRangeRequest) };
    });
    return { revision: 0, succeeded, responses };
  }

  #holds(compare: Compare): boolean {
    const { from, to } = rangeOf(compare.key, compare.rangeEnd);
    const found = this.range(from, to);
    // There is no value to compare with that would mean "none".
    if (found.length === 0) return compare.target !== compareTarget.value && matches(compare, undefined);
    return found.every((kv) => matches(compare, kv));
  }
}

interface Branch {
  readonly succeeded: boolean;
  readonly operations: readonly { readonly operation: RequestOperation; readonly branch: Branch | undefined }[];
}

const compareResult = Object.freeze({ equal: 0, greater: 1, less: 2, notEqual: 3 });

function matches(compare: Compare, kv: KeyValue | undefined): boolean {
  const order = orderOf(compare, kv);
  if (compare.result === compareResult.equal) return order === 0;
  if (compare.result === compareResult.notEqual) return order !== 0;
  if (compare.result === compareResult.greater) return order > 0;
  return compare.result !== compareResult.less || order < 0;
}

function orderOf(compare: Compare, kv: KeyValue | undefined): number {
  switch (compare.target) {
    case compareTarget.version:
      return (kv?.version ?? 0) - compare.number;
    case compareTarget.create:
      return (kv?.createRevision ?? 0) - compare.number;
    case compareTarget.mod:
      return (kv?.modRevision ?? 0) - compare.number;
    case compareTarget.value:
      return (kv === undefined ? Buffer.alloc(0) : valueOf(kv)).compare(compare.value);
    case compareTarget.lease: {
      const lease = kv === undefined ? 0n : leaseOf(kv);
      return lease === compare.lease ? 0 : lease < compare.lease ? -1 : 1;
    }
    default:
      return 0;
  }
}
