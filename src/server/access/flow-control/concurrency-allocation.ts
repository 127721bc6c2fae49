// Upstream: k8s.io/apiserver/pkg/util/flowcontrol/conc_alloc.go
const minTarget = 0.001;
const epsilon = 1e-7;

export interface Claim {
  readonly target: number;
  readonly lowerBound: number;
  readonly upperBound: number;
}

export interface Allocation {
  readonly shares: readonly number[];
  /** what every target was multiplied by, where no bound stood against it */
  readonly fairFraction: number;
}

/**
 * Divides `sum` so that every share is the same fraction of its target, or one of its bounds where that fraction lies beyond it.
 * undefined: the bounds leave no way to do so.
 */
export function allocate(sum: number, claims: readonly Claim[]): Allocation | undefined {
  const items = claims.map(({ target, lowerBound: lower, upperBound: upper }) => {
    const wanted = Math.max(target, minTarget);
    return { wanted, lower, upper, relativeLower: lower / wanted, relativeUpper: upper / wanted };
  });
  const total = (pick: (item: (typeof items)[number]) => number): number => items.reduce((so, item) => so + pick(item), 0);
  const [lowest, highest] = [total(({ lower }) => lower), total(({ upper }) => upper)];
  const isSound = items.every(({ lower, upper, relativeLower }) => lower >= 0 && upper >= lower && relativeLower <= 1);
  if (!isSound || sum < 0 || lowest - sum > epsilon || sum - highest > epsilon) return undefined;
  const at = (fraction: number): number[] => items.map(({ lower, upper, wanted }) => Math.max(lower, Math.min(upper, fraction * wanted)));
  if (sum === 0) return { shares: items.map(() => 0), fairFraction: 0 };
  // The sum grows with the fraction, by straight pieces between the places where a share leaves or meets a bound.
  const corners = items.flatMap(({ relativeLower, relativeUpper }) => [relativeLower, relativeUpper]).toSorted((a, b) => a - b);
  let fraction = corners[0] ?? 0;
  let reached = lowest;
  for (const corner of corners) {
    if (corner <= fraction) continue;
    const slope = items.reduce((so, item) => so + (item.relativeLower <= fraction && fraction < item.relativeUpper ? item.wanted : 0), 0);
    const next = reached + slope * (corner - fraction);
    if (next >= sum && slope > 0) {
      fraction += (sum - reached) / slope;
      return { shares: at(fraction), fairFraction: fraction };
    }
    [fraction, reached] = [corner, next];
  }
  return { shares: at(fraction), fairFraction: fraction };
}
