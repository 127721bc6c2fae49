import { deepCopy } from '../../machinery/deep-copy.ts';
import type { Field, StructType, Type } from '../../machinery/type-model.ts';

type JsonObject = Record<string, unknown>;

/** Which fields of a type, at any depth, have a declared default; types without any are not walked. */
interface Plan {
  readonly own: readonly { readonly name: string; readonly value: unknown }[];
  readonly nested: readonly { readonly name: string; readonly into: Descend }[];
}

type Descend = (value: unknown) => void;

/** Fills in what types declare (`+default`). Owns the plans it makes: keep one per server. */
export class DeclaredDefaults {
  readonly #plans = new WeakMap<StructType, Plan | null>();

  /** In place. */
  apply(object: object, type: StructType): void {
    const plan = this.#planOf(type);
    if (plan !== null) apply(object as JsonObject, plan);
  }

  #planOf(type: StructType): Plan | null {
    const known = this.#plans.get(type);
    if (known !== undefined) return known;
    this.#plans.set(type, null); // a type that contains itself: found again below means nothing new
    const own = type.fields.filter(hasDefault).map(({ name, default: value }) => ({ name, value }));
    const nested = type.fields.flatMap(({ name, type: inner }) => {
      const into = this.#descend(inner);
      return into === undefined ? [] : [{ name, into }];
    });
    const plan = own.length === 0 && nested.length === 0 ? null : { own, nested };
    this.#plans.set(type, plan);
    return plan;
  }

  #descend(type: Type): Descend | undefined {
    switch (type.kind) {
      case 'struct': {
        const plan = this.#planOf(type);
        return plan === null ? undefined : (value) => apply(value as JsonObject, plan);
      }
      case 'list': {
        const element = this.#descend(type.element);
        return element === undefined ? undefined : (value) => (value as unknown[]).forEach((item) => item !== null && element(item));
      }
      case 'map': {
        const inner = this.#descend(type.value);
        return inner === undefined
          ? undefined
          : (value) => Object.values(value as JsonObject).forEach((item) => item !== null && inner(item));
      }
      default:
        return undefined;
    }
  }
}

function apply(object: JsonObject, { own, nested }: Plan): void {
  for (const { name, value } of own) {
    if (object[name] === undefined || object[name] === null) object[name] = deepCopy(value);
  }
  for (const { name, into } of nested) {
    const value = object[name];
    if (value !== undefined && value !== null) into(value);
  }
}

/** A declared default that is the zero value says nothing, except for a pointer. */
function hasDefault({ default: value, pointer }: Field): boolean {
  if (value === undefined || value === null) return false;
  if (typeof value === 'object') return Object.keys(value).length > 0;
  return pointer || (value !== '' && value !== 0 && value !== false);
}
