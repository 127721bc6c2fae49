// Upstream: kube-openapi/pkg/builder3/openapi.go
import type { GroupVersionKind } from '../machinery/type-model.ts';
import type { Descriptions } from './descriptions.ts';
import { operationNames } from './operation-id.ts';
import type { Method, Parameter, Route } from './route.ts';
import { methods } from './route.ts';
import type { SchemaObject } from './schema-object.ts';
import { reference } from './schema-object.ts';

export interface DocumentInfo {
  readonly title: string;
  readonly version: string;
}

export interface DocumentV3 {
  readonly openapi: '3.0.0';
  readonly info: DocumentInfo;
  readonly paths: Readonly<Record<string, object>>;
  readonly components: { readonly schemas?: Readonly<Record<string, SchemaObject>>; readonly securitySchemes?: object };
}

export const securitySchemes = {
  BearerToken: { type: 'apiKey', description: 'Bearer Token authentication', name: 'authorization', in: 'header' },
} as const;

export function documentV3(
  info: DocumentInfo,
  routes: readonly Route[],
  schemas: Readonly<Record<string, SchemaObject>>,
  descriptions: Descriptions,
): DocumentV3 {
  return {
    openapi: '3.0.0',
    info,
    paths: pathItems(
      routes,
      (route, shared) => operation(route, shared, descriptions),
      (parameter) => parameterObject(parameter, descriptions),
    ),
    components: { ...(Object.keys(schemas).length > 0 && { schemas }), securitySchemes },
  };
}

/** Operations by path and method; what all operations of a path take stands once, at the path. */
export function pathItems(
  routes: readonly Route[],
  writeOperation: (route: Route, shared: ReadonlySet<string>) => object,
  writeParameter: (parameter: Parameter) => object,
): Record<string, object> {
  const byPath = new Map<string, Map<Method, Route>>();
  for (const route of routes) {
    let operations = byPath.get(route.path);
    if (operations === undefined) byPath.set(route.path, (operations = new Map()));
    operations.set(route.method, route);
  }
  const paths = [...byPath].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(
    paths.map(([path, operations]) => {
      const common = commonParameters([...operations.values()]);
      const shared = new Set(common.map(keyOf));
      const item: Record<string, unknown> = {};
      for (const method of methods) {
        const route = operations.get(method);
        if (route !== undefined) item[method] = writeOperation(route, shared);
      }
      if (common.length > 0) item['parameters'] = common.map(writeParameter);
      return [path, item];
    }),
  );
}

function commonParameters(routes: readonly Route[]): readonly Parameter[] {
  const [first, ...others] = routes as [Route, ...Route[]];
  return first.parameters.filter((one) => others.every(({ parameters }) => parameters.some((other) => keyOf(other) === keyOf(one))));
}

/** Name and place tell parameters of a path apart. */
export function keyOf({ in: place, name }: Parameter): string {
  return `${place} ${name}`;
}

export function describeParameter({ description }: Parameter, descriptions: Descriptions): string | undefined {
  return typeof description === 'string' ? description : descriptions.ofField(...description);
}

function parameterObject(parameter: Parameter, descriptions: Descriptions): object {
  const description = describeParameter(parameter, descriptions);
  return {
    name: parameter.name,
    in: parameter.in,
    ...(description !== undefined && { description }),
    ...(parameter.in === 'path' && { required: true }),
    schema: { type: parameter.type, uniqueItems: true },
  };
}

function operation(route: Route, shared: ReadonlySet<string>, descriptions: Descriptions): object {
  const { operationId, tags } = operationNames(route.operation, route.path);
  const own = route.parameters.filter((parameter) => !shared.has(keyOf(parameter)));
  return {
    tags,
    ...(route.description !== undefined && { description: route.description }),
    operationId,
    ...(own.length > 0 && { parameters: own.map((parameter) => parameterObject(parameter, descriptions)) }),
    ...(route.reads !== undefined && {
      requestBody: { content: content(route.consumes, route.reads.type), ...(route.reads.required && { required: true }) },
    }),
    responses: Object.fromEntries([
      ...route.responses.map(({ code, description, type }) => [code, { description, content: content(route.produces, type) }] as const),
      [401, { description: 'Unauthorized' }],
    ]),
    ...kubernetesExtensions(route, declaredKind),
  };
}

/** The two forms write a kind in different orders. */
export function kubernetesExtensions({ action, kind }: Route, show: (kind: GroupVersionKind) => GroupVersionKind): object {
  return {
    ...(action !== undefined && { 'x-kubernetes-action': action }),
    ...(kind !== undefined && { 'x-kubernetes-group-version-kind': show(kind) }),
  };
}

export function declaredKind({ group, version, kind }: GroupVersionKind): GroupVersionKind {
  return { group, version, kind };
}

/** In the order of its keys. */
export function shownKind({ group, kind, version }: GroupVersionKind): GroupVersionKind {
  return { group, kind, version };
}

function content(mediaTypes: readonly string[], type: string | undefined): object {
  const schema = type === undefined ? { type: 'string' } : reference('v3', type);
  return Object.fromEntries([...mediaTypes].sort().map((mediaType) => [mediaType, { schema }]));
}
