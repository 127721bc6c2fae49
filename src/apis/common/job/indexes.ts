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
  const rights = intervals(right);
  for (const { first, last } of intervals(left)) {
    const other = rights.find((interval) => first <= interval.last && interval.first <= last);
    if (other !== undefined) return Math.max(first, other.first);
  }
  return undefined;
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
