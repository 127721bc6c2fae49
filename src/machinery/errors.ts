// Upstream: k8s.io/apimachinery/pkg/api/errors/errors.go, k8s.io/apiserver/pkg/endpoints/handlers/{negotiation/errors,responsewriters/status}.go
import { aggregateMessages } from './field.ts';
import type { FieldError } from './field.ts';
import { goQuote } from './go-format.ts';

export interface GroupResource {
  readonly group: string;
  readonly resource: string;
}

export interface GroupKind {
  readonly group: string;
  readonly kind: string;
}

export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

/** metav1.Status with its keys in the order in which they are written. */
export interface Status {
  readonly kind: 'Status';
  readonly apiVersion: 'v1';
  readonly metadata: { readonly resourceVersion?: string; readonly continue?: string; readonly remainingItemCount?: number };
  readonly status: 'Success' | 'Failure';
  readonly message?: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
  readonly code: number;
}

/** A response that is not a success. Thrown anywhere, rendered in one place; `cause` is for the log and never sent. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: Status;

  constructor(status: Status, options?: ErrorOptions) {
    super(status.message ?? '', options);
    this.status = status;
  }

  get code(): number {
    return this.status.code;
  }

  get reason(): string {
    return this.status.reason ?? '';
  }
}

/** `pods`, `deployments.apps` */
export function groupResourceName({ group, resource }: GroupResource): string {
  return group === '' ? resource : `${resource}.${group}`;
}

/** `Pod`, `Deployment.apps` */
export function groupKindName({ group, kind }: GroupKind): string {
  return group === '' ? kind : `${kind}.${group}`;
}

export function isReason(error: unknown, reason: string): error is ApiError {
  return error instanceof ApiError && error.status.reason === reason;
}

export function hasCause(error: unknown, reason: string): error is ApiError {
  return error instanceof ApiError && (error.status.details?.causes?.some((cause) => cause.reason === reason) ?? false);
}

/** What the client sees of anything that was thrown: a foreign error becomes a 500 without a reason, with its message. */
export function statusOf(error: unknown): Status {
  if (error instanceof ApiError) return error.status;
  return failure(500, '', error instanceof Error ? error.message : String(error));
}

/** A Status with empty members left out, the way omitempty leaves them out. */
export function failure(code: number, reason: string, message: string, details?: StatusDetails): Status {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    ...(message !== '' && { message }),
    ...(reason !== '' && { reason }),
    ...(details !== undefined && { details }),
    code,
  };
}

/** Details in written order, empty members left out. */
export function statusDetails(from: StatusDetails): StatusDetails {
  return {
    ...(from.name && { name: from.name }),
    ...(from.group && { group: from.group }),
    ...(from.kind && { kind: from.kind }),
    ...(from.uid && { uid: from.uid }),
    ...(from.causes && from.causes.length > 0 && { causes: from.causes }),
    ...(from.retryAfterSeconds && { retryAfterSeconds: from.retryAfterSeconds }),
  };
}

function about({ group, resource }: GroupResource, name: string, more?: StatusDetails): StatusDetails {
  return statusDetails({ name, group, kind: resource, ...more });
}

function titled(resource: GroupResource, name: string): string {
  return `${groupResourceName(resource)} ${goQuote(name)}`;
}

export function notFound(resource: GroupResource, name: string): ApiError {
  return new ApiError(failure(404, 'NotFound', `${titled(resource, name)} not found`, about(resource, name)));
}

export function alreadyExists(resource: GroupResource, name: string): ApiError {
  return new ApiError(failure(409, 'AlreadyExists', `${titled(resource, name)} already exists`, about(resource, name)));
}

export function generateNameConflict(resource: GroupResource, name: string, retryAfterSeconds: number): ApiError {
  const message = `${titled(resource, name)} already exists, the server was not able to generate a unique name for the object`;
  return new ApiError(failure(409, 'AlreadyExists', message, about(resource, name, { retryAfterSeconds })));
}

export function conflict(resource: GroupResource, name: string, message: string, options?: ErrorOptions): ApiError {
  const text = `Operation cannot be fulfilled on ${titled(resource, name)}: ${message}`;
  return new ApiError(failure(409, 'Conflict', text, about(resource, name)), options);
}

/** The registry's conflict when the resourceVersion sent is not the stored one. */
export const optimisticLockMessage = 'the object has been modified; please apply your changes to the latest version and try again';

export function applyConflict(causes: readonly StatusCause[], message: string): ApiError {
  return new ApiError(failure(409, 'Conflict', message, statusDetails({ causes })));
}

export function gone(message: string): ApiError {
  return new ApiError(failure(410, 'Gone', message));
}

