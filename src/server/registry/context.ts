import type { Turn } from '../../base/turns.ts';
import type { KubeObject } from '../../machinery/kube-object.ts';
import type { UserInfo } from '../request/user.ts';
import type { Authorizer } from '../request/authorizer.ts';
import type { Capabilities } from './capabilities.ts';
import type { FeatureGates } from './features.ts';
import type { ObjectReader } from './object-reader.ts';
import type { Tokens } from './tokens.ts';

/** What a hook writes as the server itself: admission sees it as such, as it sees requests that upstream sends to itself. */
export interface OwnWrites {
  /** The object as admission leaves it, for a hook that creates it together with something else; throws what admission refuses it with. */
  admitCreate<T extends KubeObject>(group: string, plural: string, object: T): Promise<T>;
  /** Throws what admission refuses the deletion with. */
  admitDelete(group: string, plural: string, object: KubeObject): Promise<void>;
  /** `edit` changes a copy of the newest state, again after a conflict; what it throws ends the attempt. */
  updateStatus<T extends KubeObject>(
    group: string,
    plural: string,
    namespace: string,
    name: string,
    edit: (object: T, now: string) => void,
  ): Promise<void>;
}

/** What hooks of a kind may know about the write they take part in. */
export interface WriteContext {
  readonly user: UserInfo;
  readonly namespace: string;
  readonly name: string;
  /** what the client asked for, e.g. `update` or `patch`; undefined when the server writes */
  readonly verb?: string | undefined;
  /** '' for the resource itself */
  readonly subresource: string;
  /** API version of the request, e.g. `v1` of `autoscaling/v1` */
  readonly version: string;
  readonly dryRun: boolean;
  /** the object is deleted as one of a collection */
  readonly inCollection?: boolean;
  readonly fieldManager: string;
  readonly features: FeatureGates;
  readonly capabilities: Capabilities;
  /** for rules that depend on what else the user may do */
  readonly authorizer: Authorizer;
  /** undefined: the server takes no bearer tokens */
  readonly tokens?: Tokens | undefined;
  /** the server's other objects */
  readonly reader: ObjectReader;
  /** for what a write of this kind writes beside */
  readonly own: OwnWrites;
  /** now, to the second, as it goes into objects */
  readonly now: string;
  warn(text: string): void;
  /** the object that is to be updated has passed all rules of its kind in this process: what is left as it is need not be looked at again */
  readonly isVetted?: boolean;
  /** between the stages of a write that is so large that others must get their turn meanwhile */
  readonly turn?: Turn | undefined;
}
