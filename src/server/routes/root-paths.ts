// Upstream: k8s.io/apiserver/pkg/server/routes/index.go
import type { DiscoveryRegistry } from '../discovery/registry.ts';
import type { Handler } from '../http/response.ts';
import type { PathMux } from '../http/path-mux.ts';

/** The list of paths at `/`: those of the mux, and of the groups served at this moment. */
export function installRootPaths(mux: PathMux, registry: DiscoveryRegistry): void {
  const handler: Handler = () => ({
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify({ paths: rootPaths(mux.paths, registry) }, undefined, 2)),
  });
  mux.handleUnlisted('/', handler);
  mux.handleUnlisted('/index.html', handler);
}

function rootPaths(plain: readonly string[], registry: DiscoveryRegistry): string[] {
  const paths = new Set(plain);
  for (const { name, versions } of registry.groups) {
    if (name !== '') paths.add(`/apis/${name}`);
    for (const { version } of versions) paths.add(name === '' ? `/api/${version}` : `/apis/${name}/${version}`);
  }
  return [...paths].sort();
}
