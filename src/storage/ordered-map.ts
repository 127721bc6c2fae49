import type { Steps } from '../base/steps.ts';

/**
 * A map in key order that can be copied in constant time.
 *
 * It is a B+tree whose nodes are shared between copies: `snapshot()` only hands out new owner tokens, and whichever copy is
 * changed first copies the path it touches. Inner nodes know the size of their subtree, so a range is counted without walking it.
 *
 * Keys are ordered as their UTF-8 bytes would be. JavaScript compares UTF-16 code units, which gives the same order unless a
 * character beyond the basic plane meets one from U+E000 to U+FFFF; a map pays for the exact comparison only once it holds such a key.
 */
export interface ReadonlyOrderedMap<V> {
  readonly size: number;
  get(key: string): V | undefined;
  has(key: string): boolean;
  /** Values of keys in [from, to), at most `limit`. `to` undefined: to the end. */
  range(from?: string, to?: string, limit?: number): V[];
  /**
   * Values of keys in [from, to), in order and in parts. Those of a snapshot never change, and but for the first and the last they are the same
   * arrays in later snapshots until something in them has changed.
   */
  parts(from: string, to: string | undefined): (readonly V[])[];
  /** Number of keys in [from, to), in logarithmic time. */
  count(from?: string, to?: string): number;
  /** Entries of keys in [from, to). The map must not change meanwhile: iterate a snapshot if it might. */
  entries(from?: string, to?: string): IterableIterator<[string, V]>;
  /** An independent copy, in constant time. */
  snapshot(): OrderedMap<V>;
}

/** So many keys are looked at between two steps of what is done in steps. */
const stepSize = 512;
/** ... and so many changed, which may mean to read a value */
const changesInStep = 64;
const max = 64;
const min = max / 4;
const beyondSimpleOrder = /[\ud800-\uffff]/;

interface Owner {
  readonly owner: true;
}

interface Leaf<V> {
  readonly leaf: true;
  owner: Owner;
  keys: string[];
  values: V[];
}

interface Inner<V> {
  readonly leaf: false;
  owner: Owner;
  /** keys[i] is a lower bound of children[i + 1] and greater than everything in children[i] */
  keys: string[];
  children: Node<V>[];
  size: number;
}

type Node<V> = Leaf<V> | Inner<V>;

/** What is to be there of a key on which two maps do not agree; undefined: one does not have it, or it is not to be there. */
export type Settle<V> = (key: string, here: V | undefined, there: V | undefined) => V | undefined;

type Less = (a: string, b: string) => boolean;

export class OrderedMap<V> implements ReadonlyOrderedMap<V> {
  #root: Node<V>;
  #owner: Owner = { owner: true };
  #less: Less = lessByCodeUnit;

  constructor() {
    this.#root = { leaf: true, owner: this.#owner, keys: [], values: [] };
  }

  /** Builds a map from keys that are already in order, without comparing them. Takes over the arrays' contents, not the arrays. */
  static fromSorted<V>(keys: readonly string[], values: readonly V[]): OrderedMap<V> {
    const map = new OrderedMap<V>();
    map.#root = build(keys, values, map.#owner);
    if (keys.some((key) => beyondSimpleOrder.test(key))) map.#less = lessByCodePoint;
    return map;
  }

