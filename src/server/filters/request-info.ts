// Upstream: k8s.io/apiserver/pkg/endpoints/filters/requestinfo.go, k8s.io/apiserver/pkg/endpoints/handlers/responsewriters/errors.go#InternalError
import { goQuote } from '../../machinery/go-format.ts';
import type { Filter } from '../http/response.ts';
import { textResponse } from '../http/response.ts';
import { requestInfo } from '../request/request-info.ts';
import type { IdentifiedRequest, ParsedRequest } from '../request/stages.ts';
import { parsed } from '../request/stages.ts';

export function withRequestInfo(): Filter<IdentifiedRequest, ParsedRequest> {
  return (next) => (request) => {
    const info = requestInfo(request.method, request.path, request.rawQuery);
    if (info === undefined) return textResponse(500, `${withoutMarkup(undetermined(request.source.target))}\n`);
    return next(parsed(request, info));
  };
}

function undetermined(target: string): string {
  return `Internal Server Error: ${goQuote(target)}: failed to create RequestInfo: unable to determine kind and namespace from url, ${target}`;
}

function withoutMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
