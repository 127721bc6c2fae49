import { maxDepth } from '../../machinery/codec/json/depth.ts';
import { requestEntityTooLarge } from '../../machinery/errors.ts';
import { isObject } from '../../patch/json/json-object.ts';

/**
 * How much a body may hold, beside how long it may be. Upstream has no such limits: for bodies beyond these it takes many seconds, and ends
 * in a timeout or in an object that is too large for its store.
 */
const mostMembers = 150_000;
const mostMembersOfOne = 50_000;
const mostItems = 300_000;
/** Each gets defaults and is validated, though it may be empty. */
const mostObjectItems = 75_000;
/** Those of a built-in kind: each item is validated, may be wrong, and is reported. Keys of mere data, labels and annotations cost less. */
const mostTypedItems = 50_000;
const mostTypedObjectItems = 20_000;
const mostTypedMembersOfOne = 20_000;
const plainData: ReadonlySet<string> = new Set(['data', 'stringData', 'binaryData']);
/** No body below has as many: a member takes five bytes, an item two. */
const smallest = 5 * mostMembersOfOne;

/** Refuses what would take long to read, in a fraction of that time. The body may be no JSON: that is for the decoder to say. */
export function checkAmount(body: Buffer): void {
  const limit = exceededLimit(body);
  if (limit !== undefined) throw requestEntityTooLarge(`limit is ${limit}`);
}

/** Which limit a body exceeds if it is JSON. */
export function exceededLimit(body: Buffer): string | undefined {
  if (body.length < smallest) return undefined;
  const enclosing: number[] = [];
  let members = 0;
  let here = 0;
  let separators = 0;
  let objectItems = 0;
  let isField = false;
  for (let at = 0; at < body.length; at++) {
    switch (body[at]) {
      case 0x22:
        at = closingQuote(body, at + 1);
        break;
      case 0x3a:
        members++;
        isField = true;
        if (++here > mostMembersOfOne) return `${mostMembersOfOne} fields of one object`;
        break;
      case 0x2c:
        separators++;
        isField = false;
        break;
      case 0x5b:
        isField = false;
        break;
      case 0x7b:
        if (!isField) objectItems++;
        isField = false;
        enclosing.push(here);
        here = 0;
        break;
      case 0x7d:
        here = enclosing.pop() ?? 0;
    }
  }
  if (members > mostMembers) return `${mostMembers} fields`;
  if (separators > mostItems) return `${mostItems} items`;
  // The body itself is no item.
  return objectItems - 1 > mostObjectItems ? `${mostObjectItems} objects in lists` : undefined;
}

/** The same of CBOR: lengths stand before what they measure, or a break ends it. */
export function checkCborAmount(body: Buffer): void {
  const limit = exceededCborLimit(body);
  if (limit !== undefined) throw requestEntityTooLarge(`limit is ${limit}`);
}

/** What is open: how many items are left of it, twice as many as there are fields of a map, and how many there were. */
interface OpenItem {
  readonly isMap: boolean;
  left: number;
  count: number;
}

function exceededCborLimit(body: Buffer): string | undefined {
  if (body.length < mostMembersOfOne) return undefined;
  const open: OpenItem[] = [];
  let [members, items] = [0, 0];
  for (let at = 0; at < body.length;) {
    const [major, info] = [body[at]! >> 5, body[at]! & 31];
    const size = info < 24 || info === 31 ? 0 : 1 << (info - 24);
    // The decoder says what is wrong with it.
    if (at + size >= body.length || size > 8) return undefined;
    const argument =
      size === 0 ? (info === 31 ? Infinity : info) : size === 8 ? Number(body.readBigUInt64BE(at + 1)) : body.readUIntBE(at + 1, size);
    at += 1 + size;
    // a tag, which is no item of its own
    if (major === 6) continue;
    const isBreak = major === 7 && info === 31;
    if (isBreak) open.pop();
    else if (major === 4 || major === 5 || ((major === 2 || major === 3) && info === 31)) {
      open.push({ isMap: major === 5, left: argument * (major === 5 ? 2 : 1), count: 0 });
      // The decoder refuses it; to follow it down would take longer than all the rest.
      if (open.length > maxDepth) return undefined;
      if (argument > 0) continue;
      open.pop();
    } else if (major === 2 || major === 3) at += argument;
    for (let around = open.at(-1); around !== undefined; around = open.at(-1)) {
      around.count++;
      if (!around.isMap) items++;
      else if (around.count % 2 === 0 && (++members, around.count / 2 > mostMembersOfOne))
        return `${mostMembersOfOne} fields of one object`;
      if (--around.left > 0) break;
      open.pop();
    }
  }
  if (members > mostMembers) return `${mostMembers} fields`;
  return items > mostItems ? `${mostItems} items` : undefined;
}

/**
 * A patch may make more of an object than any body may hold, and other encodings more of a body. Who owns what is left out: for each field there
 * may be one, and one more.
 */
export function checkObjectAmount(object: unknown, isTyped: boolean): void {
  if (!isObject(object)) return;
  const { metadata, ...rest } = object;
  const { managedFields: _, ...shown } = isObject(metadata) ? metadata : {};
  const count = { items: 0, objectItems: 0 };
  countWithin(shown, mostMembersOfOne, count);
  // Finalizers are looked at once each: more of them than the store takes are refused by the store.
  count.items = 0;
  for (const name in rest) countWithin(rest[name], isTyped && !plainData.has(name) ? mostTypedMembersOfOne : mostMembersOfOne, count);
  if (!isTyped) return;
  if (count.items > mostTypedItems) throw requestEntityTooLarge(`limit is ${mostTypedItems} items`);
  if (count.objectItems > mostTypedObjectItems) throw requestEntityTooLarge(`limit is ${mostTypedObjectItems} objects in lists`);
}

function countWithin(value: unknown, mostOfOne: number, count: { items: number; objectItems: number }): void {
  const open = isContainer(value) ? [value] : [];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const isList = Array.isArray(next);
    const inner = isList ? (next as unknown[]) : Object.values(next);
    if (isList) count.items += inner.length;
    else if (inner.length > mostOfOne) throw requestEntityTooLarge(`limit is ${mostOfOne} fields of one object`);
    for (const one of inner) {
      if (!isContainer(one)) continue;
      if (isList) count.objectItems++;
      open.push(one);
    }
  }
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function closingQuote(body: Buffer, start: number): number {
  for (let at = start; at < body.length; at++) {
    if (body[at] === 0x22) return at;
    if (body[at] === 0x5c) at++;
  }
  return body.length;
}
