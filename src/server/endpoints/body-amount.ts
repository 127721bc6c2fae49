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
/** No body below has as many: a member takes five bytes, an item two. */
const smallest = 5 * mostMembersOfOne;

/** Refuses what would take long to read, in a fraction of that time. The body may be no JSON: that is for the decoder to say. */
export function checkAmount(body: Buffer): void {
  if (body.length < smallest) return;
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
        if (++here > mostMembersOfOne) throw requestEntityTooLarge(`limit is ${mostMembersOfOne} fields of one object`);
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
  if (members > mostMembers) throw requestEntityTooLarge(`limit is ${mostMembers} fields`);
  if (separators > mostItems) throw requestEntityTooLarge(`limit is ${mostItems} items`);
  // The body itself is no item.
  if (objectItems - 1 > mostObjectItems) throw requestEntityTooLarge(`limit is ${mostObjectItems} objects in lists`);
}

/**
 * A patch may make more of an object than any body may hold. Who owns what is left out: for each field there may be one, and one more.
 */
export function checkPatchedAmount(patched: unknown): void {
  if (!isObject(patched)) return;
  const { metadata, ...rest } = patched;
  const { managedFields: _, ...shown } = isObject(metadata) ? metadata : {};
  const open: unknown[] = [shown, rest];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const inner = Array.isArray(next) ? (next as unknown[]) : Object.values(next as object);
    if (inner.length > mostMembersOfOne && !Array.isArray(next))
      throw requestEntityTooLarge(`limit is ${mostMembersOfOne} fields of one object`);
    for (const value of inner) if (typeof value === 'object' && value !== null) open.push(value);
  }
}

function closingQuote(body: Buffer, start: number): number {
  for (let at = start; at < body.length; at++) {
    if (body[at] === 0x22) return at;
    if (body[at] === 0x5c) at++;
  }
  return body.length;
}
