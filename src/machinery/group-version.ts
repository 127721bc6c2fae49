// Upstream: k8s.io/apimachinery/pkg/runtime/schema/group_version.go
import type { GroupVersion, GroupVersionKind } from './type-model.ts';

/** The parts of an apiVersion, or undefined when it has more than one slash. */
export function parseGroupVersion(apiVersion: string): GroupVersion | undefined {
  if (apiVersion === '' || apiVersion === '/') return { group: '', version: '' };
  const slash = apiVersion.indexOf('/');
  if (slash < 0) return { group: '', version: apiVersion };
  if (apiVersion.includes('/', slash + 1)) return undefined;
  return { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) };
}

/** The message of upstream for an apiVersion that does not parse. */
export function unexpectedGroupVersionMessage(apiVersion: string): string {
  return `unexpected GroupVersion string: ${apiVersion}`;
}

/** `apps/v1, Kind=Deployment`; the core group shows as `/v1, Kind=Pod`. */
export function describeKind({ group, version, kind }: GroupVersionKind): string {
  return `${group}/${version}, Kind=${kind}`;
}
