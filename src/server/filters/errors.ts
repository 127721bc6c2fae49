// Upstream: k8s.io/apiserver/pkg/endpoints/handlers/responsewriters/{errors,status}.go
import type { Logger } from '../../base/log.ts';
import { UnusableBodyError } from '../../machinery/codec/decode-error.ts';
import type { Status } from '../../machinery/errors.ts';
import { ApiError, resourceExpired, statusOf, tooManyRequests } from '../../machinery/errors.ts';
import { CompactedError, StorageUnavailableError } from '../../storage/storage.ts';
import { CacheNotReadyError } from '../../storage/cache/types.ts';
import type { Request } from '../http/request.ts';
import type { Filter, OutgoingHeaders, Response } from '../http/response.ts';
import type { Codecs } from '../object/codecs.ts';
import { encodeObject, metaType } from '../object/codecs.ts';
import type { OutputForm } from '../http/media-types.ts';
import { contentTypes, negotiateOutput } from '../http/media-types.ts';

/** the form for those whose Accept cannot be met: always indented */
const json: OutputForm = { media: 'json', as: 'object', metaVersion: 'v1', pretty: true };

/** The one place where an error becomes a response. Whatever is no Status is a fault of ours: logged, and sent as 500. */
export class ErrorRenderer {
  readonly #codecs: Codecs;
  readonly #log: Logger;

  constructor(codecs: Codecs, log: Logger) {
    this.#codecs = codecs;
    this.#log = log;
  }

  filter(): Filter {
    return (next) => (request) => {
      try {
        const answer = next(request);
        return answer instanceof Promise ? answer.catch((error: unknown) => this.render(request, error)) : answer;
      } catch (error) {
        return this.render(request, error);
      }
    };
  }

  render(request: Request, thrown: unknown): Response {
    // The exchange ends without a response: the listener logs why.
    if (thrown instanceof UnusableBodyError) throw thrown;
    const error = toApiError(thrown);
    if (!(error instanceof ApiError)) {
      this.#log.error('request failed', {
        method: request.method,
        path: request.path,
        err: error instanceof Error ? (error.stack ?? error.message) : String(error),
      });
    }
    const status = statusOf(error);
    const code = status.code ?? 500;
    if (request.logFields !== undefined && code >= 500 && error instanceof Error) request.logFields['statusStack'] = `\n${error.stack}`;
    const headers: OutgoingHeaders = {};
    const retryAfter = status.details?.retryAfterSeconds;
    if (retryAfter) headers['retry-after'] = String(retryAfter);
    // A response that says the client's Accept is impossible cannot honour it: then it is JSON.
    const form = this.negotiated(request) ?? json;
    headers['content-type'] = contentTypes[form.media];
    return { status: code, headers, body: encodeObject(this.#codecs, form.media, status, metaType(this.#codecs, 'Status'), form.pretty) };
  }

  /** The media type that the client wants; undefined: nothing that it accepts is available. */
  negotiated(request: Request): OutputForm | undefined {
    try {
      // An error is shown as nothing else: a client that asks for another form gets JSON.
      return negotiateOutput(request, this.#codecs.served.documents);
    } catch {
      return undefined;
    }
  }
}

/** Errors of the layers below, as responses. */
export function toApiError(error: unknown): unknown {
  if (error instanceof CacheNotReadyError) return tooManyRequests('storage is (re)initializing', 1);
  if (error instanceof CompactedError) return resourceExpired(`The resourceVersion for the provided list is too old.`);
  if (error instanceof StorageUnavailableError) {
    return new ApiError(
      {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: error.message,
        ...unavailable(error),
      },
      { cause: error },
    );
  }
  return error;
}

/** Upstream passes on what etcd says (that its space is used up, say) as an error of which it knows nothing more. */
function unavailable({ saidByStore, outcomeUnknown }: StorageUnavailableError): Pick<Status, 'reason' | 'code'> {
  if (saidByStore) return { code: 500 };
  return outcomeUnknown ? { reason: 'Timeout', code: 504 } : { reason: 'ServiceUnavailable', code: 503 };
}
