// Upstream: github.com/google/cel-go/common/types/{list,map}.go

import { equal } from './equality.ts';
import { equalNumbers, isInt, isNumeric } from './numbers.ts';
import type { Numeric } from './numbers.ts';
import { showValue } from './show.ts';
import type { Truth, Value } from './values.ts';
import { CelError, CelList, CelMap, Double, Uint } from './values.ts';

/** A list that an expression made. */
export class ArrayList extends CelList {
  readonly items: Value[];

  constructor(items: Value[]) {
    super();
    this.items = items;
  }

  get length(): number {
    return this.items.length;
  }

  at(index: number): Value {
    return this.items[index]!;
  }

  equals(other: Value): Truth {
    if (!(other instanceof CelList) || other.length !== this.length) return false;
    // An element pair that cannot be compared counts as equal here: upstream looks for `false` only.
    for (let i = 0; i < this.length; i++) if (equal(this.items[i]!, other.at(i)) === false) return false;
    return true;
  }

  contains(value: Value): Truth {
    return this.items.some((item) => equal(value, item) === true);
  }

  concat(other: CelList): Value {
    return new ArrayList([...this.items, ...other]);
  }
}

/** Accumulator of `map()` and `filter()`: `accumulator + [x]` appends in place. */
export class GrowingList extends ArrayList {
  override concat(other: CelList): Value {
    for (let i = 0; i < other.length; i++) this.items.push(other.at(i));
    return this;
  }
}

type Indexed = string | number | bigint | boolean;

/** A map that an expression made. Uint, double and null keys are rare and searched one by one. */
export class EntryMap extends CelMap {
  readonly #index = new Map<Indexed, number>();
  readonly #others: number[] = [];
  readonly #entryKeys: Value[] = [];
  readonly #entryValues: Value[] = [];

  constructor(entries: Iterable<readonly [Value, Value]> = []) {
    super();
    for (const [key, value] of entries) this.put(key, value);
  }

  get size(): number {
    return this.#entryKeys.length;
  }

  protected put(key: Value, value: Value): void {
    const known = this.#exact(key);
    if (known !== undefined) {
      this.#entryValues[known] = value;
      return;
    }
    const place = this.#entryKeys.push(key) - 1;
    this.#entryValues.push(value);
    if (isIndexed(key)) this.#index.set(key, place);
    else this.#others.push(place);
  }

  #exact(key: Value): number | undefined {
    if (isIndexed(key)) return this.#index.get(key);
    return this.#others.find((place) => {
      const other = this.#entryKeys[place]!;
      return Object.getPrototypeOf(other ?? 0) === Object.getPrototypeOf(key ?? 0) && equal(other, key) === true;
    });
  }

  find(key: Value): Value | undefined {
    const place = this.#exact(key) ?? (isNumeric(key) ? this.#findNumber(key) : undefined);
    return place === undefined ? undefined : this.#entryValues[place];
  }

  #findNumber(key: Numeric): number | undefined {
    const whole = wholeNumber(key);
    const place = whole === undefined ? undefined : this.#index.get(whole);
    if (place !== undefined) return place;
    return this.#others.find((other) => {
      const candidate = this.#entryKeys[other]!;
      return candidate instanceof Uint && equalNumbers(candidate, key);
    });
  }

  keys(): readonly Value[] {
    return this.#entryKeys;
  }

  equals(other: Value): Truth {
    if (!(other instanceof CelMap) || other.size !== this.size) return false;
    for (let i = 0; i < this.size; i++) {
      const found = other.find(this.#entryKeys[i]!);
      if (found === undefined || equal(this.#entryValues[i]!, found) === false) return false;
    }
    return true;
  }
}

/** Accumulator of `transformMap()`: inserts in place and refuses a key twice. */
export class GrowingMap extends EntryMap {
  insert(key: Value, value: Value): Value {
    if (this.find(key) !== undefined) return new CelError(`insert failed: key ${showValue(key)} already exists`);
    this.put(key, value);
    return this;
  }
}

const isIndexed = (key: Value): key is Indexed => typeof key === 'string' || typeof key === 'boolean' || isInt(key);

function wholeNumber(key: Numeric): number | bigint | undefined {
  if (key instanceof Uint) return key.value <= 9007199254740991n ? Number(key.value) : key.value;
  if (!(key instanceof Double)) return key;
  if (!Number.isInteger(key.value)) return undefined;
  return Number.isSafeInteger(key.value) ? key.value : BigInt(key.value);
}
