// Upstream: k8s.io/apiserver/pkg/server/options/etcd.go#ParseEtcdServersOverrides
import type { EtcdOverride } from '../../controlplane/storage.ts';

const problem = '--etcd-servers-overrides invalid, must be of format: group/resource#servers, where servers are URLs, semicolon separated';

/** `group/resource#server;server`; a text is what is wrong. */
export function parseEtcdOverrides(texts: readonly string[]): EtcdOverride[] | string {
  const overrides: EtcdOverride[] = [];
  for (const text of texts) {
    const [name = '', servers, ...rest] = text.split('#');
    const [group = '', resource, ...more] = name.split('/');
    const endpoints = servers?.split(';') ?? [];
    if (servers === undefined || resource === undefined || rest.length + more.length > 0 || endpoints.includes('')) return problem;
    overrides.push({ of: { group, resource }, endpoints });
  }
  return overrides;
}
