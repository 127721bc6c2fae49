// Upstream: apiserver/pkg/endpoints/filters/requestinfo.go, pkg/endpoints/handlers/responsewriters/errors.go (InternalError)
import { goQuote } from '../../machinery/go-format.ts';
import type { Filter } from '../http/response.ts';
import { textResponse } from '../http/response.ts';
import { requestInfo } from '../request/request-info.ts';

export function withRequestInfo(): Filter {
  return (next) => (request) => {
    const info = requestInfo(request.method, request.path, request.rawQuery);
    if (info === undefined) return textResponse(500, `${withoutMarkup(undetermined(request.source.target))}\n`);
    request.info = info;
    return next(request);
  };
}

function undetermined(target: string): string {
  return `Internal Server Error: ${goQuote(target)}: failed to create RequestInfo: unable to determine kind and namespace from url, ${target}`;
}

function withoutMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
