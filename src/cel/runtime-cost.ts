// Upstream: github.com/google/cel-go/interpreter/runtimecost.go

import type { CallCost } from './cost-model.ts';
import { regexFactor, traversalFactor } from './cost-model.ts';
import type { Environment } from './environment.ts';
import type { Value } from './values.ts';
import { measure } from './values.ts';

const traversal = (size: number): number => Math.ceil(size * traversalFactor);

const bySmaller: CallCost = ([a, b]) => traversal(Math.min(measure(a!), measure(b!)));
const byFirst: CallCost = ([a]) => traversal(measure(a!));
const bySecond: CallCost = ([, b]) => traversal(measure(b!));
const byBoth: CallCost = ([a, b]) => traversal(measure(a!) + measure(b!));
const byMatch: CallCost = ([text, pattern]) => traversal(1 + measure(text!)) * Math.ceil(measure(pattern!) * regexFactor);

const standard: Readonly<Record<string, CallCost>> = {
  starts_with_string: bySecond,
  ends_with_string: bySecond,
  string_to_bytes: byFirst,
  bytes_to_string: byFirst,
  strings_quote: byFirst,
  string_format: byFirst,
  in_list: ([, list]) => measure(list!),
  less_string: bySmaller,
  greater_string: bySmaller,
  less_equals_string: bySmaller,
  greater_equals_string: bySmaller,
  less_bytes: bySmaller,
  greater_bytes: bySmaller,
  less_equals_bytes: bySmaller,
  greater_equals_bytes: bySmaller,
  equals: bySmaller,
  not_equals: bySmaller,
  add_string: byBoth,
  add_bytes: byBoth,
  matches: byMatch,
  matches_string: byMatch,
  contains_string: ([text, part]) => traversal(measure(text!)) * traversal(measure(part!)),
};

/** What a call costs at run time: a number when every call costs the same. */
export function callCost(
  environment: Environment,
  name: string,
  overload: string,
): number | ((args: readonly Value[], result: Value) => number) {
  const chain = [environment.costs.get(overload), environment.functionCosts.get(name), standard[overload]].filter(
    (cost) => cost !== undefined,
  );
  if (chain.length === 0) return 1;
  return (args, result) => {
    for (const cost of chain) {
      const charged = cost(args, result, overload);
      if (charged !== undefined) return charged;
    }
    return 1;
  };
}
