import type { GroupVersion, GroupVersionKind } from '../machinery/type-model.ts';
import type { Schema } from '../schema/index.ts';
import type { ServedGroupVersion } from '../schema/resources.ts';
import type { CustomKind } from './custom-kind.ts';
import { customRoutes } from './custom-kind.ts';
import { customDefinitions } from './custom-schema.ts';
import type { DefinitionSource } from './definitions.ts';
import { collectDefinitions } from './definitions.ts';
import type { Descriptions } from './descriptions.ts';
import type { DocumentV2 } from './document-v2.ts';
import { documentV2 } from './document-v2.ts';
import type { DocumentInfo, DocumentV3 } from './document-v3.ts';
import { documentV3, shownKind } from './document-v3.ts';
import { resourceRoutes } from './resource-routes.ts';
import type { Route } from './route.ts';
import { mediaRange } from './route.ts';
import type { Form, SchemaObject } from './schema-object.ts';
import { discoveryRoute, serverRoutes } from './server-routes.ts';
import type { Place } from './type-kinds.ts';
import { TypeKinds } from './type-kinds.ts';

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';

export interface BuiltInOptions {
  readonly schema: Schema;
  readonly served: readonly ServedGroupVersion[];
  readonly descriptions: Descriptions;
  readonly info: DocumentInfo;
  /** CBOR is among the media types when its feature gate is on */
  readonly cbor: boolean;
  /** feature gate OpenAPIEnums */
  readonly enums: boolean;
  /** --enable-logs-handler */
  readonly logs?: boolean;
}

/** The documents of everything that is built in. Nothing is kept: whoever serves them keeps bytes. */
export class BuiltInDocuments {
  readonly #options: BuiltInOptions;
  #kinds: TypeKinds | undefined;

  constructor(options: BuiltInOptions) {
    this.#options = options;
  }

  /** `api`, `api/v1`, `apis/apps`, `apis/apps/v1`, `version`, ... */
  static names({ served, logs }: Pick<BuiltInOptions, 'served' | 'logs'>): readonly string[] {
    const groups = new Set(served.filter(({ group }) => group !== '').map(({ group }) => `apis/${group}`));
    const plain = Object.keys(serverRoutes).filter((name) => name !== 'logs' || logs === true);
    return ['api', 'apis', ...groups, ...served.map(nameOf), ...plain].sort();
  }

  v3(name: string): DocumentV3 {
    const routes = this.#routes(name);
    const groupVersion = this.#options.served.find((one) => nameOf(one) === name);
    return documentV3(
      this.#options.info,
      routes,
      this.#definitions(routes, 'v3', groupVersion ?? { group: '', version: 'v1' }),
      this.#options.descriptions,
    );
  }

  /** The document of a group version of custom resources. */
  custom(kinds: readonly CustomKind[]): DocumentV3 {
    const { descriptions } = this.#options;
    const routes = kinds.flatMap(customRoutes);
    const own = Object.assign({}, ...kinds.map((kind) => customDefinitions(kind, 'v3', descriptions))) as Record<string, SchemaObject>;
    const needed = [...typesOf(routes), `${meta}.ObjectMeta`, `${meta}.ListMeta`].filter((type) => !Object.hasOwn(own, type));
    const schemas = { ...own, ...this.#collect(needed, 'v3', 'custom') };
    const { components, ...document } = documentV3(
      { title: 'Kubernetes CRD Swagger', version: 'v0.1.0' },
      routes,
      inOrder(schemas),
      descriptions,
    );
    return { ...document, components: { schemas: components.schemas ?? {} } };
  }

  /** Everything in one document, custom resources too; here a type stands for its kinds in every group version. */
  v2(kinds: readonly CustomKind[] = []): DocumentV2 {
    const { info, descriptions } = this.#options;
    const builtIn = BuiltInDocuments.names(this.#options).flatMap((name) => this.#routes(name));
    const definitions = this.#definitions(builtIn, 'v2', 'everything');
    for (const kind of kinds) Object.assign(definitions, customDefinitions(kind, 'v2', descriptions));
    return documentV2(info, [...builtIn, ...kinds.flatMap(customRoutes)], inOrder(definitions), descriptions);
  }

  #routes(name: string): Route[] {
    const { served, cbor } = this.#options;
    const plain = serverRoutes[name];
    if (plain !== undefined) return [...plain];
    const media = mediaRange(cbor);
    const discovery = discoveryRoute(name, media);
    const groupVersion = served.find((one) => nameOf(one) === name);
    if (groupVersion === undefined) return [discovery];
    const context = {
      group: groupVersion.group,
      version: groupVersion.version,
      media,
      cbor,
      typeName: (kind: GroupVersionKind) => this.#typeName(kind),
      listTypeName: (kind: GroupVersionKind) => this.#typeName({ ...kind, kind: `${kind.kind}List` }),
    };
    return [discovery, ...groupVersion.resources.flatMap((resource) => resourceRoutes(resource, context))];
  }

  #typeName(kind: GroupVersionKind): string {
    const type = this.#options.schema.typeOf(kind);
    if (type === undefined) throw new Error(`the schema has no ${kind.group}/${kind.version} ${kind.kind}`);
    return type.name;
  }

  #definitions(routes: readonly Route[], form: Form, place: Place): Record<string, SchemaObject> {
    return this.#collect(typesOf(routes), form, place);
  }

  #collect(types: Iterable<string>, form: Form, place: Place): Record<string, SchemaObject> {
    const { schema, descriptions, enums } = this.#options;
    const kinds = (this.#kinds ??= new TypeKinds(schema));
    const source: DefinitionSource = {
      form,
      descriptions,
      enums,
      structByName: (name) => schema.structByName(name),
      kindsOf: (type) => kinds.of(type, place).map(shownKind),
    };
    return collectDefinitions(types, source);
  }
}

export function nameOf({ group, version }: GroupVersion): string {
  return group === '' ? `api/${version}` : `apis/${group}/${version}`;
}

function inOrder<T>(object: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
}

export function typesOf(routes: readonly Route[]): Set<string> {
  const types = new Set<string>();
  for (const { reads, responses } of routes) {
    if (reads !== undefined) types.add(reads.type);
    for (const { type } of responses) if (type !== undefined) types.add(type);
  }
  return types;
}
