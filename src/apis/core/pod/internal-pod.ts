// Upstream: k8s.io/kubernetes/pkg/apis/core/types.go, k8s.io/apimachinery/pkg/util/diff/diff.go
// Pods as upstream holds them in memory: what messages about refused updates show, and by what it tells one spec from another.
import { isDistinct } from '../../../machinery/go-distinctions.ts';
import { deepEqual } from '../../../machinery/deep-equal.ts';
import { Quantity } from '../../../machinery/quantity.ts';
import { unifiedDiff } from '../../common/unified-diff.ts';
import { internalShapes } from './internal-shapes.generated.ts';

type Members = Readonly<Record<string, unknown>>;

interface ShapeField {
  readonly shown: string;
  readonly path: readonly string[];
  readonly kind: string;
  readonly omitEmpty: boolean;
}

/** The table of shapes, read as far as it is needed, and how many items of lists are still shown. */
class Shapes {
  readonly #known = new Map<string, readonly ShapeField[]>();
  #items: number;

  constructor(items = Infinity) {
    this.#items = items;
  }

  fieldsOf(type: string): readonly ShapeField[] {
    let fields = this.#known.get(type);
    if (fields === undefined) {
      fields = (internalShapes[type] ?? []).map((row) => {
        const [shown = '', path = '', kind = '', omit] = row.split(' ');
        return { shown, path: path.split('.'), kind, omitEmpty: omit !== undefined };
      });
      this.#known.set(type, fields);
    }
    return fields;
  }

  shown<T>(items: readonly T[]): readonly T[] {
    const shown = items.length <= this.#items ? items : items.slice(0, this.#items);
    this.#items -= shown.length;
    return shown;
  }
}

function memberOf(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((owner, name) => (owner as Members | undefined)?.[name], value);
}

/** A list or a map that was given as empty shows as such. */
function emptyAt(value: unknown, path: readonly string[], kind: string): unknown {
  const owner = memberOf(value, path.slice(0, -1));
  if (typeof owner !== 'object' || owner === null || !isDistinct(owner, path.at(-1) ?? '')) return undefined;
  return kind.startsWith('{') ? {} : [];
}

const scalarZeros: Readonly<Record<string, unknown>> = { s: '', b: false, n: 0, q: '0', j: null };

/** A value of the API in its internal form; `kind` as in the table of shapes. */
export function toInternal(value: unknown, kind: string, shapes = new Shapes()): unknown {
  const inner = kind.slice(1);
  switch (kind[0]) {
    case '?':
      return value === undefined || value === null ? null : toInternal(value, inner, shapes);
    case '[':
      return value === undefined || value === null
        ? null
        : shapes.shown(value as readonly unknown[]).map((item) => toInternal(item, inner, shapes));
    case '{':
      if (value === undefined || value === null) return null;
      return Object.fromEntries(
        Object.keys(value)
          .sort()
          .map((key) => [key, toInternal((value as Members)[key], inner, shapes)]),
      );
    default:
      break;
  }
  if (kind in scalarZeros) return value === undefined || value === null ? scalarZeros[kind] : scalar(value);
  const shown: Record<string, unknown> = {};
  for (const { shown: name, path, kind: of, omitEmpty } of shapes.fieldsOf(kind)) {
    const member = toInternal(memberOf(value, path) ?? emptyAt(value, path, of), of, shapes);
    if (!omitEmpty || !isEmpty(member)) shown[name] = member;
  }
  return shown;
}

/** Numbers beyond 2^53 come as bigints; in a message about a refused change their last digits do not matter. */
function scalar(value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || value === 0 || value === false || (Array.isArray(value) && value.length === 0);
}

const htmlEscapes: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

/** Items of a spec that a message shows: no client reads more of them. */
const mostShown = 2000;

function printed(value: unknown, type: string): string {
  return JSON.stringify(toInternal(value, type, new Shapes(mostShown)), undefined, 1).replace(
    /[<>&\u2028\u2029]/g,
    (character) => htmlEscapes[character] as string,
  );
}

/** What changed, line by line. */
export function internalDiff(old: unknown, changed: unknown, type: 'PodSpec' | 'EphemeralContainer'): string {
  return unifiedDiff(printed(old, type), printed(changed, type));
}

/** Equal in meaning: empty lists and maps are as none, quantities count by their amount. Most that are equal are so to the letter. */
export function internallyEqual(left: unknown, right: unknown, kind: string): boolean {
  return deepEqual(left, right) || equalAs(left, right, kind, new Shapes());
}

function equalAs(left: unknown, right: unknown, kind: string, shapes: Shapes): boolean {
  if (left === right) return true;
  const inner = kind.slice(1);
  switch (kind[0]) {
    case '?':
      if (isNone(left) || isNone(right)) return isNone(left) && isNone(right);
      return equalAs(left, right, inner, shapes);
    case '[': {
      const [one, other] = [(left ?? []) as readonly unknown[], (right ?? []) as readonly unknown[]];
      return one.length === other.length && one.every((item, index) => equalAs(item, other[index], inner, shapes));
    }
    case '{': {
      const [one, other] = [(left ?? {}) as Members, (right ?? {}) as Members];
      const keys = Object.keys(one);
      if (keys.length !== Object.keys(other).length) return false;
      return keys.every((key) => Object.hasOwn(other, key) && equalAs(one[key], other[key], inner, shapes));
    }
    default:
      break;
  }
  if (kind === 'q') return Quantity.parse((left ?? '0') as string).equals(Quantity.parse((right ?? '0') as string));
  if (kind in scalarZeros) return (left ?? scalarZeros[kind]) === (right ?? scalarZeros[kind]);
  return shapes.fieldsOf(kind).every(({ path, kind: of }) => equalAs(memberOf(left, path), memberOf(right, path), of, shapes));
}

function isNone(value: unknown): boolean {
  return value === undefined || value === null;
}
