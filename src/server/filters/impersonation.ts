// Upstream: k8s.io/apiserver/pkg/endpoints/filters/impersonation/{impersonation,constrained_impersonation}.go
import { badRequest } from '../../machinery/errors.ts';
import { goQuote } from '../../machinery/go-format.ts';
import { firstHeaderValue, headerLines, headerValues, prefixedHeaderValues } from '../http/header-lines.ts';
import type { Authorizer } from '../request/authorizer.ts';
import type { UserInfo } from '../request/user.ts';
import type { RequestSource } from '../http/request.ts';
import type { Filter } from '../http/response.ts';
import { attributesOf } from '../request/attributes.ts';
import type { AuthenticatedRequest } from '../request/stages.ts';
import { impersonating } from '../request/stages.ts';
import type { ImpersonationMetrics } from './impersonation-metrics.ts';
import { LastModes, allModes, impersonatedBy, legacyMode } from './impersonation-modes.ts';

const extraPrefix = 'impersonate-extra-';

/** A request that says Impersonate-User acts as that user, if its own user may. `constrained`: for some requests, or for all. */
export function withImpersonation(
  authorizer: Authorizer,
  constrained: boolean,
  counted?: ImpersonationMetrics,
): Filter<AuthenticatedRequest> {
  const metrics = constrained ? counted : undefined;
  const asked = metrics?.counted(authorizer) ?? authorizer;
  const modes = constrained ? allModes : [legacyMode];
  const lastModes = new LastModes();
  return (next) => (request) => {
    if (!isImpersonating(request.source)) return next(request);
    const wanted = wantedUser(request.source, constrained);
    if (wanted === undefined) return next(request);
    const began = performance.now();
    return impersonatedBy(modes, wanted, attributesOf(request), asked, lastModes).then(
      ({ user, constraint }) => {
        metrics?.attempted(began, constraint);
        request.audit?.impersonated(user, constraint);
        return next(impersonating(request, user));
      },
      (error: unknown) => {
        metrics?.attempted(began, undefined);
        throw error;
      },
    );
  };
}

const [lowerI, upperI] = [0x69, 0x49];

function isImpersonating({ headers, lines }: RequestSource): boolean {
  // The lines are a list and the headers a dictionary, which costs ten times as much to go through.
  if (lines !== undefined && !mayImpersonate(lines)) return false;
  if (headers['impersonate-user'] !== undefined || headers['impersonate-group'] !== undefined || headers['impersonate-uid'] !== undefined)
    return true;
  for (const name in headers) if (name.startsWith(extraPrefix)) return true;
  return false;
}

function mayImpersonate(lines: readonly string[]): boolean {
  for (let i = 0; i < lines.length; i += 2) {
    const first = lines[i]?.charCodeAt(0);
    if (first === lowerI || first === upperI) return true;
  }
  return false;
}

/** Undefined: the headers are there and say nothing. */
function wantedUser(source: RequestSource, constrained: boolean): UserInfo | undefined {
  const lines = headerLines(source);
  const name = firstHeaderValue(lines, 'impersonate-user');
  const uid = firstHeaderValue(lines, 'impersonate-uid');
  const groups = headerValues(lines, 'impersonate-group');
  const extra = Object.fromEntries(prefixedHeaderValues(lines, [extraPrefix]));
  if (name !== '') return { name, uid, groups, extra };
  if (uid === '' && groups.length === 0 && Object.keys(extra).length === 0) return undefined;
  throw badRequest(
    constrained
      ? `requested ${goUser(uid, groups, extra)} without impersonating a user name`
      : `requested ${goReferences(uid, groups, extra)} without impersonating a user`,
  );
}

/** What is asked for, as Go prints references to objects: kind, namespace, name, uid, apiVersion, resourceVersion, fieldPath. */
function goReferences(uid: string, groups: readonly string[], extra: UserInfo['extra']): string {
  const reference = (kind: string, name: string, apiVersion: string, fieldPath = ''): string =>
    `{${[kind, '', name, '', apiVersion, '', fieldPath].join(' ')}}`;
  const authentication = 'authentication.k8s.io/v1';
  return `[${[
    ...groups.map((group) => reference('Group', group, '')),
    ...Object.entries(extra).flatMap(([key, values]) => values.map((value) => reference('UserExtra', value, authentication, key))),
    ...(uid === '' ? [] : [reference('UID', uid, authentication)]),
  ].join(' ')}]`;
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
