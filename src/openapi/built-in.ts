import type { GroupVersion, GroupVersionKind } from '../machinery/type-model.ts';
import type { Schema } from '../schema/index.ts';
import type { ServedGroupVersion } from '../schema/resources.ts';
import type { CustomKind } from './custom-kind.ts';
import { customRoutes, customTypeName } from './custom-kind.ts';
import { customDefinitions } from './custom-schema.ts';
import type { DefinitionSource } from './definitions.ts';
import { collectDefinitions } from './definitions.ts';
import type { Descriptions } from './descriptions.ts';
import type { DocumentInfo, DocumentLayout } from './document-layout.ts';
import { layoutV2, layoutV3 } from './document-layout.ts';
import type { DocumentPart } from './gnostic/document-tables.ts';
import type { ParameterNames } from './document-v2.ts';
import { pathsV2 } from './document-v2.ts';
import { pathsV3 } from './document-v3.ts';
import { shownKind } from './path-items.ts';
import { resourceRoutes } from './resource-routes.ts';
import type { Route } from './route.ts';
import { mediaRange } from './route.ts';
import type { Form } from './schema-object.ts';
import { discoveryRoute, serverRoutes } from './server-routes.ts';
import type { Place } from './type-kinds.ts';
import { TypeKinds } from './type-kinds.ts';

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const routesAtOnce = 30;

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

/**
 * The documents of everything that is built in, and of custom resources with what they need of it. They come in parts, so that the caller that
 * writes them can let others through in between. Nothing is kept: the handler that serves them keeps bytes.
 */
export class BuiltInDocuments {
  readonly #options: BuiltInOptions;
  readonly #parameterNames: ParameterNames = new Map();
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

  layoutV3(name: string): DocumentLayout {
    return layoutV3(this.#options.info, { schemas: typesOf(this.#routes(name)).size > 0, security: true });
  }

  *v3(name: string): Generator<DocumentPart> {
    const routes = this.#routes(name);
    const groupVersion = this.#options.served.find((one) => nameOf(one) === name);
    for (const some of portions(routes)) yield { paths: pathsV3(some, this.#options.descriptions) };
    yield* this.#collect(typesOf(routes), 'v3', groupVersion ?? { group: '', version: 'v1' });
  }

  get layoutV2(): DocumentLayout {
    return layoutV2(this.#options.info);
  }

  /** Everything in one document; here a type stands for its kinds in every group version. */
  *v2(): Generator<DocumentPart> {
    const { descriptions } = this.#options;
    const found = new Set<string>();
    for (const name of BuiltInDocuments.names(this.#options)) {
      const routes = this.#routes(name);
      for (const some of portions(routes)) yield pathsV2(some, descriptions, this.#parameterNames);
      yield* this.#collect(typesOf(routes), 'v2', 'everything', found);
    }
  }

  readonly customLayoutV3: DocumentLayout = layoutV3(
    { title: 'Kubernetes CRD Swagger', version: 'v0.1.0' },
    { schemas: true, security: false },
  );

  /** What a custom kind brings into the document of its group version, or into the one document. */
  custom(kind: CustomKind, form: Form): DocumentPart {
    const { descriptions } = this.#options;
    const routes = customRoutes(kind);
    const definitions = customDefinitions(kind, form, descriptions);
    return form === 'v2'
      ? { ...pathsV2(routes, descriptions, this.#parameterNames), definitions }
      : { paths: pathsV3(routes, descriptions), definitions };
  }

  /** What custom kinds need beside themselves in the document of their group version. */
  *neededByCustom(kinds: readonly CustomKind[]): Generator<DocumentPart> {
    const own = new Set(kinds.flatMap((kind) => [customTypeName(kind, kind.kind), customTypeName(kind, kind.listKind)]));
    const types = new Set([`${meta}.ObjectMeta`, `${meta}.ListMeta`]);
    for (const kind of kinds) for (const type of typesOf(customRoutes(kind))) types.add(type);
    yield* this.#collect(types, 'v3', 'custom', own);
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

  *#collect(types: Iterable<string>, form: Form, place: Place, found: Set<string> = new Set()): Generator<DocumentPart> {
    const { schema, descriptions, enums } = this.#options;
    const kinds = (this.#kinds ??= new TypeKinds(schema));
    const source: DefinitionSource = {
      form,
      descriptions,
      enums,
      structByName: (name) => schema.structByName(name),
      kindsOf: (type) => kinds.of(type, place).map(shownKind),
    };
    for (const [name, definition] of collectDefinitions(types, source, found)) yield { definitions: { [name]: definition } };
  }
}

export function nameOf({ group, version }: GroupVersion): string {
  return group === '' ? `api/${version}` : `apis/${group}/${version}`;
}

/** Operations of a few paths at a time, whole paths only. */
function* portions(routes: readonly Route[]): Generator<readonly Route[]> {
  const byPath = Map.groupBy(routes, ({ path }) => path);
  let some: Route[] = [];
  for (const operations of byPath.values()) {
    some.push(...operations);
    if (some.length < routesAtOnce) continue;
    yield some;
    some = [];
  }
  if (some.length > 0) yield some;
}

function typesOf(routes: readonly Route[]): Set<string> {
  const types = new Set<string>();
  for (const { reads, responses } of routes) {
    if (reads !== undefined) types.add(reads.type);
    for (const { type } of responses) if (type !== undefined) types.add(type);
  }
  return types;
}
