import type { ParityClient } from '../parity/client.ts';

export interface ServedKind {
  /** `/api/v1`, `/apis/apps/v1` */
  readonly prefix: string;
  readonly plural: string;
  readonly isNamespaced: boolean;
  readonly verbs: readonly string[];
}

interface DiscoveryList {
  readonly items: readonly {
    readonly metadata: { readonly name?: string };
    readonly versions: readonly {
      readonly version: string;
      readonly resources?: readonly {
        readonly resource: string;
        readonly scope: string;
        readonly verbs: readonly string[];
        readonly responseKind?: { readonly kind: string };
      }[];
    }[];
  }[];
}

/** By `apiVersion kind`. */
export async function servedKinds(client: ParityClient): Promise<Map<string, ServedKind>> {
  const kinds = new Map<string, ServedKind>();
  for (const path of ['/api', '/apis']) {
    const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
    const response = await client.ask({ method: 'GET', path, headers: { accept } });
    if (!('body' in response)) throw new Error(`no discovery document at ${path}: ${JSON.stringify(response)}`);
    for (const { metadata, versions } of (JSON.parse(response.body.toString()) as DiscoveryList).items)
      for (const { version, resources = [] } of versions)
        for (const { resource: plural, scope, verbs, responseKind } of resources) {
          const apiVersion = metadata.name ? `${metadata.name}/${version}` : version;
          const prefix = metadata.name ? `/apis/${apiVersion}` : `/api/${version}`;
          const key = `${apiVersion} ${responseKind?.kind ?? ''}`;
          if (verbs.includes('create') && !kinds.has(key)) kinds.set(key, { prefix, plural, isNamespaced: scope === 'Namespaced', verbs });
        }
  }
  return kinds;
}
