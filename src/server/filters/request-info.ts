import { internalError } from '../../machinery/errors.ts';
import type { Filter } from '../http/response.ts';
import { requestInfo } from '../request-info.ts';

export function withRequestInfo(): Filter {
  return (next) => (request) => {
    const info = requestInfo(request.method, request.path, request.rawQuery);
    if (info === undefined)
      throw internalError(`failed to create RequestInfo: unable to determine kind and namespace from url, ${request.path}`);
    request.info = info;
    return next(request);
  };
}
