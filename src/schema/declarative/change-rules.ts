// Upstream: k8s.io/apimachinery/pkg/api/validate/{immutable,update,monotonic}.go
import { deepEqual, semanticDeepEqual } from '../../machinery/deep-equal.ts';
import { forbidden, invalid } from '../../machinery/field.ts';
import type { FieldError } from '../../machinery/field.ts';
import { finder } from './list-semantics.ts';
import type { Marker } from './marker.ts';
import { nothing } from './rule.ts';
import type { Check, Path, RuleFamily, Slot } from './rule.ts';
import { presence } from './zero.ts';

export const changeRules: RuleFamily = {
  immutable({ level }) {
    // A value that did not change is never asked about.
    const check: Check = (run, path) => (run.update ? [invalid(path, null, 'field is immutable').withOrigin('immutable')] : nothing);
    return [{ level, stops: true, check }];
  },
  update: ({ level, value }, slot) => [{ level, stops: true, check: updateCheck(value.split(','), slot) }],
  monotonic({ level }) {
    const check: Check = (run, path, value, old) => {
      if (!run.update || value === undefined || old === undefined) return nothing;
      const [now, before] = [value as number | bigint, old as number | bigint];
      return now < before ? [invalid(path, now, `may not be decreased from ${before}`).withOrigin('monotonic')] : nothing;
    };
    return [{ level, check }];
  },
};

/** What several `update` markers forbid is one rule. */
export function mergeUpdates(markers: readonly Marker[]): readonly Marker[] {
  const values = (level: string): string =>
    markers
      .filter((marker) => marker.name === 'update' && marker.level === level)
      .map(({ value }) => value)
      .toSorted((a, b) => constraintNames.indexOf(a) - constraintNames.indexOf(b))
      .join(',');
  const seen = new Set<string>();
  return markers.flatMap((marker) => {
    if (marker.name !== 'update') return [marker];
    if (seen.has(marker.level)) return [];
    seen.add(marker.level);
    return [{ ...marker, value: values(marker.level) }];
  });
}

type Constraint = (path: Path, value: unknown, old: unknown, slot: Slot) => readonly FieldError[];

const constraints: Readonly<Record<string, Constraint>> = {
  NoSet: transition(false, true, 'field cannot be set once created'),
  NoUnset: transition(true, false, 'field cannot be cleared once set'),
  NoModify: transition(true, true, 'field cannot be modified once set'),
  NoAddItem: (path, value, old, slot) =>
    missing(value, old, slot).map(({ index, key }) => {
      const at = key === undefined ? path?.index(index) : path?.key(key);
      return forbidden(at, 'item may not be added').withOrigin('update');
    }),
  NoRemoveItem: (path, value, old, slot) =>
    missing(old, value, slot).map(({ key }) =>
      forbidden(key === undefined ? path : path?.key(key), 'item may not be removed').withOrigin('update'),
    ),
};

const constraintNames = Object.keys(constraints);

function updateCheck(names: readonly string[], slot: Slot): Check {
  const wanted = names.map((name) => {
    const found = constraints[name];
    if (found === undefined) throw new Error(`unknown constraint ${name} on updates`);
    return found;
  });
  return (run, path, value, old) => {
    // Without an old parent there is nothing that a value could have changed from.
    if (!run.update || (old === undefined && !isNilable(slot))) return nothing;
    return wanted.flatMap((constraint) => constraint(path, value, old, slot));
  };
}

function isNilable({ type, pointer }: Slot): boolean {
  return pointer || type.kind === 'list' || type.kind === 'map';
}

function transition(from: boolean, to: boolean, detail: string): Constraint {
  return (path, value, old, slot) => {
    const isPresent = presence(slot) ?? ((): boolean => true);
    return isPresent(old) === from && isPresent(value) === to ? [invalid(path, null, detail).withOrigin('update')] : nothing;
  };
}

/** What is in the first list or map and not in the second. */
function missing(from: unknown, among: unknown, { type, semantics }: Slot): { readonly index: number; readonly key?: string }[] {
  if (type.kind === 'map') {
    const known = (among ?? {}) as object;
    return Object.keys((from ?? {}) as object).flatMap((key, index) => (Object.hasOwn(known, key) ? [] : [{ index, key }]));
  }
  const identified = semantics.same === undefined ? { same: (left: unknown, right: unknown) => semanticDeepEqual(left, right) } : semantics;
  const counterpartOf = finder(identified, (among ?? []) as readonly unknown[]);
  return ((from ?? []) as readonly unknown[]).flatMap((item, index) => (counterpartOf(item) === undefined ? [{ index }] : []));
}

/** Whether a value is what it was, for the rule that what did not change is not judged again. */
export function unchanged({ type }: Slot): (value: unknown, old: unknown) => boolean {
  return type.kind === 'scalar' ? deepEqual : (value, old) => semanticDeepEqual(value, old, type);
}
