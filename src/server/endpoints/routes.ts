// Upstream: k8s.io/apiserver/pkg/endpoints/installer.go#registerResourceHandlers
import type { RequestInfo } from '../request/request-info.ts';

type Methods = readonly string[];

/** What is known of a built-in resource when its routes are installed. */
export interface RoutedResource {
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly subresources: Iterable<RoutedSubresource>;
}

export interface RoutedSubresource {
  readonly name: string;
  readonly verbs: readonly string[];
  /** passes on whatever comes: every method, and paths below it */
  readonly proxies: boolean;
}

/** The HTTP methods at each place of a built-in resource. A place without methods has no route. */
export interface Routes {
  readonly namespaced: boolean;
  readonly collection: Methods;
  readonly item: Methods;
  /** below `/watch/` */
  readonly watched: Methods;
  readonly subresources: ReadonlyMap<string, { readonly methods: Methods; readonly proxies: boolean }>;
}

const none: Methods = Object.freeze<string[]>([]);
const get: Methods = ['GET'];
const proxied: Methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];
const collectionMethods: Readonly<Record<string, string>> = { list: 'GET', create: 'POST', deletecollection: 'DELETE' };
const itemMethods: Readonly<Record<string, string>> = { get: 'GET', update: 'PUT', patch: 'PATCH', delete: 'DELETE' };
const subresourceMethods: Readonly<Record<string, string>> = { ...itemMethods, create: 'POST' };

export function routesOf({ namespaced, verbs, subresources }: RoutedResource): Routes {
  const below = Array.from(subresources, ({ name, verbs: own, proxies }) => {
    return [name, { methods: proxies ? proxied : methodsOf(own, subresourceMethods), proxies }] as const;
  });
  return {
    namespaced,
    collection: methodsOf(verbs, collectionMethods),
    item: methodsOf(verbs, itemMethods),
    watched: verbs.includes('watch') ? get : none,
    subresources: new Map(below),
  };
}

function methodsOf(verbs: readonly string[], byVerb: Readonly<Record<string, string>>): Methods {
  return verbs.flatMap((verb) => byVerb[verb] ?? []);
}

/** The methods of the place that a path names; none where no route leads there. */
export function methodsAt(routes: Routes, info: RequestInfo): Methods {
  const { parts, inNamespace, verbPrefix } = info;
  const across = routes.namespaced && !inNamespace;
  if (across ? parts.length !== 1 : routes.namespaced !== inNamespace) return none;
  if (verbPrefix === 'watch') return parts.length <= 2 ? routes.watched : none;
  if (verbPrefix !== '') return none;
  if (across) return routes.collection.includes('GET') ? get : none;
  if (parts.length === 1) return routes.collection;
  if (parts.length === 2) return routes.item;
  const below = routes.subresources.get(parts[2] as string);
  return below !== undefined && (parts.length === 3 || below.proxies) ? below.methods : none;
}
