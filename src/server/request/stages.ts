import type { Request } from '../http/request.ts';
import type { AuditContext } from './audit-context.ts';
import type { RequestInfo } from './request-info.ts';
import type { UserInfo } from './user.ts';

/**
 * One request, by how far it has come: each stage is made by one filter of the chain, and what comes later can rely on it. It is the
 * same object all the way, so that a stage costs no allocation.
 */
export interface IdentifiedRequest extends Request {
  /** under which the request is known in the audit log */
  readonly auditId: string;
}

/** Its method and path have been read: it is known what it asks for. */
export interface ParsedRequest extends IdentifiedRequest {
  readonly info: RequestInfo;
  /** what the path led to, the same object for all requests that lead there; undefined: to no resource that is served */
  routed: object | undefined;
}

/** It is known who asks: what handlers see. */
export interface AuthenticatedRequest extends ParsedRequest {
  readonly user: UserInfo;
  /** undefined: the request is not audited */
  audit: AuditContext | undefined;
}

type Writable<R extends Request> = Request & { -readonly [K in Exclude<keyof R, keyof Request>]: R[K] };

export function identified(request: Request, auditId: string): IdentifiedRequest {
  const next = request as Writable<IdentifiedRequest>;
  next.auditId = auditId;
  return next;
}

export function parsed(request: IdentifiedRequest, info: RequestInfo): ParsedRequest {
  const next = request as Writable<ParsedRequest>;
  next.info = info;
  next.routed = undefined;
  return next;
}

export function authenticated(request: ParsedRequest, user: UserInfo): AuthenticatedRequest {
  const next = request as Writable<AuthenticatedRequest>;
  next.user = user;
  next.audit = undefined;
  return next;
}

/** The same request in the name of another user. */
export function impersonating(request: AuthenticatedRequest, user: UserInfo): AuthenticatedRequest {
  const next: Writable<AuthenticatedRequest> = request;
  next.user = user;
  return next;
}

/** What the chain has found out of a request, for filters around those that find it. */
export function found(request: Request): Request & Partial<Pick<AuthenticatedRequest, 'info' | 'routed' | 'user'>> {
  return request;
}
