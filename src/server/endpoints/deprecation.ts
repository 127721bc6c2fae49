// Upstream: k8s.io/apiserver/pkg/endpoints/{installer,deprecation/deprecation}.go
import type { AuthenticatedRequest } from '../request/stages.ts';
import type { VersionedKind } from '../object/versioned-kind.ts';

/** Warns the client that it uses a deprecated version, and notes that in the audit log. */
export function warnDeprecated({ warnings }: VersionedKind, request: AuthenticatedRequest): void {
  if (warnings === undefined || warnings.length === 0) return;
  for (const text of warnings) request.warn(text);
  request.audit?.deprecated(/, unavailable in v(\d+\.\d+)\+/.exec(warnings[0] as string)?.[1]);
}
