// Upstream: k8s.io/apimachinery/pkg/util/strategicpatch/patch.go
import type { StructType, Type } from '../../machinery/type-model.ts';
import { goPlain, goType } from '../apply/go-value.ts';
import { isObject, own, setOwn } from '../json/json-object.ts';
import type { JsonObject } from '../json/json-object.ts';
import {
  directiveKey,
  Places,
  setElementOrder,
  checkSetElementOrder,
  identityOf,
  inOrder,
  orderAfterMerge,
  partition,
} from './element-order.ts';
import { badArgument, badPatchType, badPrimitiveList, badRetainKeys, badSetElementOrder, listOfLists, noMergeKey } from './errors.ts';
import { kindName, metaOfList, metaOfObject } from './patch-meta.ts';
import type { PatchMeta } from './patch-meta.ts';

const deleteFromPrimitiveList = '$deleteFromPrimitiveList';
const retainKeysKey = '$retainKeys';

export interface StrategicallyPatched {
  readonly value: JsonObject;
  /** The patch as upstream quotes it when the result does not decode: without what the merge used up. */
  patchText(): string;
}

/** Applies a strategic merge patch. The document is left alone; parts of it may be shared with the result. */
export function applyStrategicMergePatch(document: JsonObject, patch: JsonObject, type: StructType): StrategicallyPatched {
  const copy = copyJson(patch) as JsonObject;
  const value = mergeObject(document, copy, type);
  return { value, patchText: () => goPlain(copy) };
}

function copyJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyJson);
  if (!isObject(value)) return value;
  const copy: JsonObject = {};
  for (const name of Object.keys(value)) setOwn(copy, name, copyJson(value[name]));
  return copy;
}

/** The patch is used up: directives that were followed are taken out of it. */
function mergeObject(original: JsonObject, patch: JsonObject, type: Type): JsonObject {
  const directive = own(patch, directiveKey);
  if (directive === 'replace') {
    delete patch[directiveKey];
    return patch;
  }
  if (directive === 'delete') return {};
  if (directive !== undefined) throw badPatchType(directive, patch);

  const result = retainKeys(original, patch);
  for (const name of Object.keys(patch)) if (name.startsWith(setElementOrder)) mergeOrdered(result, patch, name, type);
  for (const name of Object.keys(patch)) {
    if (name.startsWith(deleteFromPrimitiveList)) deleteFromList(result, patch[name], name, type);
    else mergeField(result, name, patch[name], type);
  }
  return result;
}

/** A copy, without what $retainKeys does not name; all that the patch sets has to be named. */
function retainKeys(original: JsonObject, patch: JsonObject): JsonObject {
  const retained = own(patch, retainKeysKey);
  if (retained === undefined) return { ...original };
  delete patch[retainKeysKey];
  if (!Array.isArray(retained)) throw badRetainKeys();
  const names = new Set<unknown>(retained);
  for (const name of Object.keys(patch)) {
    if (patch[name] === null || name.startsWith(deleteFromPrimitiveList) || name.startsWith(setElementOrder)) continue;
    if (!names.has(name)) throw badRetainKeys();
  }
  const kept: JsonObject = {};
  for (const name of Object.keys(original)) if (names.has(name)) setOwn(kept, name, original[name]);
  return kept;
}

function mergeField(original: JsonObject, name: string, value: unknown, type: Type): void {
  if (value === null) {
    delete original[name];
    return;
  }
  const current = own(original, name);
  if (isObject(current) && isObject(value)) {
    const meta = metaOfObject(type, name);
    setOwn(original, name, meta.strategy === 'replace' ? value : mergeObject(current, value, meta.type));
  } else if (Array.isArray(current) && Array.isArray(value)) {
    const meta = metaOfList(type, name);
    setOwn(original, name, meta.strategy === 'merge' ? mergeList(current, value, meta) : value);
  } else {
    discardNulls(value);
    const kept = withoutDirectives(value);
    if (kept === undefined) delete original[name];
    else setOwn(original, name, kept);
  }
}

function deleteFromList(original: JsonObject, value: unknown, directive: string, type: Type): void {
  const name = directiveTarget(directive, deleteFromPrimitiveList);
  if (name === undefined) throw badPrimitiveList();
  if (value === null) {
    delete original[name];
    return;
  }
  const current = own(original, name);
  if (isObject(current) && isObject(value)) {
    const meta = metaOfObject(type, name);
    setOwn(original, name, meta.strategy === 'replace' ? value : mergeObject(current, value, meta.type));
  } else if (Array.isArray(current) && Array.isArray(value)) {
    const meta = metaOfList(type, name);
    if (current.length === 0 && value.length === 0) return;
    setOwn(original, name, holdsMaps(current, value) ? mergeList(current, value, meta) : without(current, value));
  } else if (current !== undefined && goType(current) === goType(value)) {
    setOwn(original, name, value);
  }
}

function without(list: readonly unknown[], items: readonly unknown[]): unknown[] {
  const gone = new Set(items);
  return list.filter((item) => !gone.has(item));
}

/** The field of `$directive/field`. */
function directiveTarget(directive: string, prefix: string): string | undefined {
  return directive.startsWith(`${prefix}/`) ? directive.slice(prefix.length + 1) : undefined;
}

