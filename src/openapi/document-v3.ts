// Upstream: k8s.io/kube-openapi/pkg/builder3/openapi.go
import type { Descriptions } from './descriptions.ts';
import { operationNames } from './operation-id.ts';
import { declaredKind, describeParameter, keyOf, kubernetesExtensions, pathItems } from './path-items.ts';
import type { Parameter, Route } from './route.ts';
import { reference } from './schema-object.ts';

/** Operations by path, as OpenAPI 3 writes them. */
export function pathsV3(routes: readonly Route[], descriptions: Descriptions): Record<string, object> {
  return pathItems(
    routes,
    (route, shared) => operation(route, shared, descriptions),
    (parameter) => parameterObject(parameter, descriptions),
  );
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

function content(mediaTypes: readonly string[], type: string | undefined): object {
  const schema = type === undefined ? { type: 'string' } : reference('v3', type);
  return Object.fromEntries([...mediaTypes].sort().map((mediaType) => [mediaType, { schema }]));
}
