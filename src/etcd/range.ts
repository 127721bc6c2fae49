// Upstream: go.etcd.io/etcd/server/v3/etcdserver/txn/range.go
import { sortedInSteps } from '../base/sorted-in-steps.ts';
import type { Steps } from '../base/steps.ts';
import { allSteps } from '../base/steps.ts';
import type { KeyValue } from '../storage/storage.ts';
import type { RangeRequest } from './requests.ts';
import { rangeOf } from './requests.ts';
import type { RangeResponse } from './responses.ts';
import { valueOf } from './stored-value.ts';

/** Keys in order: the present, the past, or what a transaction has made of them so far. */
export interface SortedKeys {
  range(from: string, to: string | undefined, limit?: number): readonly KeyValue[];
  count(from: string, to: string | undefined): number;
}

const sortTarget = Object.freeze({ key: 0, version: 1, create: 2, mod: 3, value: 4 });
const descending = 2;

/** `revision` is the store's, which responses show whichever revision was asked for. */
export function executeRange(keys: SortedKeys, request: RangeRequest, revision: number): RangeResponse {
  return allSteps(executingRange(keys, request, revision));
}

/** The same for what others need not wait for: the keys are those of the first step. */
export function* executingRange(keys: SortedKeys, request: RangeRequest, revision: number): Steps<RangeResponse> {
  const { from, to } = rangeOf(request.key, request.rangeEnd);
  const { keysOnly, limit } = request;
  const withLease = !keysOnly || request.sortTarget === sortTarget.value;
  if (request.countOnly) return { revision, kvs: [], more: false, count: keys.count(from, to), keysOnly, withLease };
  // With a target but no order the limit counts keys, and what is left is sorted: a quirk of upstream.
  const limited = limit > 0 && hasDefaultOrder(request) && !hasRevisionFilters(request);
  const found = keys.range(from, to, limited ? limit + 1 : undefined);
  const count = keys.count(from, to);
  const kvs = yield* sorted(hasRevisionFilters(request) ? filtered(found, request) : found, request);
  const more = limit > 0 && kvs.length > limit;
  return { revision, kvs: more ? kvs.slice(0, limit) : kvs, more, count, keysOnly, withLease };
}

export function hasDefaultOrder({ sortOrder, sortTarget: target }: RangeRequest): boolean {
  return sortOrder === 0 || (target === sortTarget.key && sortOrder === 1);
}

export function hasRevisionFilters(request: RangeRequest): boolean {
  const { minModRevision, maxModRevision, minCreateRevision, maxCreateRevision } = request;
  return minModRevision !== 0 || maxModRevision !== 0 || minCreateRevision !== 0 || maxCreateRevision !== 0;
}

function filtered(kvs: readonly KeyValue[], request: RangeRequest): KeyValue[] {
  const { minModRevision, maxModRevision, minCreateRevision, maxCreateRevision } = request;
  return kvs.filter(
    ({ modRevision, createRevision }) =>
      (maxModRevision === 0 || modRevision <= maxModRevision) &&
      (minModRevision === 0 || modRevision >= minModRevision) &&
      (maxCreateRevision === 0 || createRevision <= maxCreateRevision) &&
      (minCreateRevision === 0 || createRevision >= minCreateRevision),
  );
}

function* sorted(kvs: readonly KeyValue[], { sortOrder, sortTarget: target }: RangeRequest): Steps<readonly KeyValue[]> {
  if (target === sortTarget.key && sortOrder !== descending) return kvs;
  const compare = comparisons[target]!;
  return yield* sortedInSteps(kvs, sortOrder === descending ? (a, b) => compare(b, a) : compare);
}

const comparisons: readonly ((a: KeyValue, b: KeyValue) => number)[] = Object.freeze([
  (a: KeyValue, b: KeyValue) => (a.key < b.key ? -1 : 1),
  (a: KeyValue, b: KeyValue) => a.version - b.version,
  (a: KeyValue, b: KeyValue) => a.createRevision - b.createRevision,
  (a: KeyValue, b: KeyValue) => a.modRevision - b.modRevision,
  (a: KeyValue, b: KeyValue) => valueOf(a).compare(valueOf(b)),
]);
