// Upstream: k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch/smd.go#findAtomics
import { isObject } from '../json/json-object.ts';
import type { Shape } from './shape.ts';

/** Paths of atomic lists, maps and structs in a configuration: applying it would replace them as a whole. */
export function atomicPaths(shape: Shape | undefined, value: unknown, path = ''): string[] {
  if (isObject(value) && shape?.map !== undefined) {
    const { atomic, fields } = shape.map;
    const inner = Object.keys(value).flatMap((name) => atomicPaths(fields?.get(name)?.shape, value[name], `${path}.${name}`));
    return atomic ? [path, ...inner] : inner;
  }
  if (Array.isArray(value) && shape?.list !== undefined) {
    const { atomic, element } = shape.list;
    const inner = value.flatMap((item, i) => atomicPaths(element, item, `${path}[${i}]`));
    return atomic ? [path, ...inner] : inner;
  }
  return [];
}
