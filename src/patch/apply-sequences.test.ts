import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ApiError } from '../machinery/errors.ts';
import type { Field, StructType, Type } from '../machinery/type-model.ts';
import { createSchema } from '../schema/index.ts';
import { Shapes } from './apply/shape.ts';
import { FieldManager } from './field-manager.ts';
import { applyMergePatch } from './merge-patch.ts';
import type { ManagedFieldsEntry } from './apply/managed-fields.ts';
import type { JsonObject } from './json/json-object.ts';

interface Step {
  readonly op: 'apply' | 'create' | 'put' | 'merge' | 'reset';
  readonly manager: string;
  readonly force: boolean;
  readonly body: JsonObject;
  readonly status: number;
  readonly object?: JsonObject & { metadata: { managedFields?: ManagedFieldsEntry[] } };
  readonly message?: string;
  readonly causes?: readonly { message: string; field: string }[];
}

interface Schema {
  readonly type?: 'string' | 'integer' | 'boolean' | 'array' | 'object';
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
  readonly items?: Schema;
  readonly default?: unknown;
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map';
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: 'granular' | 'atomic';
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
}

/**
 * What the real server returned for writes by several managers to a custom resource with every kind of list and map: its schema, then a
 * sequence of writes per line.
 */
const [schemaLine, ...sequenceLines] = readFileSync(new URL('testdata/apply-sequences.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n');
const recordedSchema = JSON.parse(schemaLine!) as Schema;
const sequences = sequenceLines.map((line) => JSON.parse(line) as readonly Step[]);

function typeOf(schema: Schema): Type {
  switch (schema.type) {
    case 'string':
      return { kind: 'scalar', scalar: 'string' };
    case 'integer':
      return { kind: 'scalar', scalar: 'int64' };
    case 'boolean':
      return { kind: 'scalar', scalar: 'bool' };
    case 'array':
      return { kind: 'list', element: typeOf(schema.items!) };
    case 'object':
      return schema.additionalProperties === undefined ? structOf(schema) : { kind: 'map', value: typeOf(schema.additionalProperties) };
    default:
      return { kind: 'scalar', scalar: 'intOrString' };
  }
}

function structOf(schema: Schema, more: readonly Field[] = []): StructType {
  const fields = [...Object.entries(schema.properties ?? {}).map(([name, inner]) => fieldOf(name, inner)), ...more];
  return {
    kind: 'struct',
    name: 'Thing',
    fields,
    byName: new Map(fields.map((field) => [field.name, field])),
    proto: [],
    atomic: schema['x-kubernetes-map-type'] === 'atomic',
    preserveUnknown: schema['x-kubernetes-preserve-unknown-fields'] === true,
  };
}

function fieldOf(name: string, schema: Schema): Field {
  return {
    name,
    type: typeOf(schema),
    pointer: true,
    omit: 'empty',
    optional: true,
    required: false,
    ...(schema.default !== undefined && { default: schema.default }),
    ...(schema['x-kubernetes-list-type'] && { listType: schema['x-kubernetes-list-type'] }),
    ...(schema['x-kubernetes-list-map-keys'] && { listMapKeys: schema['x-kubernetes-list-map-keys'] }),
    ...(schema['x-kubernetes-map-type'] && { mapType: schema['x-kubernetes-map-type'] }),
  };
}

const metadata: Field = {
  name: 'metadata',
  type: createSchema().structByName('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta')!,
  pointer: false,
  omit: 'empty',
  optional: true,
  required: false,
};
const string: Schema = { type: 'string' };
const type = structOf({ properties: { apiVersion: string, kind: string, spec: recordedSchema } }, [metadata]);
const manager = new FieldManager({
  shapes: new Shapes(),
  gvk: { group: 'oracle.dev', version: 'v1', kind: 'Thing' },
  type,
  unstructured: true,
});

/** What the server does after the field manager: the one default of the schema. */
function defaulted(object: JsonObject): JsonObject {
  const spec = object['spec'] as { lm?: { ports?: { proto?: string }[] }[] } | null | undefined;
  for (const item of spec?.lm ?? []) for (const port of item.ports ?? []) port.proto ??= 'TCP';
  return object;
}

/** The response, without what the server alone decides. */
function bare(object: JsonObject): unknown {
  const { uid: _uid, resourceVersion: _version, ...meta } = object['metadata'] as JsonObject;
  return { ...object, metadata: meta };
}

function write(step: Step, live: JsonObject | undefined, now: string): JsonObject {
  const body = structuredClone(step.body);
  if (step.op === 'apply') {
    const request = { live, config: body, manager: step.manager, force: step.force, now };
    return defaulted(structuredClone(manager.apply(request).object));
  }
  const patched = step.op === 'merge' || step.op === 'reset';
  const next = defaulted(patched ? structuredClone(applyMergePatch(live!, body, { typed: true }).value as JsonObject) : body);
  if (live !== undefined) (next['metadata'] as JsonObject)['uid'] = 'u';
  manager.update({ live, next, manager: step.manager, now });
  return next;
}

for (const [index, steps] of sequences.entries()) {
  test(`recorded sequence ${index} (${steps.map(({ op }) => op).join(', ')}) gives the same objects and managers`, () => {
    let live: JsonObject | undefined;
    for (const step of steps) {
      const times = (step.object?.metadata.managedFields ?? []).map(({ time }) => time ?? '').toSorted();
      const now = times.at(-1) ?? '';
      if (step.object === undefined) {
        assert.throws(
          () => write(step, live, now),
          (error: Error) => {
            assert.equal(error.message, step.message);
            const causes = error instanceof ApiError ? error.status.details?.causes : undefined;
            assert.deepEqual(sorted(causes), sorted(step.causes));
            return true;
          },
        );
        continue;
      }
      assert.deepEqual(bare(write(step, live, now)), bare(step.object));
      live = step.object;
    }
  });
}

/** Upstream lists conflicts of several managers in no particular order. */
function sorted(causes: readonly { message?: string; field?: string }[] | undefined): string[] | undefined {
  return causes?.map(({ message, field }) => `${field} ${message}`).toSorted();
}
