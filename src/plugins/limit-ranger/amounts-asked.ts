// Upstream: k8s.io/kubernetes/plugin/pkg/admission/limitranger/admission.go
import type { Quantity } from '../../machinery/quantity.ts';
import type { ResourceAmounts } from '../../apis/common/pod-spec/pod-resources.ts';

/** beyond this a quantity times a thousand does not fit into 64 bits */
const maxMilli = (2n ** 63n - 1n) / 1000n;

/** What is asked for, by a container or by a pod. */
export interface Asked {
  readonly requests: ResourceAmounts;
  readonly limits: ResourceAmounts;
}

export type LimitKind = 'min' | 'max' | 'ratio';

/** A limit of one resource. */
export interface Limit {
  readonly kind: LimitKind;
  readonly name: string;
  readonly enforced: Quantity;
}

/**
 * What containers ask for, by resource, with the least and the most of it: whether one of them breaks a limit is known without looking at
 * each, as a namespace may have many limits and a pod many containers.
 */
export class AmountsAsked {
  readonly #asked: readonly Asked[];
  readonly #extents = new Map<string, Extent>();

  constructor(asked: readonly Asked[]) {
    this.#asked = asked;
    for (const [index, { requests, limits }] of asked.entries()) {
      for (const name of new Set([...requests.keys(), ...limits.keys()])) {
        let extent = this.#extents.get(name);
        if (extent === undefined) this.#extents.set(name, (extent = new Extent()));
        extent.add(index, requests.get(name), limits.get(name));
      }
    }
  }

  /** Whether one of them breaks a limit. */
  breaks(limit: Limit): boolean {
    if (this.#asked.length === 0) return false;
    return this.#extents.get(limit.name)?.breaks(limit, this.#asked.length) ?? true;
  }

  /** Those that name a resource, and one of those that do not, which all break the same limits: by their place. */
  naming(name: string): readonly (readonly [index: number, asked: Asked])[] {
    const naming = this.#extents.get(name)?.indexes ?? [];
    const silent = naming.findIndex((index, place) => index !== place);
    const first = silent === -1 ? naming.length : silent;
    return (first < this.#asked.length ? [...naming, first] : naming).map((index) => [index, this.#asked[index] as Asked]);
  }
}

/** What containers ask for of one resource. Quantities are compared in thousandths where they fit, else rounded up to whole units. */
class Extent {
  readonly indexes: number[] = [];
  #requests = 0;
  #limits = 0;
  readonly #all = new Span();
  readonly #fine = new Span();
  readonly #coarse = new Span();

  add(index: number, request: Quantity | undefined, limit: Quantity | undefined): void {
    this.indexes.push(index);
    if (request !== undefined) this.#requests++;
    if (limit !== undefined) this.#limits++;
    const [whole, isFine] = [[request?.value(), limit?.value()] as const, isFineEnough(request, limit)];
    this.#all.add(...whole);
    if (isFine) this.#fine.add(request?.milliValue(), limit?.milliValue());
    else this.#coarse.add(...whole);
  }

  breaks({ kind, enforced }: Limit, containers: number): boolean {
    if (kind !== 'max' && this.#requests < containers) return true;
    if (kind !== 'min' && this.#limits < containers) return true;
    const isFine = isFineEnough(enforced);
    if (kind === 'ratio') {
      const allowed = ratioAllowed(enforced);
      return (isFine ? [this.#fine, this.#coarse] : [this.#all]).some((span) => span.hasZero || isAbove(span.ratio, allowed));
    }
    const breaks = (span: Span, amount: bigint): boolean =>
      kind === 'min' ? span.least !== undefined && span.least < amount : span.most !== undefined && span.most > amount;
    return isFine
      ? breaks(this.#fine, enforced.milliValue()) || breaks(this.#coarse, enforced.value())
      : breaks(this.#all, enforced.value());
  }
}

/** The least and the most of amounts, whether requests or limits: either breaks a limit. */
class Span {
  least: bigint | undefined;
  most: bigint | undefined;
  /** the largest, of limits to requests */
  ratio = -Infinity;
  hasZero = false;

  add(...amounts: readonly [request: bigint | undefined, limit: bigint | undefined]): void {
    for (const amount of amounts) {
      if (amount === undefined) continue;
      if (this.least === undefined || amount < this.least) this.least = amount;
      if (this.most === undefined || amount > this.most) this.most = amount;
      if (amount === 0n) this.hasZero = true;
    }
    const [request, limit] = amounts;
    if (request !== undefined && limit !== undefined) this.ratio = Math.max(this.ratio, Number(limit) / Number(request));
  }
}

/** Upstream compares in thousandths only where each of the three fits. */
export function comparable(request: Quantity | undefined, limit: Quantity | undefined, enforced: Quantity): [bigint, bigint, bigint] {
  const unit = isFineEnough(request, limit, enforced) ? 'milliValue' : 'value';
  return [request?.[unit]() ?? 0n, limit?.[unit]() ?? 0n, enforced[unit]()];
}

function isFineEnough(...quantities: readonly (Quantity | undefined)[]): boolean {
  return quantities.every((quantity) => quantity === undefined || quantity.value() <= maxMilli);
}

/** How often a request goes into what it may use at most, by a unit that is fine where it can be. */
export function ratioAllowed(enforced: Quantity): { readonly amount: number; readonly unit: number } {
  return isFineEnough(enforced) ? { amount: Number(enforced.milliValue()), unit: 1000 } : { amount: Number(enforced.value()), unit: 1 };
}

export function isAbove(ratio: number, { amount, unit }: ReturnType<typeof ratioAllowed>): boolean {
  return ratio * unit > amount;
}
