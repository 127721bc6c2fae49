// Upstream: k8s.io/apimachinery/pkg/util/managedfields/internal/{lastapplied,lastappliedmanager,lastappliedupdater}.go
import { parseJson } from '../machinery/codec/json/parse.ts';
import { goJson } from '../machinery/go-format.ts';
import { compareObjects } from './apply/compare.ts';
import { difference } from './apply/field-set.ts';
import type { FieldSet } from './apply/field-set.ts';
import { fieldSetOf } from './apply/field-set-of.ts';
import { ElementError } from './apply/list-element.ts';
import { compareStrings } from './apply/path-element.ts';
import type { Shape } from './apply/shape.ts';
import { ShapeError, validateShape } from './apply/validate.ts';
import { isObject, setOwn } from './json/json-object.ts';
import type { JsonObject } from './json/json-object.ts';

/** Where kubectl's client-side apply keeps what it applied last. */
export const lastAppliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration';
/** Only kubectl's own server-side apply reads and writes the annotation; any other manager opts out by its name. */
export const lastAppliedManager = 'kubectl';
const maxAnnotationsBytes = 256 * 1024;

/**
 * The fields that client-side apply set and that still have the value that it gave them: server-side apply by kubectl may take those
 * over. Undefined where the annotation is missing or makes no sense.
 */
export function fieldsLastApplied(shape: Shape, apiVersion: string, live: JsonObject): FieldSet | undefined {
  const text = lastApplied(live);
  if (text === undefined) return undefined;
  try {
    const applied = parseJson(text);
    if (!isObject(applied) || applied['apiVersion'] !== apiVersion) return undefined;
    validateShape(shape, live, { allowDuplicates: false });
    validateShape(shape, applied, { allowDuplicates: false });
    const { changed, removed } = compareObjects(shape, applied, live);
    return difference(difference(fieldSetOf(shape, applied), changed), removed);
  } catch (error) {
    // Whatever the annotation holds is the user's; if it does not fit, nothing is taken over.
    if (!(error instanceof ShapeError || error instanceof ElementError || error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

function lastApplied(object: JsonObject): string | undefined {
  const metadata = object['metadata'];
  const annotations = isObject(metadata) ? metadata['annotations'] : undefined;
  const text = isObject(annotations) ? annotations[lastAppliedAnnotation] : undefined;
  return typeof text === 'string' && text !== '' ? text : undefined;
}

/** The object with its annotation, if it has one, brought up to date, so that client-side apply can go on from there. */
export function withLastApplied(object: JsonObject, config: JsonObject): JsonObject {
  if (lastApplied(object) === undefined) return object;
  const metadata = object['metadata'] as JsonObject;
  const annotations: JsonObject = { ...(metadata['annotations'] as JsonObject), [lastAppliedAnnotation]: lastAppliedText(config) };
  if (annotationsSize(annotations) > maxAnnotationsBytes) delete annotations[lastAppliedAnnotation];
  return { ...object, metadata: { ...metadata, annotations } };
}

function lastAppliedText(config: JsonObject): string {
  const metadata = config['metadata'];
  const annotations = isObject(metadata) ? metadata['annotations'] : undefined;
  if (!isObject(metadata) || !isObject(annotations)) return `${goJson(sorted(config))}\n`;
  const { [lastAppliedAnnotation]: _, ...rest } = annotations;
  return `${goJson(sorted({ ...config, metadata: { ...metadata, annotations: rest } }))}\n`;
}

function annotationsSize(annotations: JsonObject): number {
  return Object.entries(annotations).reduce((size, [name, value]) => size + Buffer.byteLength(name) + Buffer.byteLength(String(value)), 0);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const out: JsonObject = {};
  for (const name of Object.keys(value).sort(compareStrings)) setOwn(out, name, sorted(value[name]));
  return out;
}
