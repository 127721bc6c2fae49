// Upstream: apiserver/pkg/endpoints/{installer,deprecation/deprecation}.go
import type { AuthenticatedRequest } from '../request/stages.ts';
import type { Representation } from '../object/representation.ts';

/** Whoever uses a version that is deprecated is told, and so is the audit log. */
export function tellDeprecated({ warnings }: Representation, request: AuthenticatedRequest): void {
  if (warnings === undefined || warnings.length === 0) return;
  for (const text of warnings) request.warn(text);
  request.audit?.deprecated(/, unavailable in v(\d+\.\d+)\+/.exec(warnings[0] as string)?.[1]);
}
