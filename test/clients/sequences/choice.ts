import { Random } from '../../fuzz/random.ts';

export type Json = Record<string, unknown>;

/** Chooses, always the same for the same seed. */
export class Choice extends Random {
  /** True this often. */
  chance(share: number): boolean {
    return this.below(1_000_000) < share * 1_000_000;
  }

  /** The object, or nothing: for spreading. */
  maybe(share: number, make: () => Json): Json {
    return this.chance(share) ? make() : {};
  }

  /** Some of the items, in their order. */
  some<Item>(items: readonly Item[], share = 0.5): Item[] {
    return items.filter(() => this.chance(share));
  }

  /** Some of the items in any order. */
  shuffled<Item>(items: readonly Item[], share = 0.6): Item[] {
    return this.some(items, share)
      .map((item) => [this.below(1000), item] as const)
      .sort(([a], [b]) => a - b)
      .map(([, item]) => item);
  }

  labels(): Json {
    return Object.fromEntries(this.some(['a', 'b', 'c']).map((key) => [key, this.pick(['1', '2'])]));
  }

  /** Metadata as writers care about it. */
  metadata(name: string): Json {
    return {
      name,
      ...this.maybe(0.6, () => ({ labels: this.labels() })),
      ...this.maybe(0.3, () => ({ annotations: this.labels() })),
      ...this.maybe(0.1, () => ({ finalizers: this.shuffled(['x.example/one', 'x.example/two']) })),
    };
  }
}
