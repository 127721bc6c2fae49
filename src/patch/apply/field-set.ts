// Upstream: sigs.k8s.io/structured-merge-diff/v6/fieldpath/{set,serialize}.go
import { FieldSetError, canonicalElement, compareElements, formatElement } from './path-element.ts';

/**
 * A set of field paths in the very form of fieldsV1, so that nothing has to be parsed or written: an element that is in the set is an
 * empty object; one that only leads to others holds those; one that does both holds `.` as well. Elements stand in canonical order.
 * A set is never changed once made: every operation gives a new one, or the same object where nothing changes.
 */
export interface FieldSet {
  readonly [element: string]: FieldSet;
}

export type MutableFieldSet = { [element: string]: FieldSet };

/** The element itself and nothing below it. Also the empty set, when it stands at the root. */
export const leaf: FieldSet = Object.freeze({});

export function isEmpty(set: FieldSet): boolean {
  for (const _ in set) return false;
  return true;
}

export function isMember(node: FieldSet | undefined): boolean {
  return node !== undefined && ('.' in node || isEmpty(node));
}

export function hasChildren(node: FieldSet | undefined): boolean {
  for (const element in node) if (element !== '.') return true;
  return false;
}

export function contains(set: FieldSet, path: readonly string[]): boolean {
  let node: FieldSet | undefined = set;
  for (const element of path) {
    node = node[element];
    if (node === undefined) return false;
  }
  return path.length > 0 && isMember(node);
}

/** Whether all paths of `part` are in `set`. */
export function includes(set: FieldSet, part: FieldSet): boolean {
  for (const element in part) {
    if (element === '.') continue;
    const node = set[element];
    const wanted = part[element]!;
    if (node === undefined || (isMember(wanted) && !isMember(node)) || !includes(node, wanted)) return false;
  }
  return true;
}

/** A set of these paths; each path is a list of elements (`f:spec`, `f:replicas`). */
export function fieldSet(...paths: readonly (readonly string[])[]): FieldSet {
  let set: FieldSet = leaf;
  for (const path of paths) {
    if (path.length === 0) continue;
    set = union(
      set,
      path.reduceRight((below: FieldSet, element) => ({ [element]: below }), leaf),
    );
  }
  return set;
}

/** Reads fieldsV1: gives the same object when it is canonical already. Throws for elements that are broken, drops unknown ones. */
export function decodeFieldSet(json: unknown): FieldSet {
  return decodeNode(json, 0);
}

function decodeNode(json: unknown, depth: number): FieldSet {
  if (json === null) return leaf;
  if (typeof json !== 'object' || Array.isArray(json))
    throw new FieldSetError(`expect { or n, but found ${JSON.stringify(json).charAt(0)}`);
  const source = json as Record<string, unknown>;
  let rebuilt: Map<string, FieldSet> | undefined;
  let last: string | undefined;
  let count = 0;
  for (const element in source) {
    const value = source[element];
    count++;
    if (element === '.') {
      if (depth === 0 || last !== undefined || !isEmpty(value as FieldSet)) rebuilt ??= elementsBefore(source, element);
      continue;
    }
    const text = canonicalElement(element);
    const node = text === undefined ? leaf : decodeNode(value, depth + 1);
    if (rebuilt === undefined && (text !== element || node !== value || (last !== undefined && compareElements(last, text) >= 0))) {
      rebuilt = elementsBefore(source, element);
    }
    if (rebuilt !== undefined && text !== undefined) {
      const known = rebuilt.get(text);
      rebuilt.set(text, known === undefined ? node : unionNodes(known, node));
    }
    last = element;
  }
  if (rebuilt === undefined) return count === 1 && last === undefined ? leaf : (source as FieldSet);
  const set: MutableFieldSet = {};
  if (depth > 0 && '.' in source && rebuilt.size > 0) set['.'] = leaf;
  for (const element of [...rebuilt.keys()].sort(compareElements)) set[element] = rebuilt.get(element)!;
  return set;
}

/** What was read of a node before the first element that is not canonical. */
function elementsBefore(source: Record<string, unknown>, stop: string): Map<string, FieldSet> {
  const elements = new Map<string, FieldSet>();
  for (const element in source) {
    if (element === stop) break;
    if (element !== '.') elements.set(element, source[element] as FieldSet);
  }
  return elements;
}

/** Paths that are in either. */
export function union(left: FieldSet, right: FieldSet): FieldSet {
  if (left === right || isEmpty(right)) return left;
  if (isEmpty(left)) return right;
  return mergeElements(left, right, {});
}

function unionNodes(left: FieldSet, right: FieldSet): FieldSet {
  if (left === right) return left;
  const member = isMember(left) || isMember(right);
  if (!hasChildren(right)) return hasChildren(left) ? withMembership(left, member) : leaf;
  if (!hasChildren(left)) return withMembership(right, member);
  return mergeElements(left, right, member ? { '.': leaf } : {});
}

