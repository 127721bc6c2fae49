// Upstream: sigs.k8s.io/structured-merge-diff/v6/value/value.go
import { sameDistinctions } from '../../machinery/go-distinctions.ts';
import { own } from '../json/json-object.ts';
import type { JsonObject } from '../json/json-object.ts';

/**
 * Equality of JSON values: numbers by value, keys in any order. Quirk kept: what lists hold, upstream compares as it is in memory, so
 * items may look alike and differ.
 */
export function equalValues(left: unknown, right: unknown, inList = false): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || left === null || typeof right !== 'object' || right === null) {
    return typeof left === 'bigint' || typeof right === 'bigint' ? equalNumbers(left, right) : false;
  }
  if (Array.isArray(left)) {
    if (!Array.isArray(right) || left.length !== right.length) return false;
    for (let i = 0; i < left.length; i++) if (!equalValues(left[i], right[i], true)) return false;
    return true;
  }
  if (Array.isArray(right)) return false;
  const ours = left as JsonObject;
  const theirs = right as JsonObject;
  if (inList && !sameDistinctions(ours, theirs)) return false;
  let surplus = 0;
  for (const name in ours) {
    const value = own(theirs, name);
    if (value === undefined || !equalValues(ours[name], value, inList)) return false;
    surplus++;
  }
  for (const _ in theirs) surplus--;
  return surplus === 0;
}

function equalNumbers(left: unknown, right: unknown): boolean {
  const numeric = (value: unknown): value is number | bigint => typeof value === 'bigint' || typeof value === 'number';
  // An integer and a float are compared as floats.
  return numeric(left) && numeric(right) && (typeof left === typeof right ? left === right : Number(left) === Number(right));
}
