// Upstream: github.com/emicklei/go-restful/v3/jsr311.go
// Route selection looks at Accept before any handler does.
import { serverResponseError } from '../../machinery/server-response-error.ts';
import type { Request } from './request.ts';
import type { Media } from './media-types.ts';
import { contentTypes, mostClauses, streamContentType } from './media-types.ts';

/** A route is refused when Accept names none of the types it produces: parameters and `application/*` do not help, any type at all does. */
export function requireProduced(request: Request, media: readonly Media[], streams: boolean): void {
  if (request.header('accept') === 'application/json' && media.includes('json')) return;
  const produced = media.map((one) => contentTypes[one]);
  const offered = streams ? [...produced, ...media.filter((one) => one !== 'yaml').map(streamContentType)] : produced;
  requireProducedTypes(request, produced, offered);
}

/** `offered`: what the refusal names, where that is more. */
export function requireProducedTypes(request: Request, produced: readonly string[], offered = produced): void {
  const accept = request.header('accept');
  if (accept === undefined || accept === '' || accept === '*/*') return;
  for (const clause of accept.split(',', mostClauses)) {
    const semicolon = clause.indexOf(';');
    const wanted = (semicolon < 0 ? clause : clause.slice(0, semicolon)).trim();
    if (wanted === '*/*' || produced.includes(wanted)) return;
  }
  throw serverResponseError({ code: 406, serverMessage: `406: Not Acceptable\n\nAvailable representations: ${offered.join(', ')}` });
}
