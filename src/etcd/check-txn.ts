// Upstream: go.etcd.io/etcd/server/v3/etcdserver/api/v3rpc/key.go
import { duplicateKey, emptyKey, leaseProvided, tooManyOperations, valueProvided } from './errors.ts';
import type { DeleteRangeRequest, PutRequest, RequestOperation, TxnRequest } from './requests.ts';
import { checkRange } from './requests.ts';

export function checkPut(request: PutRequest): void {
  if (request.key === '') throw emptyKey();
  if (request.ignoreValue && request.value.length > 0) throw valueProvided();
  if (request.ignoreLease && request.lease !== 0n) throw leaseProvided();
}

export function checkDelete(request: DeleteRangeRequest): void {
  if (request.key === '') throw emptyKey();
}

/** Of a transaction and all within it, which upstream bounds only level by level: they are checked and run at once. */
const mostOperations = 20_000;

/** What can be said of a transaction without looking at the store. */
export function checkTxn(request: TxnRequest, maxOperations: number): void {
  if (checkOperations(request, maxOperations) > mostOperations) throw tooManyOperations();
  checkIntervals(request.success);
  checkIntervals(request.failure);
}

/** Returns how many there are. */
function checkOperations({ compare, success, failure }: TxnRequest, maxOperations: number): number {
  const operations = Math.max(compare.length, success.length, failure.length);
  let count = compare.length + success.length + failure.length;
  if (operations > maxOperations) throw tooManyOperations();
  for (const { key } of compare) if (key === '') throw emptyKey();
  for (const operation of [...success, ...failure]) {
    if (operation.type === 'range') checkRange(operation.request);
    else if (operation.type === 'put') checkPut(operation.request);
    else if (operation.type === 'delete') checkDelete(operation.request);
    else count += checkOperations(operation.request, maxOperations - operations);
  }
  return count;
}

interface Interval {
  readonly from: string;
  readonly to: string;
}

interface Touched {
  readonly puts: ReadonlySet<string>;
  /** in order, and apart from each other */
  readonly deletes: readonly Interval[];
}

/** That `\0` ends no range is not taken into account, so what is deleted from a key on may be put as well: a quirk of upstream. */
function intervalOf({ key, rangeEnd }: DeleteRangeRequest): Interval {
  return { from: key, to: rangeEnd === '' ? `${key}\0` : rangeEnd };
}

/** Everything that one of the intervals has, in order and without overlaps. */
function united(intervals: readonly Interval[]): readonly Interval[] {
  const result: Interval[] = [];
  for (const next of intervals.filter(({ from, to }) => from < to).sort((a, b) => (a.from < b.from ? -1 : 1))) {
    const last = result.at(-1);
    if (last === undefined || last.to < next.from) result.push(next);
    else if (last.to < next.to) result[result.length - 1] = { from: last.from, to: next.to };
  }
  return result;
}

/** Nested transactions can have tens of thousands of both keys and intervals. */
function meets(deletes: readonly Interval[], key: string): boolean {
  let [low, high] = [0, deletes.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (deletes[middle]!.from <= key) low = middle + 1;
    else high = middle;
  }
  const candidate = deletes[low - 1];
  return candidate !== undefined && key < candidate.to;
}

/** No key may be put twice, nor put and deleted; alternatives of a nested transaction do not meet. */
function checkIntervals(operations: readonly RequestOperation[]): Touched {
  let deletes = united(operations.flatMap((one) => (one.type === 'delete' ? [intervalOf(one.request)] : [])));
  const puts = new Set<string>();
  const add = (key: string, isAlternative: boolean): void => {
    if ((puts.has(key) && !isAlternative) || meets(deletes, key)) throw duplicateKey();
    puts.add(key);
  };
  for (const operation of operations) {
    if (operation.type !== 'txn') continue;
    const success = checkIntervals(operation.request.success);
    const failure = checkIntervals(operation.request.failure);
    for (const key of success.puts) add(key, false);
    for (const key of failure.puts) add(key, success.puts.has(key));
    if (success.deletes.length + failure.deletes.length > 0) deletes = united([...deletes, ...success.deletes, ...failure.deletes]);
  }
  for (const operation of operations) if (operation.type === 'put') add(operation.request.key, false);
  return { puts, deletes };
}
