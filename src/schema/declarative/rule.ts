import { append } from '../../machinery/append.ts';
import type { FieldError } from '../../machinery/field.ts';
import { FieldPath } from '../../machinery/field.ts';
import type { Field, StructType, Type } from '../../machinery/type-model.ts';
import type { ListSemantics } from './list-semantics.ts';
import type { Level, Marker } from './marker.ts';

/** One validation of one object. */
export interface Run {
  /** there is an old object, and what did not change is not judged again */
  readonly update: boolean;
  /** whether what `ifEnabled` and `ifDisabled` speak of is on */
  option(name: string): boolean;
}

/** Undefined at the root of an object. */
export type Path = FieldPath | undefined;

/**
 * What is wrong with a value. A value of a type without pointer is never undefined, except for scalars that are structs in Go; an old value
 * is undefined where there is none to compare with.
 */
export type Check = (run: Run, path: Path, value: unknown, old: unknown) => readonly FieldError[];

export interface Rule {
  readonly level: Level;
  readonly check: Check;
  /** when it speaks, nothing else is said about the value */
  readonly stops?: boolean;
  /** it stops the others without an error: there is no value to judge */
  readonly silent?: boolean;
}

/** A place for values: a field, an element of a list, a value or key of a map. */
export interface Slot {
  readonly type: Type;
  readonly pointer: boolean;
  readonly semantics: ListSemantics;
  readonly field?: Field;
  /** the struct that has the field */
  readonly owner?: StructType;
}

/** What rules need of their surroundings. */
export interface RuleContext {
  /** the rules of a marker that stands inside another */
  rules(marker: Marker, slot: Slot): readonly Rule[];
  /** a struct as clients read it */
  json(value: object, type: StructType): string;
}

/** Makes the rules of a marker at a place. */
export type RuleFamily = Readonly<Record<string, (marker: Marker, slot: Slot, context: RuleContext) => readonly Rule[]>>;

export const nothing: readonly FieldError[] = Object.freeze([]);

export function child(path: Path, name: string): FieldPath {
  return path === undefined ? FieldPath.root(name) : path.child(name);
}

/** All rules of a value as one check, with only those errors that are binding. */
export function sequence(rules: readonly Rule[]): Check {
  const stopping = rules.filter(({ stops }) => stops);
  // An alpha rule that stops nothing has no effect.
  const others = rules.filter(({ stops, level }) => !stops && level !== 'alpha');
  if (stopping.length === 0 && others.length === 0) return () => nothing;
  return (run, path, value, old) => {
    const errors: FieldError[] = [];
    let stopped = false;
    for (const { level, silent, check } of stopping) {
      const found = check(run, path, value, old);
      if (found.length === 0) continue;
      stopped = true;
      if (!silent && level !== 'alpha') append(errors, found);
    }
    if (stopped) return errors;
    for (const { check } of others) {
      append(errors, check(run, path, value, old));
    }
    return errors;
  };
}
