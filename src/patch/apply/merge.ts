// Upstream: sigs.k8s.io/structured-merge-diff/v6/typed/merge.go
import { isBlank, isObject, own, setOwn } from '../json/json-object.ts';
import type { JsonObject } from '../json/json-object.ts';
import { itemElement } from './list-element.ts';
import { fieldShape } from './shape.ts';
import type { ListShape, MapShape, Shape } from './shape.ts';

/** The live object with what the configuration states put over it. Nothing is removed; parts of both may be shared. */
export function mergeObjects(shape: Shape, live: JsonObject, config: JsonObject): JsonObject {
  return mergeValues(shape, live, config) as JsonObject;
}

/** Undefined where nothing comes of it. */
function mergeValues(shape: Shape, live: unknown, config: unknown): unknown {
  if (config === undefined) return live;
  if (live === undefined) return config;
  const { map, list } = shape;
  // Null takes the form that the other side has.
  if (map !== undefined && (isObject(config) || (config === null && (isObject(live) || list === undefined)))) {
    return mergeMaps(map, live, config);
  }
  if (list !== undefined && (Array.isArray(config) || (config === null && Array.isArray(live)))) return mergeLists(list, live, config);
  return config;
}

function mergeMaps(map: MapShape, live: unknown, config: unknown): unknown {
  const left = isObject(live) ? live : undefined;
  const right = isObject(config) ? config : undefined;
  if (map.atomic || (isBlank(left) && isBlank(right))) return config;
  if (right === undefined) return left;
  const out: JsonObject = {};
  let filled = false;
  const put = (name: string, value: unknown): void => {
    if (value === undefined) return;
    setOwn(out, name, value);
    filled = true;
  };
  for (const name in left) {
    const stated = own(right, name);
    put(name, stated === undefined ? left[name] : mergeValues(fieldShape(map, name)!, left[name], stated));
  }
  for (const name in right) if (own(left, name) === undefined) put(name, right[name]);
  return filled ? out : undefined;
}

/** Items keep the order of the configuration where it states them; the others stay between the neighbours that they had. */
function mergeLists(list: ListShape, live: unknown, config: unknown): unknown {
  const left = Array.isArray(live) ? live : [];
  const right = Array.isArray(config) ? config : [];
  if (list.atomic || (left.length === 0 && right.length === 0)) return config;
  if (right.length === 0) return left;
  const ours = left.map((item) => itemElement(list, item));
  const theirs = right.map((item) => itemElement(list, item));
  const liveItems = new Map<string, unknown>();
  // Duplicates are not merged into: what is stated takes their place.
  for (const [i, element] of ours.entries()) liveItems.set(element, liveItems.has(element) ? null : left[i]);
  const stated = new Map(theirs.map((element, i) => [element, right[i] as unknown]));
  const shared = theirs.filter((element) => liveItems.has(element));

  const out: unknown[] = [];
  const merged = new Set<string>();
  let next = 0;
  const take = (element: string): void => {
    merged.add(element);
    const value = mergeValues(list.element, liveItems.get(element), stated.get(element));
    if (value !== undefined) out.push(value);
    if (shared[next] === element) next++;
  };
  let l = 0;
  let r = 0;
  while (l < ours.length || r < theirs.length) {
    const mine = ours[l];
    if (mine !== undefined && r < theirs.length) {
      if (mine === theirs[r]) {
        take(mine);
        l++;
        r++;
        continue;
      }
      // Stated too, but its turn has not come.
      if (stated.has(mine) && next < shared.length && shared[next] !== mine) {
        l++;
        continue;
      }
    }
    if (mine !== undefined) {
      if (!stated.has(mine)) {
        out.push(left[l]);
        l++;
        continue;
      }
      if (merged.has(mine)) l++;
    }
    if (r < theirs.length) take(theirs[r++]!);
  }
  return out.length > 0 ? out : undefined;
}