/** 410 Expired: the revision asked for is compacted away. */
export function resourceExpired(message: string, options?: ErrorOptions): ApiError {
  return new ApiError(failure(410, 'Expired', message), options);
}

export function badRequest(message: string, options?: ErrorOptions): ApiError {
  return new ApiError(failure(400, 'BadRequest', message), options);
}

export function unauthorized(message: string): ApiError {
  return new ApiError(failure(401, 'Unauthorized', message === '' ? 'not authorized' : message));
}

export function forbidden(resource: GroupResource, name: string, message: string, options?: ErrorOptions): ApiError {
  return new ApiError(failure(403, 'Forbidden', forbiddenMessage(resource, name, message), about(resource, name)), options);
}

function forbiddenMessage(resource: GroupResource, name: string, message: string): string {
  if (resource.group === '' && resource.resource === '') return `forbidden: ${message}`;
  return name === '' ? `${groupResourceName(resource)} is forbidden: ${message}` : `${titled(resource, name)} is forbidden: ${message}`;
}

/**
 * A request may have as many mistakes as its body has room for, and each may be reported with the whole list that it stands in. Upstream reports
 * all of them; here what would be too long to be read ends with how many more there are.
 */
export const mostErrors = 10_000;
export const mostErrorText = 1024 * 1024;

export function invalid(kind: GroupKind, name: string, errors: readonly FieldError[]): ApiError {
  const causes: StatusCause[] = [];
  const messages: string[] = [];
  let room = mostErrorText;
  for (const error of errors) {
    if (room < 0 || causes.length === mostErrors) {
      messages.push(`and ${errors.length - causes.length} more`);
      break;
    }
    const { field } = error;
    const body = error.body;
    room -= field.length + body.length;
    causes.push({ reason: error.type, message: body, ...(field !== '' && { field }) });
    messages.push(`${field}: ${body}`);
  }
  const subject = `${groupKindName(kind)} ${goQuote(name)} is invalid`;
  const message = errors.length === 0 ? subject : `${subject}: ${aggregateMessages(messages)}`;
  return new ApiError(failure(422, 'Invalid', message, statusDetails({ name, group: kind.group, kind: kind.kind, causes })));
}

export function tooManyRequests(message: string, retryAfterSeconds: number): ApiError {
  return new ApiError(failure(429, 'TooManyRequests', message, statusDetails({ retryAfterSeconds })));
}

export function serviceUnavailable(message: string, retryAfterSeconds?: number): ApiError {
  const details = retryAfterSeconds === undefined ? undefined : { retryAfterSeconds };
  return new ApiError(failure(503, 'ServiceUnavailable', message, details));
}

export function methodNotSupported(resource: GroupResource, action: string): ApiError {
  const message = `${action} is not supported on resources of kind ${goQuote(groupResourceName(resource))}`;
  return new ApiError(failure(405, 'MethodNotAllowed', message, about(resource, '')));
}

export function internalError(message: string, options?: ErrorOptions): ApiError {
  const details = statusDetails({ causes: [message === '' ? {} : { message }] });
  return new ApiError(failure(500, 'InternalError', `Internal error occurred: ${message}`, details), options);
}

export function timeout(message: string, retryAfterSeconds: number): ApiError {
  return new ApiError(failure(504, 'Timeout', `Timeout: ${message}`, statusDetails({ retryAfterSeconds })));
}

export function tooLargeResourceVersion(asked: number | bigint, current: number | bigint, retryAfterSeconds: number): ApiError {
  const message = `Timeout: Too large resource version: ${asked}, current: ${current}`;
  const causes = [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }];
  return new ApiError(failure(504, 'Timeout', message, statusDetails({ causes, retryAfterSeconds })));
}

export function requestEntityTooLarge(message: string): ApiError {
  return new ApiError(failure(413, 'RequestEntityTooLarge', `Request entity too large: ${message}`));
}

export function unsupportedMediaType(accepted: readonly string[]): ApiError {
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`;
  return new ApiError(failure(415, 'UnsupportedMediaType', message));
}

/** @param target the kind that the client wants the response converted to, e.g. a Table, where negotiation failed for it */
/** An object cannot be shown in the form that was asked for. */
export function unacceptableForm(message: string): ApiError {
  return new ApiError(failure(406, 'NotAcceptable', message));
}

export function notAcceptable(accepted: readonly string[], target?: string): ApiError {
  const condition = target === undefined ? '' : ` when converting to ${target}`;
  return new ApiError(failure(406, 'NotAcceptable', `only the following media types are accepted${condition}: ${accepted.join(', ')}`));
}
