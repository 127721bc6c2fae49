// Upstream: k8s.io/client-go/rest/request.go#Result.Error
import { ApiError } from '../../machinery/errors.ts';
import type { Status } from '../../machinery/errors.ts';
import { isObject } from '../../patch/json/json-object.ts';

/** The failure that a body states; undefined when it is anything but a Status that does. */
export function statedFailure(body: Buffer): ApiError | undefined {
  const status = parse(body);
  if (!isObject(status) || status['kind'] !== 'Status' || (status['apiVersion'] ?? 'v1') !== 'v1') return undefined;
  if (status['status'] !== 'Failure') return undefined;
  return new ApiError(status as unknown as Status);
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString()) as unknown;
  } catch {
    return undefined; // not JSON: the code says what failed
  }
}
