import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { BuiltInDocuments } from '../../src/openapi/built-in.ts';
import { noDescriptions } from '../../src/openapi/descriptions.ts';
import { documentBytes } from '../../src/openapi/document-bytes.ts';
import { createSchema } from '../../src/schema/index.ts';
import { servedGroupVersions } from '../../src/schema/resources.ts';
import { moduleDirectories } from './module-directories.ts';

const folder = join(moduleDirectories()['k8s.io/kubernetes'], 'api/openapi-spec');

/** as upstream makes its documents: everything on, but for the values of enums */
const documents = new BuiltInDocuments({
  schema: createSchema(),
  served: servedGroupVersions(),
  descriptions: noDescriptions,
  info: { title: 'Kubernetes', version: 'unversioned' },
  cbor: true,
  enums: false,
  logs: true,
});

for (const file of readdirSync(join(folder, 'v3'))) {
  const name = file.replace('_openapi.json', '').replaceAll('__', '/');
  test(`the document ${name} is what upstream publishes, but for prose`, () => {
    const published = JSON.parse(readFileSync(join(folder, 'v3', file), 'utf8')) as unknown;
    assert.deepEqual(
      withoutProse(JSON.parse(documentBytes('v3', documents.layoutV3(name), documents.v3(name), 'json').toString())),
      withoutProse(published),
    );
  });
}

test('the document of OpenAPI 2 is what upstream publishes, but for prose', () => {
  const published = JSON.parse(readFileSync(join(folder, 'swagger.json'), 'utf8')) as Swagger;
  const ours = JSON.parse(documentBytes('v2', documents.layoutV2, documents.v2(), 'json').toString()) as Swagger;
  assert.deepEqual(withoutProse(inlined(ours)), withoutProse(inlined(published)));
});

type Json = { readonly [key: string]: unknown };
type Swagger = Json & { readonly parameters: Json };

/** Without descriptions, and without the `allOf` that a reference needs to stand beside one. */
function withoutProse(value: unknown, properties = false): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutProse(one));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key, one]) => properties || key !== 'description' || typeof one !== 'string');
  const out: Record<string, unknown> = Object.fromEntries(kept.map(([key, one]) => [key, withoutProse(one, key === 'properties')]));
  const { allOf } = out;
  return Array.isArray(allOf) && allOf.length === 1 && Object.keys(out).length === 1 ? allOf[0] : out;
}

/** Names of shared parameters are hashes of their content, prose included: here they stand where they are used. */
function inlined({ parameters, ...document }: Swagger): unknown {
  const replace = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(replace);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref } = value as { readonly $ref?: unknown };
    if (typeof $ref === 'string' && $ref.startsWith('#/parameters/')) return parameters[$ref.slice('#/parameters/'.length)];
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, replace(one)]));
  };
  return replace(document);
}
