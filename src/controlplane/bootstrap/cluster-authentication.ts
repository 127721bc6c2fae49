// Upstream: k8s.io/kubernetes/pkg/controlplane/controller/clusterauthenticationtrust/cluster_authentication_trust_controller.go
import { X509Certificate } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import { deepEqual } from '../../machinery/deep-equal.ts';
import type { ConfigMap } from '../../schema/types/core-v1.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import { keepObjectReconciled } from '../../server/registry/keep-reconciled.ts';
import type { ObjectReader } from '../../server/registry/object-reader.ts';
import type { ServerWriter } from '../../server/registry/server-writer.ts';
import type { BootstrapHook } from './bootstrap-hook.ts';
import { periodically } from './periodically.ts';
import { ensureNamespace } from './system-namespaces.ts';

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

/** The same, read from files that may change. */
export interface FollowedAuthentication {
  readonly current: () => ClusterAuthentication;
  /** Calls back when it may be another. */
  readonly follow: (changed: () => void) => void;
}

export interface ClusterAuthenticationOptions {
  readonly reader: ObjectReader;
  readonly authentication: FollowedAuthentication;
  readonly clock: Clock;
  readonly log: Logger;
}

const metadata = { name: 'extension-apiserver-authentication', namespace: 'kube-system' };
const intervalMs = 60_000;

/**
 * Publishes what the servers of this cluster accept: what others have written stays, ours is added. What cannot be understood is left alone,
 * and does not keep the server from getting ready.
 */
export function clusterAuthenticationHook(writer: ServerWriter, options: ClusterAuthenticationOptions): BootstrapHook {
  const { reader, authentication, clock, log } = options;
  const resource = reader.resource('', 'configmaps');
  const { store } = resource;
  const publish = async (): Promise<void> => {
    const ours = dataOf(authentication.current());
    const entry = await store.getCurrent(metadata.namespace, metadata.name);
    if (entry === undefined) {
      const data = combine({}, ours, clock.now());
      if (Object.keys(data).length === 0) return;
      await ensureNamespace(writer, metadata.namespace);
      await writer.ensure('', 'configmaps', { metadata, data } as KubeObject);
      return;
    }
    await writer.change('', 'configmaps', metadata, (configMap: ConfigMap & KubeObject) => {
      const combined = combine(configMap.data ?? {}, ours, clock.now());
      if (!deepEqual(combined, configMap.data ?? {})) configMap.data = combined;
    });
  };
  const name = 'ConfigMap kube-system/extension-apiserver-authentication';
  const failed = (error: unknown): void => log.error(`${name} could not be written`, { err: error });
  return {
    name: 'start-cluster-authentication-info-controller',
    begin: () => publish().catch(failed),
    run: async (signal) => {
      const kept = { name, resource, namespace: metadata.namespace, object: metadata.name, signal, clock, log };
      const { request } = keepObjectReconciled({ ...kept, reconcile: publish });
      authentication.follow(request);
      periodically(publish, { everyMs: intervalMs, clock, signal, failed });
    },
  };
}

export function dataOf({ clientAuthorities, frontProxy }: ClusterAuthentication): Data {
  const data: Data = {};
  if (clientAuthorities !== '') data['client-ca-file'] = clientAuthorities;
  if (frontProxy === undefined) return data;
  data['requestheader-username-headers'] = JSON.stringify(frontProxy.usernameHeaders);
  data['requestheader-uid-headers'] = JSON.stringify(frontProxy.uidHeaders);
  data['requestheader-group-headers'] = JSON.stringify(frontProxy.groupHeaders);
  data['requestheader-extra-headers-prefix'] = JSON.stringify(frontProxy.extraHeaderPrefixes);
  data['requestheader-client-ca-file'] = frontProxy.authorities;
  data['requestheader-allowed-names'] = JSON.stringify(frontProxy.allowedNames);
  return data;
}

const nameKeys = ['username-headers', 'uid-headers', 'group-headers', 'extra-headers-prefix', 'allowed-names'].map(
  (name) => `requestheader-${name}`,
);

/** Keys of others go. Names mean nothing without an authority for front proxies. Throws when one of the values is not what its key says. */
export function combine(theirs: Data, ours: Data, now: number): Data {
  const combined: Data = {};
  const both = (key: string): string[] => [theirs[key] ?? '', ours[key] ?? ''].filter((value) => value !== '');
  const names = nameKeys.map((key) => [key, unionOfNames(both(key))] as const);
  for (const key of ['client-ca-file', 'requestheader-client-ca-file']) {
    const authorities = unionOfAuthorities(key, both(key), now);
    if (authorities !== '') combined[key] = authorities;
  }
  if (combined['requestheader-client-ca-file'] === undefined) return combined;
  for (const [key, list] of names) if (list.length > 0 || key !== 'requestheader-uid-headers') combined[key] = JSON.stringify(list);
  return combined;
}

function unionOfNames(lists: readonly string[]): string[] {
  const names = lists.flatMap((list) => {
    const parsed: unknown = JSON.parse(list);
    if (!Array.isArray(parsed) || !parsed.every((name) => typeof name === 'string')) throw new Error(`not a list of names: ${list}`);
    return parsed;
  });
  return [...new Set(names)];
}

/** Authorities that have expired are left out. */
function unionOfAuthorities(key: string, bundles: readonly string[], now: number): string {
  const found = new Set<string>();
  for (const bundle of bundles) {
    const blocks = bundle.match(certificates);
    if (blocks === null) throw new Error(`${key} has no certificate`);
    for (const block of blocks) {
      const certificate = new X509Certificate(block);
      if (Date.parse(certificate.validTo) > now - expirySlackMs) found.add(certificate.toString());
    }
  }
  return [...found].join('');
}
