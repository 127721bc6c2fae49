// Upstream: k8s.io/apiserver/pkg/cel/openapi/resolver/{discovery,refs}.go
import type { OpenApiSchema } from '../../cel/schema-types.ts';
import { isReason } from '../../machinery/errors.ts';
import type { GroupVersionKind } from '../../machinery/type-model.ts';
import type { Client } from '../common/client.ts';

/** A schema as the server publishes it: with references to others. */
interface PublishedSchema extends Omit<OpenApiSchema, 'properties' | 'items' | 'additionalProperties'> {
  readonly $ref?: string;
  readonly allOf?: readonly PublishedSchema[];
  readonly properties?: Readonly<Record<string, PublishedSchema>>;
  readonly items?: PublishedSchema;
  readonly additionalProperties?: PublishedSchema | boolean;
  readonly 'x-kubernetes-group-version-kind'?: readonly GroupVersionKind[];
}

type PublishedSchemas = Readonly<Record<string, PublishedSchema>>;

const prefix = '#/components/schemas/';

/** Schemas of kinds from the server's OpenAPI documents, each of which is read once. */
export class KindSchemas {
  readonly #client: Client;
  readonly #documents = new Map<string, Promise<PublishedSchemas>>();

  constructor(client: Client) {
    this.#client = client;
  }

  /** The whole schema; undefined when the server publishes none. */
  async of({ group, version, kind }: GroupVersionKind): Promise<OpenApiSchema | undefined> {
    const path = group === '' ? `api/${version}` : `apis/${group}/${version}`;
    let document = this.#documents.get(path);
    if (document === undefined) this.#documents.set(path, (document = this.#read(path)));
    const schemas = await document;
    const published = Object.values(schemas).find((schema) =>
      schema['x-kubernetes-group-version-kind']?.some((one) => one.group === group && one.version === version && one.kind === kind),
    );
    return published && resolve(published, schemas, new Set());
  }

  async #read(path: string): Promise<PublishedSchemas> {
    try {
      const { components } = (await this.#client.get(`/openapi/v3/${path}`)) as { components?: { schemas?: PublishedSchemas } };
      return components?.schemas ?? {};
    } catch (error) {
      if (isReason(error, 'NotFound')) return {};
      throw error;
    }
  }
}

/** Puts what is referred to in the place of each reference; one that leads back to itself becomes any object. */
function resolve(schema: PublishedSchema, schemas: PublishedSchemas, visited: ReadonlySet<string>): OpenApiSchema {
  const reference = referenceOf(schema);
  if (reference !== undefined) {
    const target = schemas[reference.slice(prefix.length)];
    if (target === undefined) throw new Error(`the OpenAPI document refers to ${reference}, which it does not have`);
    return visited.has(reference) ? { type: 'object' } : resolve(target, schemas, new Set(visited).add(reference));
  }
  const { properties, items, additionalProperties, ...own } = schema;
  const inner = (one: PublishedSchema): OpenApiSchema => resolve(one, schemas, visited);
  return {
    ...own,
    // Built-in types tell by the format what custom resources tell by the extension.
    ...(own.format === 'int-or-string' && { 'x-kubernetes-int-or-string': true }),
    ...(properties && { properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, inner(one)])) }),
    ...(items && { items: inner(items) }),
    ...(additionalProperties !== undefined && {
      additionalProperties: typeof additionalProperties === 'object' ? inner(additionalProperties) : additionalProperties,
    }),
  };
}

/** A reference may be wrapped, so that a description can stand beside it. */
function referenceOf({ $ref, allOf = [] }: PublishedSchema): string | undefined {
  return $ref ?? allOf.map(referenceOf).find((reference) => reference !== undefined);
}
