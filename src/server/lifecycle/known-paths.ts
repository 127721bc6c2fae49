// Upstream: k8s.io/apiserver/pkg/util/notfoundhandler/not_found_handler.go
// Upstream: k8s.io/apiserver/pkg/endpoints/filters/mux_discovery_complete.go
import { serviceUnavailable } from '../../machinery/errors.ts';
import { notFoundHandler } from '../http/path-mux.ts';
import type { Handler } from '../http/response.ts';

const retryAfterSeconds = 5;

/**
 * The end of the delegation chain. Until every custom resource and every APIService is known, it is not known that there is nothing at a
 * path: controllers delete what the server says does not exist.
 */
export class KnownPaths {
  #completeAt = Infinity;

  /** From now on, what is not found does not exist. */
  complete(): void {
    if (this.#completeAt === Infinity) this.#completeAt = performance.now();
  }

  /** Goes by when the request came: those who looked for its path may have looked too early. */
  readonly notFound: Handler = (request) => {
    if (request.receivedAt > this.#completeAt) return notFoundHandler();
    const message = 'the request has been made before all known HTTP paths have been installed, please try again';
    throw serviceUnavailable(message, retryAfterSeconds);
  };
}
