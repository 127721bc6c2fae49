// Upstream: k8s.io/apimachinery/pkg/api/errors/errors.go#NewGenericServerResponse
import { ApiError, failure, groupResourceName, statusDetails } from './errors.ts';
import type { GroupResource } from './errors.ts';
import { goQuote } from './go-format.ts';

export interface ServerResponse {
  readonly code: number;
  /** HTTP method or API verb; shown in lower case */
  readonly verb?: string;
  readonly resource?: GroupResource;
  readonly name?: string;
  readonly serverMessage?: string;
  readonly retryAfterSeconds?: number;
}

interface Known {
  readonly reason: string;
  readonly message: string;
}

const knownStatuses: ReadonlyMap<number, Known> = new Map([
  [400, { reason: 'BadRequest', message: 'the server rejected our request for an unknown reason' }],
  [401, { reason: 'Unauthorized', message: 'the server has asked for the client to provide credentials' }],
  [404, { reason: 'NotFound', message: 'the server could not find the requested resource' }],
  [405, { reason: 'MethodNotAllowed', message: 'the server does not allow this method on the requested resource' }],
  [409, { reason: 'Conflict', message: 'the server reported a conflict' }],
  [422, { reason: 'Invalid', message: 'the server rejected our request due to an error in our request' }],
  [429, { reason: 'TooManyRequests', message: 'the server has received too many requests and has asked us to try again later' }],
  [503, { reason: 'ServiceUnavailable', message: 'the server is currently unable to handle the request' }],
  [
    504,
    {
      reason: 'Timeout',
      message: 'the server was unable to return a response in the time allotted, but may still be processing the request',
    },
  ],
]);

/** The error for an HTTP code whose body says nothing that could be passed on. */
export function serverResponseError(response: ServerResponse, options?: ErrorOptions): ApiError {
  const { code, verb = '', resource = { group: '', resource: '' }, name = '', retryAfterSeconds = 0 } = response;
  const { reason, message } = describe(code, verb, response.serverMessage ?? '');
  const details = statusDetails({ name, group: resource.group, kind: resource.resource, retryAfterSeconds });
  return new ApiError(failure(code, reason, message + subject(verb, resource, name), details), options);
}

function subject(verb: string, resource: GroupResource, name: string): string {
  if (resource.group === '' && resource.resource === '') return '';
  const target = `${verb.toLowerCase()} ${groupResourceName(resource)}`;
  return name === '' ? ` (${target})` : ` (${target} ${name})`;
}

function describe(code: number, verb: string, serverMessage: string): Known {
  switch (code) {
    case 403:
      return { reason: 'Forbidden', message: serverMessage };
    case 406: {
      const said = serverMessage !== '' && serverMessage !== 'unknown';
      const message = said ? serverMessage : 'the server was unable to respond with a content type that the client supports';
      return { reason: 'NotAcceptable', message };
    }
    case 415:
      return { reason: 'UnsupportedMediaType', message: serverMessage };
    case 409:
      return { reason: verb === 'POST' ? 'AlreadyExists' : 'Conflict', message: knownStatuses.get(409)!.message };
  }
  const known = knownStatuses.get(code);
  if (known !== undefined) return known;
  if (code >= 500) {
    return {
      reason: 'InternalError',
      message: `an error on the server (${goQuote(serverMessage)}) has prevented the request from succeeding`,
    };
  }
  return { reason: '', message: `the server responded with the status code ${code} but did not return more information` };
}
