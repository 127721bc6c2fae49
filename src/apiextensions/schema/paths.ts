import { FieldPath } from '../../machinery/field.ts';

/** Paths of values begin nowhere: the root of an object has no name. */
export function childPath(path: FieldPath | undefined, name: string): FieldPath {
  return path === undefined ? FieldPath.root(name) : path.child(name);
}

/** A map key at the root reads `[key]`. */
export function keyPath(path: FieldPath | undefined, key: string): FieldPath {
  return path === undefined ? FieldPath.root(`[${key}]`) : path.key(key);
}

export function indexPath(path: FieldPath | undefined, index: number): FieldPath {
  return path === undefined ? FieldPath.root(`[${index}]`) : path.index(index);
}
