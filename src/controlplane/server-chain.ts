// Upstream: k8s.io/kubernetes/cmd/kube-apiserver/app/server.go#CreateServerChain
import type { Aggregator } from '../aggregator/aggregator.ts';
import type { PeerProxy } from '../aggregator/peers/peer-proxy.ts';
import type { Handler } from '../server/http/response.ts';
import type { PathMux } from '../server/http/path-mux.ts';
import type { AuthenticatedRequest } from '../server/request/stages.ts';
import type { ResourceRouter } from '../server/endpoints/router.ts';

export interface ServerChain {
  /** undefined: nothing is passed on to other API servers */
  readonly peers: PeerProxy | undefined;
  readonly aggregator: Aggregator;
  /** built-in resources */
  readonly kubeApiServer: ResourceRouter;
  /** paths that are no resources: health, discovery, OpenAPI, ... */
  readonly paths: PathMux;
  /** custom resources */
  readonly apiExtensions: ResourceRouter;
  /** the end */
  readonly notFound: Handler<AuthenticatedRequest>;
}

/** The delegation chain: each server handles what is its own and passes the rest on. (peers →) aggregator → kube-apiserver → apiextensions → 404 */
export function delegate({ peers, aggregator, kubeApiServer, paths, apiExtensions, notFound }: ServerChain): Handler<AuthenticatedRequest> {
  const own = aggregator.handler(kubeApiServer.handler(apiExtensions.handler(paths.handler(notFound))));
  return peers?.handler(own) ?? own;
}
