// Upstream: k8s.io/kubernetes/pkg/apis/batch/validation/validation.go#validateIndexesFormat
import { goQuote } from '../../../machinery/go-format.ts';

interface Interval {
  readonly first: number;
  readonly last: number;
}

type Read<T> = T | { readonly problem: string };

/** How many indexes `1,3-5,7` names. */
export function countIndexes(text: string, completions: number): Read<{ readonly total: number }> {
  let total = 0;
  let previous: number | undefined;
  for (const part of text === '' ? [] : text.split(',')) {
    const interval = readInterval(part, completions);
    if ('problem' in interval) return interval;
    if (previous !== undefined && previous >= interval.first) return nonIncreasing(previous, interval.first);
    total += interval.last - interval.first + 1;
    previous = interval.last;
  }
  return { total };
}

/** The first index that both lists have. What cannot be read is passed over: its format is checked elsewhere. */
export function overlappingIndex(left: string, right: string, completions: number): number | undefined {
  const intervals = (text: string): Interval[] =>
    (text === '' ? [] : text.split(',')).flatMap((part) => {
      const read = readInterval(part, completions);
      return 'problem' in read ? [] : [read];
    });
  // Both may have tens of thousands: they are not compared each with each.
  const rights = intervals(right).toSorted((one, other) => one.first - other.first);
  const ends: number[] = [];
  for (const { last } of rights) ends.push(Math.max(last, ends.at(-1) ?? 0));
  for (const { first, last } of intervals(left)) {
    const other = rights[firstAtLeast(ends, first)];
    if (other !== undefined && other.first <= last) return Math.max(first, other.first);
  }
  return undefined;
}

/** Where in a list that does not decrease the first number is that is not smaller. */
function firstAtLeast(numbers: readonly number[], wanted: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] as number) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

function nonIncreasing(previous: number, current: number): { readonly problem: string } {
  return { problem: `non-increasing order, previous: ${previous}, current: ${current}` };
}

function readInterval(text: string, completions: number): Read<Interval> {
  const limits = text.split('-');
  if (limits.length > 2) {
    return {
      problem: `the fragment ${goQuote(text)} violates the requirement that an index interval can have at most two parts separated by '-'`,
    };
  }
  const numbers: number[] = [];
  for (const limit of limits) {
    if (!/^[+-]?[0-9]+$/.test(limit)) return { problem: `cannot convert string to integer for index: ${goQuote(limit)}` };
    if (Number(limit) >= completions) return { problem: `too large index: ${goQuote(limit)}` };
    numbers.push(Number(limit));
  }
  const [first = 0, last = first] = numbers;
  return numbers.length === 2 && first >= last ? nonIncreasing(first, last) : { first, last };
}
