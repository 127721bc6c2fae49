// Upstream: k8s.io/apiserver/pkg/endpoints/{installer,deprecation/deprecation}.go
import type { AuthenticatedRequest } from '../request/stages.ts';
import type { HandlerContext } from './endpoint.ts';
import type { VersionedKind } from '../object/versioned-kind.ts';

/** Warns the client that it uses a deprecated version, and notes that in the audit log. */
export function warnDeprecated({ warnings }: VersionedKind, request: AuthenticatedRequest, { observed }: HandlerContext): void {
  if (warnings === undefined || warnings.length === 0) return;
  for (const text of warnings) request.warn(text);
  const removedRelease = /, unavailable in v(\d+\.\d+)\+/.exec(warnings[0] as string)?.[1];
  const { group, version, resource, subresource } = request.info;
  observed.deprecated.with(group, version, resource, subresource, removedRelease ?? '').set(1);
  request.audit?.deprecated(removedRelease);
}
