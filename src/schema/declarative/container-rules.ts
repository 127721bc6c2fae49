// Upstream: k8s.io/apimachinery/pkg/api/validate/{each,item,zeroorone}.go
import { append } from '../../machinery/append.ts';
import { duplicate, typedValue, LiteralValue } from '../../machinery/field.ts';
import type { FieldError } from '../../machinery/field.ts';
import type { ListType, MapType, Type } from '../../machinery/type-model.ts';
import { unchanged } from './change-rules.ts';
import { finder, repeats, wholeList } from './list-semantics.ts';
import type { ListSemantics } from './list-semantics.ts';
import { innerMarker } from './marker.ts';
import type { Marker } from './marker.ts';
import type { Check, Rule, RuleContext, RuleFamily, Slot } from './rule.ts';

type JsonMap = Readonly<Record<string, unknown>>;

const keyType: Type = { kind: 'scalar', scalar: 'string' };

export const containerRules: RuleFamily = {
  listType: uniqueRule,
  unique: uniqueRule,
  eachVal(marker, { type, semantics }, context) {
    const inner = innerMarker(marker);
    if (inner.name === 'opaqueType') return [];
    if (type.kind !== 'list' && type.kind !== 'map') throw new Error('eachVal is for lists and maps');
    return context.rules(inner, elementSlot(type)).map((rule) => ({ level: marker.level, check: eachValue(type, semantics, rule.check) }));
  },
  eachKey(marker, _slot, context) {
    const rules = context.rules(innerMarker(marker), { type: keyType, pointer: false, semantics: wholeList });
    return rules.map(({ check }) => ({ level: marker.level, check: eachKey(check) }));
  },
};

export function elementSlot(type: ListType | MapType): Slot {
  if (type.kind === 'map') return { type: type.value, pointer: false, semantics: wholeList };
  return { type: type.element, pointer: type.elementNullable ?? false, semantics: wholeList };
}

/** A check of every element; those that are found unchanged in the old value are left alone. */
export function eachValue(type: ListType | MapType, semantics: ListSemantics, check: Check): Check {
  return type.kind === 'map' ? eachMapValue(type, check) : eachItem(semantics, check);
}

function eachItem(semantics: ListSemantics, check: Check): Check {
  const { unchanged: isUnchanged } = semantics;
  return (run, path, value, old) => {
    const errors: FieldError[] = [];
    const before = finder(semantics, (old ?? []) as readonly unknown[]);
    ((value ?? []) as readonly unknown[]).forEach((item, index) => {
      if (item === null) return;
      const counterpart = before(item);
      if (run.update && counterpart !== undefined && (isUnchanged === undefined || isUnchanged(item, counterpart))) return;
      append(errors, check(run, path?.index(index), item, counterpart));
    });
    return errors;
  };
}

function eachMapValue(type: MapType, check: Check): Check {
  const isUnchanged = unchanged(elementSlot(type));
  return (run, path, value, old) => {
    const errors: FieldError[] = [];
    const before = (old ?? {}) as JsonMap;
    for (const [key, item] of Object.entries((value ?? {}) as JsonMap)) {
      const counterpart = Object.hasOwn(before, key) ? before[key] : undefined;
      if (run.update && counterpart !== undefined && isUnchanged(item, counterpart)) continue;
      append(errors, check(run, path?.key(key), item, counterpart));
    }
    return errors;
  };
}

/** Errors about keys name the map, as upstream has it. */
function eachKey(check: Check): Check {
  return (run, path, value, old) => {
    const before = (old ?? {}) as JsonMap;
    const keys = Object.keys((value ?? {}) as JsonMap).filter((key) => !run.update || !Object.hasOwn(before, key));
    return keys.flatMap((key) => check(run, path, key, undefined));
  };
}

function uniqueRule({ level, value }: Marker, { type, semantics }: Slot, context: RuleContext): Rule[] {
  const { same, uniqueByHand } = semantics;
  if (value === 'atomic' || uniqueByHand || same === undefined || type.kind !== 'list') return [];
  const show = shownElement(type.element, context);
  const check: Check = (_run, path, list) => {
    const items = (list ?? []) as readonly unknown[];
    return repeats(semantics, items).map((index) => duplicate(path?.index(index), show(items[index])));
  };
  return [{ level, check }];
}

function shownElement(type: Type, context: RuleContext): (item: unknown) => unknown {
  if (type.kind === 'struct') return (item) => new LiteralValue(context.json(item as object, type));
  return type.kind === 'scalar' && type.goName !== undefined ? typedValue : (item) => item;
}
