// Upstream: k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting/{prune,surroundingobject}.go
import { deepCopy } from '../../machinery/deep-copy.ts';
import type { SchemaNode } from './node.ts';
import { defaultedOf, isJsonObject } from './node.ts';
import type { ObjectMetas } from './object-meta.ts';
import { prune } from './pruning.ts';

/** From the root's object to a value: names of fields, and true for an item of a list. */
type Steps = readonly (string | true)[];

/**
 * The schema with defaults that metadata of embedded resources could not have taken out. The author of the definition may have known
 * fields of metadata that this server does not.
 */
export function withPrunedDefaults(root: SchemaNode, metas: ObjectMetas): SchemaNode {
  const pruned = (value: unknown, steps: Steps): unknown => {
    let object: unknown = deepCopy(value);
    for (const step of steps.toReversed()) object = step === true ? [object] : { [step]: object };
    metas.coerce(undefined, object, root, { strict: false, dropInvalid: true });
    prune(object, root, false);
    for (const step of steps) {
      object = step === true ? (Array.isArray(object) ? object[0] : undefined) : isJsonObject(object) ? object[step] : undefined;
    }
    return object ?? undefined;
  };
  const visit = (node: SchemaNode, steps: Steps): SchemaNode => {
    const own = node.default === undefined ? undefined : pruned(node.default, steps);
    if (!node.hasDefaults) return own === node.default ? node : { ...node, default: own };
    const properties = new Map([...node.properties].map(([name, property]) => [name, visit(property, [...steps, name])] as const));
    const additional = node.additional && visit(node.additional, [...steps, '*']);
    const items = node.items && visit(node.items, [...steps, true]);
    return { ...node, default: own, properties, defaulted: defaultedOf(properties), additional, items };
  };
  return visit(root, []);
}
