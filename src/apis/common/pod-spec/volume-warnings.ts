// Upstream: k8s.io/kubernetes/pkg/api/pod/warnings.go#warningsForOverlappingVirtualPaths
import { withoutTrailing } from '../../../base/trailing.ts';
import { append } from '../../../machinery/append.ts';
import { goQuote } from '../../../machinery/go-format.ts';
import type { Volume, VolumeProjection } from '../../../schema/types/core-v1.ts';

/** A file that a volume will hold, and who puts it there. */
interface VirtualFile {
  readonly path: string;
  readonly source: string;
}

/** Files of one volume that hide each other. */
export function overlapWarnings(volumes: readonly Volume[] | undefined): string[] {
  const warnings: string[] = [];
  for (const { name, configMap, secret, downwardAPI, projected } of volumes ?? []) {
    if (configMap?.items) append(warnings, overlapsOf(name, `ConfigMap ${goQuote(configMap.name ?? '')}`, filesOf(configMap.items, '')));
    if (secret?.items) append(warnings, overlapsOf(name, `Secret ${goQuote(secret.secretName ?? '')}`, filesOf(secret.items, '')));
    if (downwardAPI?.items) append(warnings, overlapsOf(name, 'DownwardAPI', filesOf(downwardAPI.items, '')));
    if (!projected?.sources) continue;
    for (const source of projected.sources) {
      if (Object.keys(source).length === 0) warnings.push(`volume ${goQuote(name)} (Projected) has no sources provided`);
    }
    append(warnings, overlapsOf(name, 'Projected', projected.sources.flatMap(projectedFiles)));
  }
  return warnings;
}

function filesOf(items: readonly { readonly path: string }[], source: string): VirtualFile[] {
  return items.map(({ path }) => ({ path, source }));
}

function projectedFiles(projection: VolumeProjection): VirtualFile[] {
  const { configMap, secret, downwardAPI, serviceAccountToken, clusterTrustBundle: bundle, podCertificate } = projection;
  if (configMap?.items !== undefined) return filesOf(configMap.items, `ConfigMap ${goQuote(configMap.name ?? '')}`);
  if (secret?.items !== undefined) return filesOf(secret.items, `Secret ${goQuote(secret.name ?? '')}`);
  if (downwardAPI?.items !== undefined) return filesOf(downwardAPI.items, 'DownwardAPI');
  if (serviceAccountToken !== undefined) return [{ path: serviceAccountToken.path, source: 'ServiceAccountToken' }];
  if (bundle !== undefined) {
    return [{ path: bundle.path, source: `ClusterTrustBundle ${goQuote(bundle.name ?? bundle.signerName ?? '')}` }];
  }
  return [
    { path: podCertificate?.certificateChainPath ?? '', source: 'PodCertificate chain' },
    { path: podCertificate?.keyPath ?? '', source: 'PodCertificate key' },
    { path: podCertificate?.credentialBundlePath ?? '', source: 'PodCertificate credential bundle' },
  ].filter(({ path }) => path !== '');
}

function overlapsOf(volume: string, description: string, files: readonly VirtualFile[]): string[] {
  const seen: VirtualFile[] = [];
  const warnings: string[] = [];
  for (const { path, source } of files) {
    const file = { path: withoutTrailing(path, '/'), source };
    for (const other of seen) {
      if (!hide(file.path, other.path)) continue;
      warnings.push(`volume ${goQuote(volume)} (${description}): overlapping paths: ${show(file)} with ${show(other)}`);
    }
    seen.push(file);
  }
  return warnings;
}

function hide(path: string, other: string): boolean {
  if (path === '' || other === '') return false;
  return `${path}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${path}/`);
}

function show({ path, source }: VirtualFile): string {
  return source === '' ? goQuote(path) : `${goQuote(path)} (${source})`;
}
