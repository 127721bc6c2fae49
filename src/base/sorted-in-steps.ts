import type { Steps } from './steps.ts';

const itemsInStep = 2048;

/** `toSorted()` for lists that may be long: what is equal stays in its order. */
export function* sortedInSteps<T>(items: readonly T[], compare: (one: T, other: T) => number): Steps<readonly T[]> {
  let runs: (readonly T[])[] = [];
  for (let at = 0; at < items.length; at += itemsInStep) {
    runs.push(items.slice(at, at + itemsInStep).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const longer: (readonly T[])[] = [];
    for (let index = 0; index < runs.length; index += 2) longer.push(yield* merged(runs[index]!, runs[index + 1] ?? [], compare));
    runs = longer;
  }
  return runs[0] ?? [];
}

function* merged<T>(left: readonly T[], right: readonly T[], compare: (one: T, other: T) => number): Steps<readonly T[]> {
  const result: T[] = [];
  let [fromLeft, fromRight] = [0, 0];
  while (fromLeft < left.length || fromRight < right.length) {
    const takesLeft = fromRight === right.length || (fromLeft < left.length && compare(left[fromLeft]!, right[fromRight]!) <= 0);
    result.push(takesLeft ? left[fromLeft++]! : right[fromRight++]!);
    if (result.length % itemsInStep === 0) yield;
  }
  return result;
}
