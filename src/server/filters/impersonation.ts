// Upstream: apiserver/pkg/endpoints/filters/impersonation/{impersonation,constrained_impersonation}.go
import { badRequest } from '../../machinery/errors.ts';
import { goQuote } from '../../machinery/go-format.ts';
import { headerText } from '../http/header-text.ts';
import type { Authorizer } from '../request/authorizer.ts';
import type { UserInfo } from '../request/user.ts';
import type { Request } from '../http/request.ts';
import type { Filter } from '../http/response.ts';
import { attributesOf } from '../request/attributes.ts';
import type { AuthenticatedRequest } from '../request/stages.ts';
import { impersonating } from '../request/stages.ts';
import { LastModes, allModes, impersonatedBy, legacyMode } from './impersonation-modes.ts';

const extraPrefix = 'impersonate-extra-';

/** A request that says Impersonate-User acts as that user, if its own user may. `constrained`: for some requests, or for all. */
export function withImpersonation(authorizer: Authorizer, constrained: boolean): Filter<AuthenticatedRequest> {
  const modes = constrained ? allModes : [legacyMode];
  const lastModes = new LastModes();
  return (next) => (request) => {
    if (!isImpersonating(request.source.headers)) return next(request);
    return impersonatedBy(modes, wantedUser(request), attributesOf(request), authorizer, lastModes).then(({ user, constraint }) => {
      request.audit?.impersonated(user, constraint);
      return next(impersonating(request, user));
    });
  };
}

function isImpersonating(headers: Request['source']['headers']): boolean {
  if (headers['impersonate-user'] !== undefined || headers['impersonate-group'] !== undefined || headers['impersonate-uid'] !== undefined)
    return true;
  for (const name in headers) if (name.startsWith(extraPrefix)) return true;
  return false;
}

function wantedUser(request: Request): UserInfo {
  const { headers } = request.source;
  const name = headerText(request.header('impersonate-user') ?? '');
  const uid = headerText(request.header('impersonate-uid') ?? '');
  const groups = valuesOf(headers['impersonate-group']);
  const extra: Record<string, string[]> = {};
  for (const header in headers) {
    if (header.startsWith(extraPrefix)) extra[unescapeKey(header.slice(extraPrefix.length))] = valuesOf(headers[header]);
  }
  if (name === '') throw badRequest(`requested ${goUser(uid, groups, extra)} without impersonating a user name`);
  return { name, uid, groups, extra };
}

function valuesOf(header: string | string[] | undefined): string[] {
  if (header === undefined) return [];
  return (Array.isArray(header) ? header : header.split(',')).map((value) => headerText(value.trim())).filter((value) => value !== '');
}

/** Always recorded, even if malformed. */
function unescapeKey(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

/** The user as Go prints it. */
function goUser(uid: string, groups: readonly string[], extra: Readonly<Record<string, readonly string[]>>): string {
  const list = (values: readonly string[]): string => `{${values.map(goQuote).join(', ')}}`;
  const entries = Object.keys(extra)
    .toSorted()
    .map((key) => `${goQuote(key)}:[]string${list(extra[key] ?? [])}`);
  const shownGroups = groups.length === 0 ? '[]string(nil)' : `[]string${list(groups)}`;
  const shownExtra = entries.length === 0 ? 'map[string][]string(nil)' : `map[string][]string{${entries.join(', ')}}`;
  return `&user.DefaultInfo{Name:"", UID:${goQuote(uid)}, Groups:${shownGroups}, Extra:${shownExtra}}`;
}