/** Follows a $setElementOrder list: merges its list, then puts it in order. Both are used up. */
function mergeOrdered(original: JsonObject, patch: JsonObject, directive: string, type: Type): void {
  const order = patch[directive];
  delete patch[directive];
  if (!Array.isArray(order)) throw badArgument('[]interface {}', order);
  const name = directiveTarget(directive, setElementOrder);
  if (name === undefined) throw badSetElementOrder();
  const current = own(original, name);
  const stated = own(patch, name);
  if (current !== undefined && !Array.isArray(current)) throw badArgument('[]interface {}', current);
  if (stated !== undefined && !Array.isArray(stated)) throw badArgument('[]interface {}', stated);
  const meta = metaOfList(type, name);
  checkSetElementOrder(stated ?? [], order, meta.mergeKey);
  if (current === undefined && stated === undefined) return;

  const merged = mergeStated(current, stated, meta);
  const [ours, theirs] = partition(merged, order, meta.mergeKey);
  const kind = { maps: holdsMaps(current ?? [], stated ?? []), mergeKey: meta.mergeKey };
  const merges = kind.maps && meta.strategy === 'merge';
  const server = merges ? orderAfterMerge(current ?? [], stated ?? [], meta.mergeKey) : (current ?? []);
  setOwn(original, name, inOrder({ patch: ours, server: theirs }, { patch: order, server }, kind));
  delete patch[name];
}

function mergeStated(current: unknown[] | undefined, stated: unknown[] | undefined, meta: PatchMeta): unknown[] {
  if (stated === undefined) return current ?? [];
  if (current === undefined) return withoutDirectives(stated) as unknown[];
  return meta.strategy === 'merge' ? mergeList(current, stated, meta) : stated;
}

function mergeList(original: readonly unknown[], patch: readonly unknown[], { type, mergeKey }: PatchMeta): unknown[] {
  if (original.length === 0 && patch.length === 0) return [];
  if (!holdsMaps(original, patch)) {
    const merged = [...new Set([...original, ...patch])];
    const [ours, theirs] = partition(merged, patch, mergeKey);
    return inOrder({ patch: ours, server: theirs }, { patch, server: original }, { maps: false, mergeKey });
  }
  if (mergeKey === '') throw new Error(`cannot merge lists without merge key for ${kindName(type)}`);
  const { live, items } = followDirectives(original as JsonObject[], patch as JsonObject[], mergeKey);
  const merged = mergeItems(live, items, mergeKey, type);
  const [ours, theirs] = partition(merged, items, mergeKey);
  return inOrder({ patch: ours, server: theirs }, { patch: items, server: merged.slice(0, live.length) }, { maps: true, mergeKey });
}

/** Whether the elements of lists are maps, which all of them have to be, or all of one other kind. */
function holdsMaps(...lists: readonly (readonly unknown[])[]): boolean {
  const elements = lists.flat();
  const [first] = elements;
  if (first === undefined) throw new Error('no elements in any of the given slices');
  if (Array.isArray(first)) throw listOfLists();
  const kind = goType(first);
  if (elements.some((element) => goType(element) !== kind)) throw new Error(`list element types are not identical: ${goPlain(lists)}`);
  return isObject(first);
}

/** Takes `$patch` items out of the patch and does what they say. */
function followDirectives(
  original: readonly JsonObject[],
  patch: readonly JsonObject[],
  mergeKey: string,
): { live: readonly JsonObject[]; items: readonly JsonObject[] } {
  const deleted = new Set<unknown>();
  const items: JsonObject[] = [];
  let replace = false;
  for (const item of patch) {
    const directive = own(item, directiveKey);
    if (directive === undefined) items.push(item);
    else if (directive === 'delete') {
      const key = own(item, mergeKey);
      if (key === undefined) throw noMergeKey(item, mergeKey);
      deleted.add(key);
    } else if (directive === 'replace') replace = true;
    else if (directive === 'merge') throw new Error('merging lists cannot yet be specified in the patch');
    else throw badPatchType(directive, item);
  }
  if (replace) return { live: items, items: [] };
  return { live: deleted.size === 0 ? original : original.filter((candidate) => !deleted.has(own(candidate, mergeKey))), items };
}

/** Kept quirk: an item that is new is taken as it stands, with the nulls and directives in it. */
function mergeItems(live: readonly JsonObject[], items: readonly JsonObject[], mergeKey: string, type: Type): JsonObject[] {
  const merged = [...live];
  const places = new Places();
  for (const [index, candidate] of merged.entries()) places.add(identityOf(candidate, mergeKey), index);
  for (const item of items) {
    const key = own(item, mergeKey);
    if (key === undefined) throw noMergeKey(item, mergeKey);
    const index = places.first(key);
    if (index === undefined) places.add(key, merged.push(item) - 1);
    else {
      merged[index] = mergeObject(merged[index]!, item, type);
      // a directive may have taken the key away
      const identity = identityOf(merged[index], mergeKey);
      if (identity !== key) places.move(key, identity, index);
    }
  }
  return merged;
}

/** Nulls in something new would delete nothing. */
function discardNulls(value: unknown): void {
  if (Array.isArray(value)) value.forEach(discardNulls);
  else if (isObject(value)) {
    for (const name of Object.keys(value)) {
      if (value[name] === null) delete value[name];
      else discardNulls(value[name]);
    }
  }
}

/** Undefined for something that is itself a directive. */
function withoutDirectives(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDirectives).filter((item) => item !== undefined);
  if (!isObject(value)) return value;
  if (own(value, directiveKey) !== undefined) return undefined;
  for (const name of Object.keys(value)) {
    const kept = withoutDirectives(value[name]);
    if (kept === undefined) delete value[name];
    else setOwn(value, name, kept);
  }
  return value;
}
