// Upstream: k8s.io/apiserver/pkg/endpoints/discovery/aggregated/negotiation.go
import type { Request } from '../http/request.ts';
import type { Media } from '../http/media-types.ts';
import { accepts, contentTypes, parseAccept } from '../http/media-types.ts';

export interface AggregatedForm {
  readonly media: Media;
  /** only what this server itself serves, without its peers */
  readonly withoutPeers: boolean;
}

/** The form of aggregated discovery that a client asks for, in whatever place; undefined when it wants the old one. */
export function negotiateAggregated(request: Request, offered: readonly Media[]): AggregatedForm | undefined {
  const accept = request.header('accept');
  if (accept === undefined || !accept.includes('APIGroupDiscoveryList')) return undefined;
  for (const clause of parseAccept(accept)) {
    const { g: group, v: version, as: kind, profile } = clause.params;
    if (group !== 'apidiscovery.k8s.io' || version !== 'v2' || kind !== 'APIGroupDiscoveryList') continue;
    const media = offered.find((one) => accepts(clause, contentTypes[one]));
    if (media !== undefined) return { media, withoutPeers: profile === 'nopeer' };
  }
  return undefined;
}

export function aggregatedContentType(media: Media): string {
  return `${contentTypes[media]};g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList`;
}
