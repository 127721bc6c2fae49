// Upstream: k8s.io/client-go/rest/{request,with_retry}.go
import type { HttpsResponse } from '../../base/https/https-client.ts';
import { serverResponseError } from '../../machinery/server-response-error.ts';
import { statedFailure } from './stated-failure.ts';

const maxRetries = 10;
const maxQuotedBytes = 2048;

/** A server that is busy may say when to come again; undefined: the response is final. `attempt` counts from 1. */
export function secondsToWait({ status, headers: { 'retry-after': after } }: HttpsResponse, attempt: number): number | undefined {
  const isBusy = status === 429 || status >= 500;
  return attempt <= maxRetries && isBusy && after !== undefined && /^[+-]?\d+$/.test(after) ? Number(after) : undefined;
}

/** Throws when the response to a POST says that it failed. */
export function requireSuccess({
  status,
  headers: { 'content-type': contentType = '', 'retry-after': after = '' },
  body,
}: HttpsResponse): void {
  if (status >= 200 && status <= 206) return;
  const isText = contentType === '' || contentType.startsWith('text/');
  const serverMessage = isText ? body.subarray(0, maxQuotedBytes).toString().trim() : 'unknown';
  const retryAfterSeconds = Number.parseInt(after, 10) || 0;
  throw statedFailure(body) ?? serverResponseError({ code: status, verb: 'POST', serverMessage, retryAfterSeconds });
}

/** A server's response to a POST. Throws when that says it failed, or says nothing. */
export function bodyOf(response: HttpsResponse): Buffer {
  requireSuccess(response);
  const { status, headers, body } = response;
  if (body.length > 0) return body;
  throw new Error(`0-length response with status code: ${status} and content type: ${headers['content-type'] || 'application/json'}`);
}
