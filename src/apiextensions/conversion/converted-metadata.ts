// Upstream: k8s.io/apiextensions-apiserver/pkg/apiserver/conversion/webhook_converter.go#restoreObjectMeta
import { FieldPath, aggregateMessage } from '../../machinery/field.ts';
import { validateAnnotations, validateLabels } from '../../machinery/object-meta-validation.ts';
import type { ObjectMeta } from '../../machinery/object-meta.ts';
import { isObject } from '../../patch/json/json-object.ts';
import type { JsonObject } from '../../patch/json/json-object.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import { goType } from '../schema/go-value.ts';

type Restored = { readonly metadata: ObjectMeta } | { readonly fault: string };

/** Of the metadata a webhook may change labels and annotations; the rest is what it was. */
export function restoreMetadata({ metadata: original }: KubeObject, converted: JsonObject): Restored {
  const returned = converted['metadata'];
  if (returned === undefined) return { fault: 'missing metadata in converted object' };
  if (!isObject(returned)) return { fault: `invalid metadata of type ${goType(returned)} in converted object` };
  const { labels: _labels, annotations: _annotations, ...metadata } = original;
  const restored: ObjectMeta = { ...metadata };
  for (const field of ['labels', 'annotations'] as const) {
    const value = returned[field];
    if (value === undefined || value === null) continue;
    const fault = faultIn(field, value);
    if (fault !== undefined) return { fault };
    restored[field] = value as Record<string, string>;
  }
  return { metadata: restored };
}

function faultIn(field: 'labels' | 'annotations', value: unknown): string | undefined {
  if (!isObject(value)) return `invalid metadata.${field} of type ${goType(value)} in converted object`;
  const odd = Object.entries(value).find(([, text]) => typeof text !== 'string');
  if (odd !== undefined) return `metadata.${field}[${odd[0]}] must be a string, but is ${goType(odd[1])} in converted object`;
  const texts = value as Record<string, string>;
  // A quirk: the path of annotations is not theirs.
  const errors =
    field === 'labels'
      ? validateLabels(texts, FieldPath.root('metadata').child('labels'))
      : validateAnnotations(texts, FieldPath.root('metadata').child('annotation'));
  return errors.length === 0 ? undefined : aggregateMessage(errors);
}