function mergeElements(left: FieldSet, right: FieldSet, into: MutableFieldSet): FieldSet {
  const ours = Object.keys(left);
  const theirs = Object.keys(right);
  let i = ours[0] === '.' ? 1 : 0;
  let j = theirs[0] === '.' ? 1 : 0;
  while (i < ours.length || j < theirs.length) {
    const a = ours[i];
    const b = theirs[j];
    const order = a === undefined ? 1 : b === undefined ? -1 : compareElements(a, b);
    if (order === 0) into[a!] = unionNodes(left[a!]!, right[b!]!);
    else if (order < 0) into[a!] = left[a!]!;
    else into[b!] = right[b!]!;
    if (order <= 0) i++;
    if (order >= 0) j++;
  }
  return into;
}

/** A node that has elements below, with or without itself being in the set. */
function withMembership(node: FieldSet, member: boolean): FieldSet {
  if ('.' in node === member) return node;
  const { '.': _, ...below } = node;
  return member ? { '.': leaf, ...below } : below;
}

/** Paths of `set` that are not in `removed`. */
export function difference(set: FieldSet, removed: FieldSet): FieldSet {
  return subtract(set, removed, differenceNodes);
}

function differenceNodes(node: FieldSet, removed: FieldSet): FieldSet | undefined {
  if (isEmpty(removed)) return dropMembership(node);
  const rest = subtract(node, removed, differenceNodes, '.' in removed);
  return rest;
}

function dropMembership(node: FieldSet): FieldSet | undefined {
  if (!('.' in node)) return isEmpty(node) ? undefined : node;
  return withMembership(node, false);
}

/** Paths of `set` that are not in `removed`, nor below a path of it. */
export function recursiveDifference(set: FieldSet, removed: FieldSet): FieldSet {
  return subtract(set, removed, (node, gone) => (isMember(gone) ? undefined : subtractBelow(node, gone)));
}

function subtractBelow(node: FieldSet, removed: FieldSet): FieldSet | undefined {
  const member = isMember(node);
  const rest = recursiveDifference(node, removed);
  if (rest === node) return node;
  return isEmpty(rest) && !member ? undefined : rest;
}

type NodeDifference = (node: FieldSet, removed: FieldSet) => FieldSet | undefined;

function subtract(set: FieldSet, removed: FieldSet, below: NodeDifference): FieldSet;
function subtract(set: FieldSet, removed: FieldSet, below: NodeDifference, self: boolean): FieldSet | undefined;
function subtract(set: FieldSet, removed: FieldSet, below: NodeDifference, self?: boolean): FieldSet | undefined {
  let changes: Map<string, FieldSet | undefined> | undefined;
  for (const element in removed) {
    if (element === '.') continue;
    const node = set[element];
    if (node === undefined) continue;
    const rest = below(node, removed[element]!);
    if (rest !== node) (changes ??= new Map()).set(element, rest);
  }
  const dropSelf = self === true && isMember(set);
  if (changes === undefined) return dropSelf ? dropMembership(set) : set;
  const member = '.' in set && !dropSelf;
  const out: MutableFieldSet = {};
  let children = false;
  if (member) out['.'] = leaf;
  for (const element in set) {
    if (element === '.') continue;
    const rest = changes.has(element) ? changes.get(element) : set[element];
    if (rest === undefined) continue;
    out[element] = rest;
    children = true;
  }
  if (children) return out;
  return member || self === undefined ? leaf : undefined;
}

/** Paths that are in both. */
export function intersection(left: FieldSet, right: FieldSet): FieldSet {
  return intersectNodes(left, right, false) ?? leaf;
}

function intersectNodes(left: FieldSet, right: FieldSet, member: boolean): FieldSet | undefined {
  let out: MutableFieldSet | undefined;
  for (const element in left) {
    const other = right[element];
    if (element === '.' || other === undefined) continue;
    const node = left[element]!;
    const both = intersectNodes(node, other, isMember(node) && isMember(other));
    if (both !== undefined) (out ??= member ? { '.': leaf } : {})[element] = both;
  }
  return out ?? (member ? leaf : undefined);
}

export function equalSets(left: FieldSet, right: FieldSet): boolean {
  if (left === right) return true;
  const ours = Object.keys(left);
  const theirs = Object.keys(right);
  if (ours.length !== theirs.length) return false;
  return ours.every((element, i) => element === theirs[i] && equalSets(left[element]!, right[element]!));
}

/** Every path of the set: the elements of a level first, then what lies below each. */
export function* paths(set: FieldSet, prefix: readonly string[] = []): Generator<readonly string[]> {
  for (const element in set) if (element !== '.' && isMember(set[element])) yield [...prefix, element];
  for (const element in set) if (element !== '.' && hasChildren(set[element])) yield* paths(set[element]!, [...prefix, element]);
}

/** `.spec.containers[name="a"].image` */
export function formatPath(path: readonly string[]): string {
  return path.map((element) => formatElement(element)).join('');
}
