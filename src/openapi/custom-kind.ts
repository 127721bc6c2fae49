// Upstream: k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder/builder.go
import { optionParameters } from './option-parameters.ts';
import { namespaceParameter, prettyParameter } from './resource-routes.ts';
import type { Method, Parameter, Route, RouteResponse } from './route.ts';

/** A JSON schema as a CustomResourceDefinition has it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A custom resource in one of its versions, as far as documents tell of it. */
export interface CustomKind {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  readonly listKind: string;
  readonly namespaced: boolean;
  readonly status: boolean;
  readonly scale: boolean;
  /** openAPIV3Schema; absent when there is none or when it is not structural */
  readonly schema?: JsonSchema;
  /** spec.preserveUnknownFields of old definitions */
  readonly preserveUnknownFields?: boolean;
  /** paths such as `.spec.color` */
  readonly selectableFields?: readonly string[];
}

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const media = ['application/json', 'application/yaml'];
const patchTypes = ['application/json-patch+json', 'application/merge-patch+json', 'application/apply-patch+yaml'];

/** `com.example.v1.Widget` */
export function customTypeName({ group, version }: Pick<CustomKind, 'group' | 'version'>, kind: string): string {
  return `${group.split('.').toReversed().join('.')}.${version}.${kind}`;
}

/** They differ from those of built-in resources in many small things: no watch paths, other media types, options of a get. */
export function customRoutes(custom: CustomKind): Route[] {
  const { group, version, plural, kind, namespaced } = custom;
  const root = `/apis/${group}/${version}`;
  const collection = `${root}/${namespaced ? 'namespaces/{namespace}/' : ''}${plural}`;
  const item = `${collection}/{name}`;
  const scope = namespaced ? 'Namespaced' : '';
  const type = customTypeName(custom, kind);
  const listType = customTypeName(custom, custom.listKind);
  const place = namespaced ? [namespaceParameter] : [];
  const name: Parameter = { name: 'name', in: 'path', type: 'string', description: `name of the ${kind}` };

  const route = (method: Method, path: string, action: string, verb: string, description: string, facts: Partial<Route>): Route => ({
    method,
    path,
    operation: `${verb}${scope}${kind}`,
    description,
    action,
    kind: { group, version, kind },
    consumes: media,
    produces: media,
    responses: [],
    ...facts,
    parameters: [...place, ...(path.startsWith(item) ? [name] : []), prettyParameter, ...(facts.parameters ?? [])].sort((a, b) =>
      a.name < b.name ? -1 : 1,
    ),
  });

  const onItem = (sub: string, answer: string): Route[] => {
    const path = sub === '' ? item : `${item}/${sub}`;
    const of = sub === '' ? '' : ` ${sub} of`;
    const suffix = sub.charAt(0).toUpperCase() + sub.slice(1);
    return [
      route('get', path, 'get', 'read', `read${of} the specified ${kind}`, {
        operation: `read${scope}${kind}${suffix}`,
        parameters: optionParameters('GetOptions'),
        responses: [ok(answer)],
      }),
      route('put', path, 'put', 'replace', `replace${of} the specified ${kind}`, {
        operation: `replace${scope}${kind}${suffix}`,
        parameters: optionParameters('UpdateOptions'),
        reads: { type: answer, required: true },
        responses: [ok(answer), created(answer)],
      }),
      route('patch', path, 'patch', 'patch', `partially update${of} the specified ${kind}`, {
        operation: `patch${scope}${kind}${suffix}`,
        parameters: optionParameters('PatchOptions'),
        consumes: patchTypes,
        reads: { type: `${meta}.Patch`, required: true },
        responses: [ok(answer)],
      }),
    ];
  };

  const article = /^[aeiou]/i.test(kind) ? 'an' : 'a';
  const withArticle = kind.endsWith('s') && !kind.endsWith('ss') ? kind : `${article} ${kind}`;
  const list = { parameters: optionParameters('ListOptions'), responses: [ok(listType)] };
  const routes: Route[] = [
    route('get', collection, 'list', 'list', `list objects of kind ${kind}`, list),
    route('post', collection, 'post', 'create', `create ${withArticle}`, {
      parameters: optionParameters('CreateOptions'),
      reads: { type, required: true },
      responses: [ok(type), created(type), accepted(type)],
    }),
    route('delete', collection, 'deletecollection', 'deletecollection', `delete collection of ${kind}`, {
      parameters: optionParameters('ListOptions'),
      responses: [ok(`${meta}.Status`)],
    }),
    ...onItem('', type),
    route('delete', item, 'delete', 'delete', `delete ${withArticle}`, {
      parameters: optionParameters('DeleteOptions'),
      reads: { type: `${meta}.DeleteOptions`, required: false },
      responses: [ok(`${meta}.Status`), accepted(`${meta}.Status`)],
    }),
  ];
  if (custom.status) routes.push(...onItem('status', type));
  if (custom.scale) routes.push(...onItem('scale', 'io.k8s.api.autoscaling.v1.Scale'));
  if (namespaced) {
    const everywhere = route('get', `${root}/${plural}`, 'list', 'list', `list objects of kind ${kind}`, list);
    routes.push({
      ...everywhere,
      operation: `list${kind}ForAllNamespaces`,
      parameters: everywhere.parameters.filter((parameter) => parameter !== namespaceParameter),
    });
  }
  return routes;
}

function ok(type: string): RouteResponse {
  return { code: 200, description: 'OK', type };
}

function created(type: string): RouteResponse {
  return { code: 201, description: 'Created', type };
}

function accepted(type: string): RouteResponse {
  return { code: 202, description: 'Accepted', type };
}
