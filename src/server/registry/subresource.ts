import type { AuthenticatedRequest } from '../request/stages.ts';
import type { WriteContext } from './context.ts';
import type { KubeObject } from './definition.ts';
import type { Resource } from './resource.ts';

/** A call of a subresource that has a behaviour of its own. */
export interface SubresourceCall<T extends KubeObject = KubeObject> {
  readonly resource: Resource;
  readonly namespace: string;
  readonly name: string;
  /** the decoded body, for create */
  readonly body: KubeObject | undefined;
  readonly context: WriteContext;
  readonly request: AuthenticatedRequest;
  /** Asks validating admission about the body as it is now; only for those that say so, others have been asked about already. */
  validateBody(): Promise<void>;
  /** the parent as it is stored; throws not found */
  parent(): Promise<T>;
  /** changes the parent under its rules of storage and returns the stored object */
  updateParent(change: (parent: T) => T | Promise<T>): Promise<T>;
}
