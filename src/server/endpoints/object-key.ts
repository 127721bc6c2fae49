// Upstream: k8s.io/apiserver/pkg/registry/generic/registry/store.go#NamespaceKeyFunc, k8s.io/apiserver/pkg/storage/interfaces.go#PrepareKey
import { ApiError, badRequest, failure } from '../../machinery/errors.ts';
import { goQuote } from '../../machinery/go-format.ts';
import { nameIsPathSegment } from '../../machinery/names.ts';
import type { Resource } from '../registry/resource.ts';

/** Throws when nothing can be stored under that name, before the store is asked. */
export function requireKey(resource: Resource, namespace: string, name: string): void {
  if (resource.namespaced && namespace === '') throw badRequest('Namespace parameter required.');
  if (name === '') throw badRequest('Name parameter required.');
  const problems = nameIsPathSegment(name, false);
  if (problems.length > 0) throw badRequest(`Name parameter invalid: ${goQuote(name)}: ${problems.join(';')}`);
  if (resource.namespaced) requirePlace(resource, namespace, `/${name}`);
}

/** Of namespaces too, which upstream finds out late: it is a fault of the server there, without a reason. */
export function requirePlace({ keyPrefix }: Resource, namespace: string, rest = ''): void {
  if (namespace !== '.' && namespace !== '..') return;
  const key = `${keyPrefix.slice(keyPrefix.indexOf('/', 1))}${namespace}${rest}`;
  throw new ApiError(failure(500, '', `invalid key: ${goQuote(key)}`));
}
