// Upstream: k8s.io/apiserver/pkg/endpoints/handlers/responsewriters/errors.go
import { ApiError } from '../../machinery/errors.ts';
import { goQuote } from '../../machinery/go-format.ts';
import type { Attributes } from './authorizer.ts';

/** 403 in the words of upstream: who, what, where, and why not. */
export function forbiddenRequest(attributes: Attributes, reason: string): ApiError {
  const text = `${describe(attributes)}${reason === '' ? '' : `: ${reason}`}`;
  const { group, resource, name } = attributes;
  const of = group === '' ? resource : `${resource}.${group}`;
  const message = of === '' ? `forbidden: ${text}` : `${of}${name === '' ? '' : ` ${goQuote(name)}`} is forbidden: ${text}`;
  return new ApiError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason: 'Forbidden',
    details: {
      ...(name !== '' && { name }),
      ...(group !== '' && { group }),
      ...(resource !== '' && { kind: resource }),
    },
    code: 403,
  });
}

/** `User "u" cannot list resource "pods" in API group "" in the namespace "n"` */
export function describe({ user, verb, isResource, path, group, namespace, resource, subresource }: Attributes): string {
  const who = `User ${goQuote(user.name)}`;
  if (!isResource) return `${who} cannot ${verb} path ${goQuote(path)}`;
  const what = subresource === '' ? resource : `${resource}/${subresource}`;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${goQuote(namespace)}`;
  return `${who} cannot ${verb} resource ${goQuote(what)} in API group ${goQuote(group)} ${where}`;
}
