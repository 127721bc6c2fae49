import { append } from '../../machinery/append.ts';
import type { FieldError } from '../../machinery/field.ts';
import type { DeclaredField, Field, StructType, Type } from '../../machinery/type-model.ts';
import { changeRules, mergeUpdates, unchanged } from './change-rules.ts';
import { containerRules, eachValue } from './container-rules.ts';
import { formatRules } from './format-rules.ts';
import { limitRules } from './limit-rules.ts';
import { listSemantics, wholeList } from './list-semantics.ts';
import type { ListSemantics } from './list-semantics.ts';
import { innerMarker, parseMarkers } from './marker.ts';
import type { Marker } from './marker.ts';
import { presenceRules } from './presence-rules.ts';
import { child, nothing, sequence } from './rule.ts';
import type { Check, Path, Rule, RuleContext, RuleFamily, Run, Slot } from './rule.ts';
import { itemChoice, structMarkers, structRules } from './struct-rules.ts';
import type { Member } from './struct-rules.ts';
import { valueRules } from './value-rules.ts';
import { zeroOf } from './zero.ts';

type JsonObject = Readonly<Record<string, unknown>>;

const families: RuleFamily = {
  ...presenceRules,
  ...limitRules,
  ...formatRules,
  ...valueRules,
  ...changeRules,
  ...containerRules,
};

/** Markers that others read, or that say where rules are not. */
const notes: ReadonlySet<string> = new Set(['listMapKey', 'opaqueType', 'customUnique', 'supportsSubresource', 'isSubresource']);

interface FieldCheck {
  readonly name: string;
  readonly inline: boolean;
  readonly zero: unknown;
  readonly isUnchanged: (value: unknown, old: unknown) => boolean;
  readonly check: Check;
}

/** Turns the markers of types into checks. Types that refer to each other are compiled when they are reached. */
export class RuleCompiler implements RuleContext {
  readonly json: (value: object, type: StructType) => string;
  readonly #structs = new WeakMap<StructType, Check>();

  constructor(json: (value: object, type: StructType) => string) {
    this.json = json;
  }

  struct(type: StructType): Check {
    let check = this.#structs.get(type);
    if (check === undefined) this.#structs.set(type, (check = this.#compile(type)));
    return check;
  }

  rules(marker: Marker, slot: Slot): readonly Rule[] {
    const family = families[marker.name];
    if (family !== undefined) return family(marker, slot, this);
    if (notes.has(marker.name) || structMarkers.has(marker.name)) return [];
    throw new Error(`unknown validation marker ${marker.name}`);
  }

  #compile(type: StructType): Check {
    const declared = declaredFields(type);
    const members = declared.map(({ field }) => memberOf(field, type));
    const whole = sequence(structRules(members, this));
    const fields = declared.flatMap(({ field, inline }, index) => this.#fieldCheck(field, inline, members[index] as Member));
    return (run, path, value, old) => {
      const errors: FieldError[] = [...whole(run, path, value, old)];
      for (const field of fields) checkField(field, run, path, value as JsonObject, old as JsonObject | undefined, errors);
      return errors;
    };
  }

  #fieldCheck(field: Field, inline: boolean, { slot, markers }: Member): FieldCheck[] {
    const rules = this.#fieldRules(field.name, markers, slot);
    const ofType = isOpaque(markers) ? undefined : this.#typeCheck(field.type, slot.semantics);
    if (ofType !== undefined) rules.push({ level: 'stable', check: ofType });
    if (rules.every(({ silent, level }) => silent === true || level === 'alpha')) return [];
    // A struct without rules of its own at this place: those of its fields look for changes themselves, and mostly at less.
    const isUnchanged = ofType !== undefined && rules.length === 1 && field.type.kind === 'struct' ? never : unchanged(slot);
    return [{ name: field.name, inline, zero: zeroOf(slot), isUnchanged, check: sequence(rules) }];
  }

  #fieldRules(name: string, markers: readonly Marker[], slot: Slot): Rule[] {
    const isItem = (marker: Marker): boolean => marker.name === 'item';
    const isSubfield = (marker: Marker): boolean => marker.name === 'subfield';
    const items = markers.filter(isItem);
    const rules = mergeUpdates(markers)
      .filter((marker) => !isItem(marker) && !isSubfield(marker))
      .flatMap((marker) => this.rules(marker, slot));
    if (items.length > 0) rules.push(itemChoice(name, items));
    for (const [subfield, some] of Map.groupBy(markers.filter(isSubfield), ({ args }) => args)) {
      rules.push({ level: 'stable', check: this.#subfieldCheck(slot, subfield, some) });
    }
    return rules;
  }

  /** Rules about a field of a struct that only hold here. They stop each other, not the rest. */
  #subfieldCheck({ type }: Slot, name: string, markers: readonly Marker[]): Check {
    const field = type.kind === 'struct' ? type.byName.get(name) : undefined;
    if (type.kind !== 'struct' || field === undefined) throw new Error(`there is no ${name} to have rules`);
    const { slot } = memberOf(field, type);
    const check = sequence(markers.flatMap((marker) => this.rules(innerMarker(marker), slot)));
    const only: FieldCheck = { name, inline: false, zero: zeroOf(slot), isUnchanged: unchanged(slot), check };
    return (run, path, value, old) => {
      const errors: FieldError[] = [];
      checkField(only, run, path, value as JsonObject, old as JsonObject | undefined, errors);
      return errors;
    };
  }

  /** The rules that a type brings along; undefined where there are none. */
  #typeCheck(type: Type, semantics: ListSemantics): Check | undefined {
    switch (type.kind) {
      case 'struct':
        if (type.ruled !== true) return undefined;
        return (run, path, value, old) => (value === undefined || value === null ? nothing : this.struct(type)(run, path, value, old));
      case 'list':
      case 'map': {
        if (semantics.opaqueElements) return undefined;
        const element = this.#typeCheck(type.kind === 'list' ? type.element : type.value, wholeList);
        return element && eachValue(type, semantics, element);
      }
      case 'scalar': {
        const rules = parseMarkers(type.validation).flatMap((marker) => this.rules(marker, { type, pointer: false, semantics: wholeList }));
        return rules.some(({ level }) => level !== 'alpha') ? sequence(rules) : undefined;
      }
      case 'variant':
        return undefined;
    }
  }
}

function declaredFields(type: StructType): readonly DeclaredField[] {
  return type.declared ?? type.fields.map((field) => ({ field, inline: false }));
}

function memberOf(field: Field, owner: StructType): Member {
  const markers = parseMarkers(field.validation);
  const { type, pointer } = field;
  return { name: field.name, markers, slot: { type, pointer, field, owner, semantics: listSemantics(markers, type) } };
}

function isOpaque(markers: readonly Marker[]): boolean {
  return markers.some(({ name }) => name === 'opaqueType');
}

function never(): boolean {
  return false;
}

/** What did not change since the old object is not judged again. */
function checkField(field: FieldCheck, run: Run, path: Path, object: JsonObject, old: JsonObject | undefined, errors: FieldError[]): void {
  const { name, inline, zero, isUnchanged, check } = field;
  if (inline) {
    append(errors, check(run, path, object, old));
    return;
  }
  const value = object[name] ?? zero;
  const before = old === undefined ? undefined : (old[name] ?? zero);
  if (run.update && old !== undefined && isUnchanged(value, before)) return;
  append(errors, check(run, child(path, name), value, before));
}
