// Upstream: kube-aggregator/pkg/apiserver/{apiserver,handler_proxy}.go
import { serviceUnavailable } from '../machinery/errors.ts';
import type { WatchHandle, WatchSink } from '../storage/cache/types.ts';
import type { Handler } from '../server/http/response.ts';
import type { Resource } from '../server/registry/resource.ts';
import type { StoredEntry } from '../server/registry/entry.ts';
import type { KubeObject } from '../server/registry/definition.ts';
import type { RequestInfo } from '../server/request-info.ts';

interface ApiServiceObject extends KubeObject {
  spec: { group?: string; version?: string; service?: { namespace?: string; name?: string } | null };
}

/**
 * The outermost of the three servers: knows which group versions somebody else serves. Requests for those are not passed on to another
 * server yet; they are refused with a reason, never answered by the wrong one.
 */
export class Aggregator {
  /** `group/version` → the service that serves it */
  readonly #remote = new Map<string, string>();
  #watch: WatchHandle | undefined;

  /** Follows the APIService objects from now on. */
  async start(apiServices: Resource): Promise<void> {
    const { store, keyPrefix } = apiServices;
    await store.cache.ready();
    const sink: WatchSink<StoredEntry> = {
      event: (type, { object }) => this.#apply(type === 'DELETED', store.parse(object) as ApiServiceObject),
      bookmark: () => {},
      end: () => void this.start(apiServices),
    };
    this.#watch = store.cache.watch({ prefix: keyPrefix, matches: () => true, from: 'any', bookmarks: false, sink });
  }

  stop(): void {
    this.#watch?.close();
  }

  handler(next: Handler): Handler {
    return (request) => {
      if (this.#remote.size === 0) return next(request);
      const { isResource, group, version, path } = request.info as RequestInfo;
      const [, , ofGroup = '', ofVersion = ''] = isResource ? [] : path.split('/');
      const service = this.#remote.get(isResource ? `${group}/${version}` : `${ofGroup}/${ofVersion}`);
      if (service === undefined) return next(request);
      throw serviceUnavailable(`this server cannot pass requests on to the aggregated API server ${service} yet`);
    };
  }

  #apply(deleted: boolean, { spec }: ApiServiceObject): void {
    const key = `${spec.group ?? ''}/${spec.version ?? ''}`;
    if (deleted || !spec.service) this.#remote.delete(key);
    else this.#remote.set(key, `${spec.service.namespace ?? ''}/${spec.service.name ?? ''}`);
  }
}
