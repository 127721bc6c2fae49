// Upstream: apiserver/pkg/endpoints/filters/impersonation/impersonation.go
import { badRequest, internalError } from '../../machinery/errors.ts';
import type { Attributes, Authorizer } from '../authz/authorizer.ts';
import type { UserInfo } from '../authn/user.ts';
import { anonymousUser, authenticatedGroup, unauthenticatedGroup } from '../authn/user.ts';
import type { Request } from '../http/request.ts';
import type { Filter } from '../http/response.ts';
import { forbiddenRequest } from './authorization.ts';

const extraPrefix = 'impersonate-extra-';
const serviceAccountPrefix = 'system:serviceaccount:';

/** A request that says Impersonate-User acts as that user, if its own user may impersonate. */
export function withImpersonation(authorizer: Authorizer): Filter {
  return (next) => (request) => {
    const { headers } = request.source;
    if (!isImpersonating(headers)) return next(request);
    return impersonate(request, authorizer).then((user) => {
      request.user = user;
      return next(request);
    });
  };
}

function isImpersonating(headers: Request['source']['headers']): boolean {
  if (headers['impersonate-user'] !== undefined || headers['impersonate-group'] !== undefined || headers['impersonate-uid'] !== undefined)
    return true;
  for (const name in headers) if (name.startsWith(extraPrefix)) return true;
  return false;
}

async function impersonate(request: Request, authorizer: Authorizer): Promise<UserInfo> {
  const { headers } = request.source;
  const name = request.header('impersonate-user') ?? '';
  const groups = valuesOf(headers['impersonate-group']);
  const uid = request.header('impersonate-uid') ?? '';
  const extra: Record<string, string[]> = {};
  for (const header in headers) {
    if (header.startsWith(extraPrefix)) extra[unescapeKey(header.slice(extraPrefix.length))] = valuesOf(headers[header]);
  }
  if (name === '') {
    const what = groups.length > 0 ? `groups ${goList(groups)}` : uid !== '' ? `uid ${uid}` : `extra info ${goMap(extra)}`;
    throw internalError(`requested ${what} without impersonating a user`);
  }

  const questions: Partial<Attributes>[] = [];
  if (name.startsWith(serviceAccountPrefix)) {
    const [namespace = '', account = ''] = name.slice(serviceAccountPrefix.length).split(':');
    questions.push({ resource: 'serviceaccounts', namespace, name: account });
  } else {
    questions.push({ resource: 'users', name });
  }
  for (const group of groups) questions.push({ resource: 'groups', name: group });
  for (const key in extra) {
    for (const value of extra[key] ?? []) {
      questions.push({ group: 'authentication.k8s.io', version: 'v1', resource: 'userextras', subresource: key, name: value });
    }
  }
  if (uid !== '') questions.push({ group: 'authentication.k8s.io', version: 'v1', resource: 'uids', name: uid });
  for (const question of questions) await mayImpersonate(request, authorizer, question);
  return { name, uid, groups: withSystemGroups(name, groups), extra };
}

async function mayImpersonate(request: Request, authorizer: Authorizer, question: Partial<Attributes>): Promise<void> {
  const attributes: Attributes = {
    user: request.user as UserInfo,
    verb: 'impersonate',
    isResource: true,
    path: request.path,
    group: '',
    version: 'v1',
    namespace: '',
    resource: '',
    subresource: '',
    name: '',
    ...question,
  };
  const { decision, reason } = await authorizer.authorize(attributes);
  if (decision !== 'allow') throw forbiddenRequest(attributes, reason);
}

/** Whoever is impersonated is authenticated, or anonymous; service accounts are in their groups unless others were asked for. */
function withSystemGroups(name: string, asked: readonly string[]): string[] {
  let groups = [...asked];
  if (groups.length === 0 && name.startsWith(serviceAccountPrefix)) {
    const [namespace = ''] = name.slice(serviceAccountPrefix.length).split(':');
    groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
  }
  const system = name === anonymousUser ? unauthenticatedGroup : authenticatedGroup;
  if (name === anonymousUser && groups.includes(unauthenticatedGroup)) return groups;
  if (!groups.includes(authenticatedGroup) && !groups.includes(unauthenticatedGroup)) groups.push(system);
  return groups;
}

function valuesOf(header: string | string[] | undefined): string[] {
  if (header === undefined) return [];
  return (Array.isArray(header) ? header : header.split(',')).map((value) => value.trim()).filter((value) => value !== '');
}

function unescapeKey(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    throw badRequest(`invalid impersonation header key ${JSON.stringify(key)}`);
  }
}

function goList(values: readonly string[]): string {
  return `[${values.join(' ')}]`;
}

function goMap(extra: Readonly<Record<string, readonly string[]>>): string {
  return `map[${Object.keys(extra)
    .sort()
    .map((key) => `${key}:${goList(extra[key] ?? [])}`)
    .join(' ')}]`;
}
