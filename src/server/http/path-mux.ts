// Upstream: k8s.io/apiserver/pkg/server/mux/pathrecorder.go
import type { Request } from './request.ts';
import type { Handler, Response } from './response.ts';
import { textResponse } from './response.ts';

/** Plain paths: exact ones first, then the longest prefix, then the next handler. */
export class PathMux {
  readonly #exact = new Map<string, Handler>();
  readonly #prefixes = new Map<string, Handler>();
  readonly #unlisted = new Set<string>();
  /** length of the longest prefix: what stands behind it in a path need not be looked at, and a path may have a million slashes */
  #longest = 0;

  handle(path: string, handler: Handler): void {
    this.#exact.set(path, handler);
  }

  /** A path that the list at `/` does not show. */
  handleUnlisted(path: string, handler: Handler): void {
    this.handle(path, handler);
    this.#unlisted.add(path);
  }

  /** `prefix` ends with a slash. */
  handlePrefix(prefix: string, handler: Handler): void {
    this.#prefixes.set(prefix, handler);
    this.#longest = Math.max(this.#longest, prefix.length);
  }

  /** Gives another handler to the paths that are there and chosen. */
  replace(chosen: (path: string) => boolean, handler: Handler): void {
    for (const paths of [this.#exact, this.#prefixes]) for (const path of paths.keys()) if (chosen(path)) paths.set(path, handler);
  }

  /** for the list at `/` */
  get paths(): readonly string[] {
    return [...this.#exact.keys()].filter((path) => !this.#unlisted.has(path));
  }

  handler<R extends Request>(next: Handler<R>): Handler<R> {
    return (request) => {
      const exact = this.#exact.get(request.path);
      if (exact !== undefined) return exact(request);
      const { path } = request;
      for (let slash = path.lastIndexOf('/', this.#longest - 1); slash >= 0; slash = slash === 0 ? -1 : path.lastIndexOf('/', slash - 1)) {
        const prefixed = this.#prefixes.get(path.slice(0, slash + 1));
        if (prefixed !== undefined) return prefixed(request);
      }
      return next(request);
    };
  }
}

/** The end of the delegation chain. */
export function notFoundHandler(): Response {
  return textResponse(404, '404 page not found\n');
}
