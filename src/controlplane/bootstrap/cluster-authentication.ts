// Upstream: k8s.io/kubernetes/pkg/controlplane/controller/clusterauthenticationtrust/cluster_authentication_trust_controller.go
import { X509Certificate } from 'node:crypto';
import { deepEqual } from '../../machinery/deep-equal.ts';
import type { ConfigMap } from '../../schema/types/core-v1.ts';
import type { PostStartHook } from '../../server/api-server.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import type { ServerWriter } from '../../server/registry/server-writer.ts';

/** How this server knows its clients; other API servers of the cluster trust the same. */
export interface ClusterAuthentication {
  /** content of --client-ca-file; '' when there is none */
  readonly clientAuthorities: string;
  /** who may act as a front proxy; undefined: no client */
  readonly frontProxy?: FrontProxyAuthentication | undefined;
}

export interface FrontProxyAuthentication {
  readonly authorities: string;
  readonly allowedNames: readonly string[];
  readonly usernameHeaders: readonly string[];
  readonly uidHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly extraHeaderPrefixes: readonly string[];
}

type Data = Record<string, string>;

const expirySlackMs = 5 * 60_000;
const certificates = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Publishes what the servers of this cluster accept: what others have written stays, ours is added. */
export function clusterAuthenticationHook(writer: ServerWriter, own: ClusterAuthentication, now: () => number): PostStartHook {
  return {
    name: 'start-cluster-authentication-info-controller',
    run: async () => {
      const metadata = { name: 'extension-apiserver-authentication', namespace: 'kube-system' };
      const published = dataOf(own);
      await writer.ensure('', 'configmaps', { metadata, ...(Object.keys(published).length > 0 && { data: published }) });
      await writer.change('', 'configmaps', metadata, (configMap: ConfigMap & KubeObject) => {
        const combined = combine(configMap.data ?? {}, published, now());
        if (!deepEqual(combined, configMap.data ?? {})) configMap.data = combined;
      });
    },
  };
}

export function dataOf({ clientAuthorities, frontProxy }: ClusterAuthentication): Data {
  const data: Data = {};
  if (clientAuthorities !== '') data['client-ca-file'] = pem(clientAuthorities.match(certificates) ?? []);
  if (frontProxy === undefined) return data;
  data['requestheader-username-headers'] = JSON.stringify(frontProxy.usernameHeaders);
  if (frontProxy.uidHeaders.length > 0) data['requestheader-uid-headers'] = JSON.stringify(frontProxy.uidHeaders);
  data['requestheader-group-headers'] = JSON.stringify(frontProxy.groupHeaders);
  data['requestheader-extra-headers-prefix'] = JSON.stringify(frontProxy.extraHeaderPrefixes);
  data['requestheader-client-ca-file'] = pem(frontProxy.authorities.match(certificates) ?? []);
  data['requestheader-allowed-names'] = JSON.stringify(frontProxy.allowedNames);
  return data;
}

export function combine(theirs: Data, ours: Data, now: number): Data {
  const combined: Data = {};
  for (const key of new Set([...Object.keys(theirs), ...Object.keys(ours)])) {
    const values = [theirs[key] ?? '', ours[key] ?? ''];
    combined[key] = key.endsWith('-ca-file') ? unionOfAuthorities(values, now) : unionOfNames(values);
  }
  return combined;
}

function unionOfNames(lists: readonly string[]): string {
  const names = lists.filter((list) => list !== '').flatMap((list) => JSON.parse(list) as string[]);
  return JSON.stringify([...new Set(names)]);
}

/** Authorities that have expired are left out. */
function unionOfAuthorities(bundles: readonly string[], now: number): string {
  const blocks = new Set(bundles.flatMap((bundle) => bundle.match(certificates) ?? []));
  return pem([...blocks].filter((block) => Date.parse(new X509Certificate(block).validTo) > now - expirySlackMs));
}

function pem(blocks: readonly string[]): string {
  return blocks.map((block) => `${block}\n`).join('');
}
