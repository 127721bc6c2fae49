// Upstream: k8s.io/apiserver/pkg/audit/context.go
import type { ObjectMeta } from '../../machinery/object-meta.ts';
import type { UserInfo } from './user.ts';

/** Where time goes. */
export type Layer = 'authentication' | 'authorization';

/** What filters and handlers tell the audit log about the request that they serve. */
export interface AuditContext {
  begins(layer: Layer): void;
  ends(layer: Layer): void;
  /** The object that was sent; `encode` makes its JSON. */
  sent(metadata: ObjectMeta | undefined, encode: () => string): void;
  /** The patch that was sent, as JSON. */
  sentPatch(json: () => string): void;
  /** The API that is used will be gone, perhaps it is known when. */
  deprecated(removedRelease: string | undefined): void;
  impersonated(user: UserInfo, constraint: string): void;
  /** What is to be in the log beside the request, from this level on; the first value of a key stays. */
  annotate(key: string, value: string, level?: 'Metadata' | 'Request'): void;
}
