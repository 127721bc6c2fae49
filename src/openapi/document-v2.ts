// Upstream: k8s.io/kube-openapi/pkg/builder/{openapi,parameters}.go
import type { Descriptions } from './descriptions.ts';
import type { DocumentPart } from './gnostic/document-tables.ts';
import { declaredKind, describeParameter, keyOf, kubernetesExtensions, pathItems, shownKind } from './path-items.ts';
import { operationNames } from './operation-id.ts';
import type { Parameter, Route } from './route.ts';
import type { SchemaObject } from './schema-object.ts';
import { reference } from './schema-object.ts';
import { parameterHash } from './parameter-hash.ts';

/** Operations by path and the parameters that they share, as OpenAPI 2 writes them. */
export function pathsV2(routes: readonly Route[], descriptions: Descriptions, names: ParameterNames): DocumentPart {
  const shared = new SharedParameters(names);
  const paths = pathItems(
    routes,
    (route, common) => operation(route, common, descriptions, shared),
    (parameter) => shared.use(parameterObject(parameter, descriptions)),
  );
  return { paths, parameters: Object.fromEntries(shared.byName) };
}

interface ParameterObject {
  readonly name: string;
  readonly in: string;
  readonly schema?: SchemaObject;
}

function parameterObject(parameter: Parameter, descriptions: Descriptions): ParameterObject {
  const description = describeParameter(parameter, descriptions);
  return {
    uniqueItems: true,
    type: parameter.type,
    ...(description !== undefined && { description }),
    name: parameter.name,
    in: parameter.in,
    ...(parameter.in === 'path' && { required: true }),
  } as ParameterObject;
}

function operation(route: Route, common: ReadonlySet<string>, descriptions: Descriptions, shared: SharedParameters): object {
  const { operationId, tags } = operationNames(route.operation, route.path);
  const own: ParameterObject[] = route.parameters
    .filter((parameter) => !common.has(keyOf(parameter)))
    .map((parameter) => parameterObject(parameter, descriptions));
  if (route.reads !== undefined) {
    const { type, required } = route.reads;
    const body = { name: 'body', in: 'body', ...(required && { required }), schema: reference('v2', type) };
    const place = own.findIndex(({ name }) => name > 'body');
    own.splice(place < 0 ? own.length : place, 0, body);
  }
  return {
    ...(route.description !== undefined && { description: route.description }),
    ...(route.consumes.length > 0 && { consumes: route.consumes }),
    ...(route.produces.length > 0 && { produces: route.produces }),
    schemes: ['https'],
    tags,
    operationId,
    ...(own.length > 0 && { parameters: own.map((parameter) => shared.use(parameter)) }),
    responses: Object.fromEntries([
      ...route.responses.map(({ code, description, type }) => {
        return [code, { description, schema: type === undefined ? { type: 'string' } : reference('v2', type) }] as const;
      }),
      [401, { description: 'Unauthorized' }],
    ]),
    // The documents of other servers are merged into the aggregator's own, which alone keeps its order.
    ...kubernetesExtensions(route, route.kind?.group === 'apiregistration.k8s.io' ? declaredKind : shownKind),
  };
}

/** Names of shared parameters by their JSON: the same few are used by the operations of all kinds. */
export type ParameterNames = Map<string, string>;

/** Parameters that many operations take stand once in the document, under a name made from their content. */
class SharedParameters {
  readonly byName = new Map<string, ParameterObject>();
  readonly #names: ParameterNames;

  constructor(names: ParameterNames) {
    this.#names = names;
  }

  use(parameter: ParameterObject): object {
    if (!mayBeShared(parameter)) return parameter;
    const name = this.#nameOf(parameter);
    this.byName.set(name, parameter);
    return { $ref: `#/parameters/${name}` };
  }

  #nameOf(parameter: ParameterObject): string {
    const json = JSON.stringify(parameter);
    let name = this.#names.get(json);
    if (name === undefined) this.#names.set(json, (name = `${parameter.name}-${parameterHash(json)}`));
    return name;
  }
}

/** Names and bodies tell of one kind; old clients look for fieldValidation and dryRun in the operation itself. */
function mayBeShared({ name, in: place, schema }: ParameterObject): boolean {
  if (name === 'name' || (place === 'query' && (name === 'fieldValidation' || name === 'dryRun'))) return false;
  return schema?.$ref === undefined || schema.$ref.startsWith('#/definitions/io.k8s.apimachinery');
}