  get size(): number {
    return sizeOf(this.#root);
  }

  snapshot(): OrderedMap<V> {
    const copy = new OrderedMap<V>();
    copy.#root = this.#root;
    copy.#less = this.#less;
    this.#owner = { owner: true };
    return copy;
  }

  /**
   * Another map, but for what `settle` makes of the keys that do not have the same object here and there. It is asked in the order of keys. Nodes
   * that both maps share are not looked at, and the others keep their form: so many differences cost one walk over them.
   */
  *reconciled(other: OrderedMap<V>, settle: Settle<V>): Steps<OrderedMap<V>> {
    const result = other.snapshot();
    const [ours, theirs] = [leavesOf(this.#root), leavesOf(result.#root)];
    const [known, shown] = [new Set(ours), new Set(theirs)];
    const less = this.#less === lessByCodeUnit ? other.#less : this.#less;
    const here = new Cursor(ours.filter((leaf) => !shown.has(leaf)));
    const settled = new Map<Node<V>, Leaf<V>>();
    /** keys that only one of the other map and the result has: they are few */
    const moved: (readonly [string, V | undefined])[] = [];
    let seen = 0;
    for (const leaf of theirs) {
      if (known.has(leaf)) continue;
      const { keys } = leaf;
      const values = leaf.values.slice();
      for (let i = 0; i < keys.length; i++) {
        if (++seen % stepSize === 0) yield;
        const key = keys[i]!;
        for (; here.key !== undefined && here.key !== key && less(here.key, key); here.next()) {
          if (++seen % stepSize === 0) yield;
          const value = settle(here.key, here.value, undefined);
          if (value !== undefined) moved.push([here.key, value]);
        }
        const there = values[i]!;
        let mine: V | undefined;
        if (here.key === key) {
          mine = here.value;
          here.next();
        }
        if (mine === there) continue;
        const value = settle(key, mine, there);
        if (value === undefined) moved.push([key, undefined]);
        else values[i] = value;
      }
      settled.set(leaf, { leaf: true, owner: result.#owner, keys: keys.slice(), values });
    }
    for (; here.key !== undefined; here.next()) {
      if (++seen % stepSize === 0) yield;
      const value = settle(here.key, here.value, undefined);
      if (value !== undefined) moved.push([here.key, value]);
    }
    result.#root = withLeaves(result.#root, settled, result.#owner);
    for (const [key, value] of moved) {
      if (++seen % stepSize === 0) yield;
      if (value === undefined) result.delete(key);
      else result.set(key, value);
    }
    return result;
  }

  /** Sets values, or removes those that are undefined. Many that are in order cost one walk over the map. */
  setAll(keys: readonly string[], values: readonly (V | undefined)[]): Steps<void> {
    return this.changeAll(keys, (at) => values[at]);
  }

  /** The same with what `change` makes of the value that a key has, given its place in `keys`; it is asked in their order. */
  *changeAll(keys: readonly string[], change: (at: number, before: V | undefined) => V | undefined): Steps<void> {
    if (keys.length * 16 > this.size && keys.length > max && isAscending(keys)) return yield* this.#merge(keys, change);
    for (const [i, key] of keys.entries()) {
      if (i % changesInStep === changesInStep - 1) yield;
      const value = change(i, this.get(key));
      if (value === undefined) this.delete(key);
      else this.set(key, value);
    }
  }

  *#merge(keys: readonly string[], change: (at: number, before: V | undefined) => V | undefined): Steps<void> {
    const mergedKeys: string[] = [];
    const mergedValues: V[] = [];
    const own = new Cursor(leavesOf(this.#root));
    for (let i = 0; i < keys.length; i++) {
      if (i % changesInStep === changesInStep - 1) yield;
      const key = keys[i]!;
      while (own.key !== undefined && own.key !== key && this.#less(own.key, key)) {
        mergedKeys.push(own.key);
        mergedValues.push(own.value!);
        own.next();
      }
      let before: V | undefined;
      if (own.key === key) {
        before = own.value;
        own.next();
      }
      const value = change(i, before);
      if (value === undefined) continue;
      mergedKeys.push(key);
      mergedValues.push(value);
    }
    for (; own.key !== undefined; own.next()) {
      mergedKeys.push(own.key);
      mergedValues.push(own.value!);
    }
    this.#root = build(mergedKeys, mergedValues, this.#owner);
  }

  get(key: string): V | undefined {
    let node = this.#root;
    while (!node.leaf) node = node.children[upperBound(node.keys, key, this.#less)]!;
    const at = lowerBound(node.keys, key, this.#less);
    return node.keys[at] === key ? node.values[at] : undefined;
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  /** Sets a value and returns the one that was there. */
  set(key: string, value: V): V | undefined {
    if (this.#less === lessByCodeUnit && beyondSimpleOrder.test(key)) this.#less = lessByCodePoint;
    const root = this.#own(this.#root);
    this.#root = root;
    const previous = this.#set(root, key, value);
    if (width(root) > max) {
      const right = this.#split(root, true);
      this.#root = {
        leaf: false,
        owner: this.#owner,
        keys: [smallest(right)],
        children: [root, right],
        size: sizeOf(root) + sizeOf(right),
      };
    }
    return previous;
  }

  /** Removes a key and returns its value. */
  delete(key: string): V | undefined {
    if (this.get(key) === undefined) return undefined;
    const root = this.#own(this.#root);
    this.#root = root;
    const previous = this.#delete(root, key);
    if (!root.leaf && root.children.length === 1) this.#root = root.children[0]!;
    return previous;
  }

  count(from = '', to?: string): number {
    const end = to === undefined ? this.size : this.#rank(to);
    return Math.max(0, end - (from === '' ? 0 : this.#rank(from)));
  }

  range(from = '', to?: string, limit = Infinity): V[] {
    const found: V[] = [];
    if (limit > 0) this.#collect(this.#root, from, to, limit, found);
    return found;
  }

  parts(from: string, to: string | undefined): (readonly V[])[] {
    const found: (readonly V[])[] = [];
    this.#collectParts(this.#root, from, to, found);
    return found;
  }

  *entries(from = '', to?: string): IterableIterator<[string, V]> {
    yield* this.#walk(this.#root, from, to);
  }

  *#walk(node: Node<V>, from: string, to: string | undefined): IterableIterator<[string, V]> {
    if (node.leaf) {
      for (let i = lowerBound(node.keys, from, this.#less); i < node.keys.length; i++) {
        const key = node.keys[i]!;
        if (to !== undefined && !this.#less(key, to)) return;
        yield [key, node.values[i]!];
      }
      return;
    }
    for (let i = upperBound(node.keys, from, this.#less); i < node.children.length; i++) {
      if (i > 0 && to !== undefined && !this.#less(node.keys[i - 1]!, to)) return;
      yield* this.#walk(node.children[i]!, from, to);
    }
  }

  #collect(node: Node<V>, from: string, to: string | undefined, limit: number, found: V[]): void {
    if (node.leaf) {
      const { keys, values } = node;
      const start = from === '' ? 0 : lowerBound(keys, from, this.#less);
      // Most leaves are within the range as a whole.
      const isWithin = to === undefined || keys.length === 0 || this.#less(keys[keys.length - 1]!, to);
      const end = Math.min(isWithin ? keys.length : lowerBound(keys, to, this.#less), start + limit - found.length);
      for (let i = start; i < end; i++) found.push(values[i]!);
      return;
    }
    const first = from === '' ? 0 : upperBound(node.keys, from, this.#less);
    for (let i = first; i < node.children.length && found.length < limit; i++) {
      if (i > 0 && to !== undefined && !this.#less(node.keys[i - 1]!, to)) return;
      // All that is in those after the first is greater.
      this.#collect(node.children[i]!, i === first ? from : '', to, limit, found);
    }
  }

  #collectParts(node: Node<V>, from: string, to: string | undefined, found: (readonly V[])[]): void {
    if (node.leaf) {
      const { keys, values } = node;
      const start = from === '' ? 0 : lowerBound(keys, from, this.#less);
      const end = to === undefined ? keys.length : lowerBound(keys, to, this.#less);
      if (start < end) found.push(end - start === values.length ? values : values.slice(start, end));
      return;
    }
    const first = from === '' ? 0 : upperBound(node.keys, from, this.#less);
    const last = to === undefined ? node.keys.length : lowerBound(node.keys, to, this.#less);
    for (let i = first; i <= last; i++) this.#collectParts(node.children[i]!, i === first ? from : '', i === last ? to : undefined, found);
  }

  /** How many keys are smaller. */
  #rank(key: string): number {
    let node = this.#root;
    let rank = 0;
    while (!node.leaf) {
      const at = upperBound(node.keys, key, this.#less);
      rank += sum(node.children, at);
      node = node.children[at]!;
    }
    return rank + lowerBound(node.keys, key, this.#less);
  }

  /** The node itself if no other copy can see it, else a copy of it. */
  #own(node: Node<V>): Node<V> {
    if (node.owner === this.#owner) return node;
    return node.leaf
      ? { leaf: true, owner: this.#owner, keys: node.keys.slice(), values: node.values.slice() }
      : { leaf: false, owner: this.#owner, keys: node.keys.slice(), children: node.children.slice(), size: node.size };
  }

  #ownChild(node: Inner<V>, at: number): Node<V> {
    return (node.children[at] = this.#own(node.children[at]!));
  }

  #set(node: Node<V>, key: string, value: V): V | undefined {
    if (node.leaf) {
      const at = lowerBound(node.keys, key, this.#less);
      const previous = node.values[at];
      if (node.keys[at] === key) {
        node.values[at] = value;
        return previous;
      }
      node.keys.splice(at, 0, key);
      node.values.splice(at, 0, value);
      return undefined;
    }
    const at = upperBound(node.keys, key, this.#less);
    const child = this.#ownChild(node, at);
    const before = sizeOf(child);
    const previous = this.#set(child, key, value);
    node.size += sizeOf(child) - before;
    if (width(child) > max) {
      const right = this.#split(child, at === node.children.length - 1);
      node.keys.splice(at, 0, smallest(right));
      node.children.splice(at + 1, 0, right);
    }
    return previous;
  }

  /** Moves the upper half of an owned node into a new one. At the right edge little moves, so that keys in order fill the nodes. */
  #split(node: Node<V>, rightEdge: boolean): Node<V> {
    const at = rightEdge ? max - min : max >> 1;
    if (node.leaf) return { leaf: true, owner: this.#owner, keys: node.keys.splice(at), values: node.values.splice(at) };
    const children = node.children.splice(at);
    const keys = node.keys.splice(at);
    node.keys.pop();
    const size = sum(children, children.length);
    node.size -= size;
    return { leaf: false, owner: this.#owner, keys, children, size };
  }

  #delete(node: Node<V>, key: string): V | undefined {
    if (node.leaf) {
      const at = lowerBound(node.keys, key, this.#less);
      node.keys.splice(at, 1);
      return node.values.splice(at, 1)[0];
    }
    const at = upperBound(node.keys, key, this.#less);
    const child = this.#ownChild(node, at);
    const previous = this.#delete(child, key);
    node.size--;
    if (width(child) < min && node.children.length > 1) this.#refill(node, at === 0 ? 0 : at - 1);
    return previous;
  }

  /** Joins children `at` and `at + 1`, and parts them again in the middle when they do not fit into one. */
  #refill(node: Inner<V>, at: number): void {
    const left = this.#ownChild(node, at);
    const right = node.children[at + 1]!;
    node.keys.splice(at, 1);
    node.children.splice(at + 1, 1);
    if (left.leaf && right.leaf) {
      left.keys.push(...right.keys);
      left.values.push(...right.values);
    } else if (!left.leaf && !right.leaf) {
      left.keys.push(smallest(right), ...right.keys);
      left.children.push(...right.children);
      left.size += right.size;
    }
    if (width(left) <= max) return;
    const rest = this.#split(left, false);
    node.keys.splice(at, 0, smallest(rest));
    node.children.splice(at + 1, 0, rest);
  }
}

/** A place in leaves that follow each other, of which none is empty; without a key at the end. */
class Cursor<V> {
  readonly #leaves: readonly Leaf<V>[];
  #leaf = 0;
  #at = 0;
  key: string | undefined;

  constructor(leaves: readonly Leaf<V>[]) {
    this.#leaves = leaves;
    this.key = leaves[0]?.keys[0];
  }

  get value(): V | undefined {
    return this.#leaves[this.#leaf]?.values[this.#at];
  }

  next(): void {
    if (++this.#at === this.#leaves[this.#leaf]?.keys.length) {
      this.#leaf++;
      this.#at = 0;
    }
    this.key = this.#leaves[this.#leaf]?.keys[this.#at];
  }
}

/** The root of a tree of keys that are in order. */
function build<V>(keys: readonly string[], values: readonly V[], owner: Owner): Node<V> {
  let level: Node<V>[] = [];
  for (const [start, end] of evenly(keys.length)) {
    level.push({ leaf: true, owner, keys: keys.slice(start, end), values: values.slice(start, end) });
  }
  while (level.length > 1) {
    const parents: Node<V>[] = [];
    for (const [start, end] of evenly(level.length)) {
      const children = level.slice(start, end);
      parents.push({ leaf: false, owner, keys: children.slice(1).map(smallest), children, size: sum(children, children.length) });
    }
    level = parents;
  }
  return level[0] ?? { leaf: true, owner, keys: [], values: [] };
}

/** Whether each key is greater than the one before it, in an order that is the simple one and the exact one. */
export function isAscending(keys: readonly string[]): boolean {
  for (let i = 1; i < keys.length; i++) if (!(keys[i - 1]! < keys[i]!)) return false;
  return !keys.some((key) => beyondSimpleOrder.test(key));
}

/** Compares as UTF-8 bytes would compare. */
export function compareKeys(a: string, b: string): number {
  if (a === b) return 0;
  return lessByCodePoint(a, b) ? -1 : 1;
}

/** The smallest key that is greater than every key with this prefix; undefined when there is none. */
export function prefixEnd(prefix: string): string | undefined {
  const final = prefix.charCodeAt(prefix.length - 1);
  if (final < 0x7f) return prefix.slice(0, -1) + String.fromCharCode(final + 1);
  const points = Array.from(prefix, (character) => character.codePointAt(0)!);
  while (points.length > 0) {
    const last = points.pop()!;
    if (last === 0x10ffff) continue;
    return String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1);
  }
  return undefined;
}

function lessByCodeUnit(a: string, b: string): boolean {
  return a < b;
}

function lessByCodePoint(a: string, b: string): boolean {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return rankOfUnit(x) < rankOfUnit(y);
  }
  return a.length < b.length;
}

/** Puts surrogates, which stand for the highest code points, above the rest of the basic plane. */
function rankOfUnit(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

/** Index of the first key that is not smaller. */
function lowerBound(keys: readonly string[], key: string, less: Less): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (less(keys[middle]!, key)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Index of the first key that is greater. */
function upperBound(keys: readonly string[], key: string, less: Less): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (less(key, keys[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function width<V>(node: Node<V>): number {
  return node.leaf ? node.keys.length : node.children.length;
}

function sizeOf<V>(node: Node<V>): number {
  return node.leaf ? node.keys.length : node.size;
}

function smallest<V>(node: Node<V>): string {
  let at = node;
  while (!at.leaf) at = at.children[0]!;
  return at.keys[0]!;
}

function sum<V>(nodes: readonly Node<V>[], end: number): number {
  let total = 0;
  for (let i = 0; i < end; i++) total += sizeOf(nodes[i]!);
  return total;
}

/** Cuts `length` things into runs of nearly equal length that fit a node and leave it some room. */
function* evenly(length: number): Iterable<[number, number]> {
  const runs = Math.ceil(length / (max - min / 2));
  for (let i = 0; i < runs; i++) yield [Math.floor((i * length) / runs), Math.floor(((i + 1) * length) / runs)];
}

/** The same tree with other leaves, which have the keys of those that they stand for. */
function withLeaves<V>(node: Node<V>, leaves: ReadonlyMap<Node<V>, Leaf<V>>, owner: Owner): Node<V> {
  if (node.leaf) return leaves.get(node) ?? node;
  const children = node.children.map((child) => withLeaves(child, leaves, owner));
  if (children.every((child, i) => child === node.children[i])) return node;
  return { leaf: false, owner, keys: node.keys.slice(), children, size: node.size };
}

function leavesOf<V>(root: Node<V>): Leaf<V>[] {
  let level: Node<V>[] = [root];
  while (level[0]?.leaf === false) level = level.flatMap((node) => (node.leaf ? [] : node.children));
  return level.filter((node) => node.leaf);
}
