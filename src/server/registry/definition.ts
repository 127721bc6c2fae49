/**
 * What a kind is: one definition with small hooks. Names, scope, short names, categories, verbs, versions and the storage key of
 * built-in kinds are facts of the generated tables; a definition adds behaviour. What is omitted has upstream's default.
 */
import type { Steps } from '../../base/steps.ts';
import type { FieldError } from '../../machinery/field.ts';
import type { KubeObject } from '../../machinery/kube-object.ts';
import type { GroupVersionKind } from '../../machinery/type-model.ts';
import type { DeleteOptions } from './delete.ts';
import type { AuthenticatedRequest } from '../request/stages.ts';
import type { Response } from '../http/response.ts';
import type { Operation } from '../../storage/storage.ts';
import type { Column } from '../../table/column.ts';
import type { RowCondition } from '../../table/table.ts';
import type { WriteContext } from './context.ts';
import type { SubresourceCall } from './subresource.ts';

export type { KubeObject };

export type Verb = 'create' | 'get' | 'list' | 'watch' | 'update' | 'patch' | 'delete' | 'deletecollection';

export interface ResourceDefinition<T extends KubeObject = KubeObject> {
  readonly group: string;
  /** e.g. `configmaps` */
  readonly plural: string;
  readonly strategy?: Strategy<T>;
  /** not stored: the handler of a POST (access reviews, token reviews, bindings) */
  readonly virtual?: VirtualResource<T>;
  /** hooks of the status subresource, where the kind has one; spec and most metadata are kept from the stored object */
  readonly status?: StatusStrategy<T>;
  /** /scale: where replicas and selector are */
  readonly scale?: ScaleDefinition<T>;
  /** further subresources, by name: `binding`, `eviction`, `token`, ... */
  readonly subresources?: Readonly<Record<string, Subresource<T>>>;
  /** what `kubectl get` shows; default: name and age */
  readonly columns?: readonly Column<T>[];
  /** conditions of an object's row, e.g. that it is completed */
  readonly rowConditions?: (object: T) => readonly RowCondition[];
  /** order of the rows of a list; default: by key */
  readonly rowOrder?: (a: T, b: T) => number;
  /** annotations that hold what is a field of upstream's own type: only whole objects show them */
  readonly fieldAnnotations?: readonly string[];
  /** field selectors beyond metadata.name and metadata.namespace */
  readonly selectableFields?: Readonly<Record<string, (object: T) => string>>;
  /** text of the 400 for a field selector that the kind does not know */
  readonly unknownFieldLabel?: (label: string, apiVersion: string) => string;
  /** selectable fields to keep an index of */
  readonly indexedFields?: readonly string[];
  /** the version in which objects are kept and hooks see them, where it is not the one that upstream stores */
  readonly hubVersion?: string;
  /** kept in etcd as JSON of this version, whatever the others are kept as: upstream's storage of the kind knows nothing else */
  readonly jsonStorageVersion?: string;
  /** versions whose shape differs from the storage version's */
  readonly conversions?: Readonly<Record<string, Conversion<T>>>;
  /** seconds until the object vanishes (events); undefined: it stays */
  readonly ttlSeconds?: (object: T, context: WriteContext) => number | undefined;
}

/** A resource that is not stored. */
export interface VirtualResource<T extends KubeObject = KubeObject> {
  /** Fills in the result; the body has been decoded, defaulted and admitted. Status is 201. */
  readonly create?: (body: T, context: WriteContext, request: AuthenticatedRequest) => Promise<KubeObject> | KubeObject;
  readonly get?: (name: string, context: WriteContext) => Promise<KubeObject>;
  readonly list?: (context: WriteContext) => Promise<readonly KubeObject[]>;
  readonly columns?: readonly Column<KubeObject>[];
}

/** From and to the storage version; objects may be changed in place and returned. */
export interface Conversion<T extends KubeObject = KubeObject> {
  /** `before`: the object that this one is a changed form of. Upstream converts over it, so that what this version lacks stays. */
  toStorage(object: KubeObject, before?: T): T;
  fromStorage(object: T): KubeObject;
  /** label of a field selector in this version → label in the storage version */
  readonly fieldLabels?: Readonly<Record<string, string>>;
}

/** What may depend on the API version of a request. */
export type PerVersion<V> = V | ((version: string) => V);

export function forVersion<V extends boolean>(value: PerVersion<V>, version: string): V {
  return typeof value === 'function' ? value(version) : value;
}

export type NameValidator = (name: string, prefix: boolean) => readonly string[];

export interface Strategy<T extends KubeObject = KubeObject> {
  /** PUT of a name that does not exist creates it; default false */
  readonly allowCreateOnUpdate?: boolean;
  /** PUT without a resourceVersion overwrites; default true */
  readonly allowUnconditionalUpdate?: PerVersion<boolean>;
  /** default: DNS subdomain, through `validate` of the kind's metadata */
  readonly validateName?: NameValidator;
  /** its own validation says nothing about metadata: only the rules of every kind hold, after its own */
  readonly skipsMetadataValidation?: boolean;
  /** `validateUpdate` begins with all metadata: names of finalizers are not looked at before it */
  readonly validatesMetadataOnUpdate?: boolean;
  /** A quirk of kinds that upstream has no declared rules for: a fault is listed as often as it is found. */
  readonly repeatsErrors?: boolean;
  /** metadata.generation: 1 on create, one more whenever anything outside metadata and status changes; default: as the tables say for the kind.
   * `in-memory`, a quirk of some kinds: an empty list or map counts as changed where there was none, as Go's memory has it. */
  readonly generation?: boolean | 'in-memory';
  /** without this feature there is no generation but what a client says */
  readonly generationFeature?: string;
  /** how a name is made of `generateName`; default: with a random end */
  readonly generateName?: (prefix: string) => string;
  /** a create may bring a status (nodes); default: it is dropped where the kind has a status subresource */
  readonly keepsStatusOnCreate?: boolean;
  /** defaulting beyond the declared defaults; runs on every decoded object, at the version in the request */
  readonly defaults?: (object: T, version: string) => void;
  /** the same for fields that default to the time when the object was decoded */
  readonly timeDefaults?: (object: T, version: string, now: string) => void;
  /** upstream keeps a new object without what it fills in when it reads it: the first update is a write, even when it changes nothing */
  readonly createdWithoutDefaults?: boolean;
  /** upstream stores this object in another form than it reads back: the next update is a write, even when it changes nothing */
  readonly isReadOtherwise?: (object: T) => boolean;
  /** makes numbers of bigints where the type has floats: an integer beyond 2^53 was read as one */
  readonly readFloats?: (object: T) => void;
  readonly prepareForCreate?: (object: T, context: WriteContext) => void;
  readonly prepareForUpdate?: (object: T, old: T, context: WriteContext) => void;
  readonly validate?: (object: T, context: WriteContext) => FieldError[];
  /** metadata rules have been checked already */
  readonly validateUpdate?: (object: T, old: T, context: WriteContext) => FieldError[];
  /** instead of both: validation that may take long, and pauses then; there is no old object in a create */
  readonly validateInSteps?: (object: T, old: T | undefined, context: WriteContext) => Steps<FieldError[]>;
  /** asked of every prepared object: what the user may not write into it; such errors come before those of the kind's own rules */
  readonly validateAccess?: (object: T, old: T | undefined, context: WriteContext) => Promise<FieldError[]>;
  /** asked last, of an object that keeps all other rules: what only others know, such as whether the user may read what it refers to */
  readonly validateReferences?: (object: T, old: T | undefined, context: WriteContext) => Promise<FieldError[]>;
  /** all that the type declares is among the written rules too: with declared rules off these alone count */
  readonly writesDeclaredRules?: boolean;
  /** what declared rules mean by `ifEnabled` and `ifDisabled`, where it is more than the feature gate of that name */
  readonly declaredOptions?: (object: T, old: T | undefined, context: WriteContext) => Readonly<Record<string, boolean>>;
  readonly warningsOnCreate?: (object: T, context: WriteContext) => readonly string[];
  readonly warningsOnUpdate?: (object: T, old: T, context: WriteContext) => readonly string[];
  readonly warningsOnDelete?: (options: DeleteOptions) => readonly string[];
  readonly canonicalize?: (object: T) => void;
  /** Throws when the user may not write this object although they may write the resource: no user can grant more than the user has. */
  readonly authorize?: (object: T, old: T | undefined, context: WriteContext) => Promise<void>;
  /** reserves what the object needs (addresses, ports) and may fill it in; called again, with the object as it was, when the reservation was lost */
  readonly beginCreate?: (object: T, context: WriteContext) => Promise<Reservation>;
  readonly beginUpdate?: (object: T, old: T, context: WriteContext) => Promise<Reservation>;
  /** gives back what the object had */
  readonly beginDelete?: (object: T, context: WriteContext) => Promise<Reservation>;
  /** supports graceful deletion: sets options.gracePeriodSeconds and says whether to be graceful now */
  readonly gracefulDelete?: (object: T, options: DeleteOptions) => boolean;
  /** false: the object may have a reason to stay although its finalizers are gone (namespaces) */
  readonly deleteDuringUpdate?: (object: T, old: T) => boolean;
  /** what happens to dependents where the request does not say; default background */
  readonly garbageCollection?: 'background' | 'orphan' | 'unsupported';
  /** responds to a DELETE with the deleted object instead of a Status; default false */
  readonly returnDeletedObject?: PerVersion<boolean>;
  /** fields that a writer of this endpoint cannot own, as paths; default: status where the kind has one */
  readonly resetFields?: readonly (readonly string[])[];
  /** deletes and checks by itself (namespaces) instead of the generic way */
  readonly beforeDelete?: (object: T, options: DeleteOptions, context: WriteContext) => Promise<DeleteDecision<T>> | DeleteDecision<T>;
}

/** What a kind with its own way of deletion wants: go on as usual, return what is stored, or store this object and return it. */
export type DeleteDecision<T extends KubeObject = KubeObject> =
  | { readonly proceed: true }
  | { readonly proceed: false; readonly update?: (object: T) => T };

/** What a write takes or gives back besides its own key. All of it is written in one transaction, or nothing is. */
export interface Reservation {
  /** asked for right before the transaction; not at all in a dry run */
  operations(): readonly Operation[] | Promise<readonly Operation[]>;
  /** called once, whatever happened: with the transaction's revision, or undefined when nothing was written; the response waits for it */
  finish(revision: number | undefined): void | Promise<void>;
}

export interface StatusStrategy<T extends KubeObject = KubeObject> {
  /** the change has been stored */
  readonly written?: (object: T, old: T) => void;
  readonly prepareForUpdate?: (object: T, old: T, context: WriteContext) => void;
  readonly validateUpdate?: (object: T, old: T, context: WriteContext) => FieldError[];
  readonly warningsOnUpdate?: (object: T, old: T, context: WriteContext) => readonly string[];
  readonly validateInSteps?: NonNullable<Strategy<T>['validateInSteps']>;
  readonly validateAccess?: NonNullable<Strategy<T>['validateAccess']>;
  readonly validateReferences?: NonNullable<Strategy<T>['validateReferences']>;
  readonly resetFields?: readonly (readonly string[])[];
  /** as for the kind, where it differs */
  readonly skipsMetadataValidation?: boolean;
}

export interface ScaleDefinition<T extends KubeObject = KubeObject> {
  /** A custom resource may have no replicas: then there is nothing to show, and a write must say how many. */
  readonly isUnset?: (object: T) => boolean;
  /** kind of the response: autoscaling/v1 Scale */
  readonly replicas: (object: T) => number;
  readonly setReplicas: (object: T, replicas: number) => void;
  readonly statusReplicas: (object: T) => number;
  readonly selector: (object: T) => string;
  /** where the wanted replicas are, for those who own them; default `spec.replicas` */
  readonly replicasPath?: readonly string[];
}

/** A subresource with a behaviour of its own. */
export interface Subresource<T extends KubeObject = KubeObject> {
  /** kind of request bodies when it is not the resource's own */
  readonly body?: GroupVersionKind;
  /** versions of such bodies, of the same shape, that are taken besides that one */
  readonly bodyVersions?: readonly string[];
  /** defaulting of such bodies beyond the declared defaults */
  readonly defaults?: (body: KubeObject) => void;
  /** `create` completes the body first and then calls `validateBody` itself */
  readonly validatesBody?: boolean;
  readonly get?: (call: SubresourceCall<T>) => Promise<unknown>;
  readonly create?: (call: SubresourceCall<T>) => Promise<unknown>;
  readonly update?: SubresourceUpdate<T>;
  readonly connect?: (call: SubresourceCall<T>) => Promise<Response>;
  /** passes on whatever comes: every method, and paths below it */
  readonly proxies?: true;
}

/** An update of the parent through a subresource of the parent's own type (status, finalize, resize, ephemeralcontainers, approval). */
export type SubresourceUpdate<T extends KubeObject = KubeObject> = Pick<
  Strategy<T>,
  | 'prepareForUpdate'
  | 'validateUpdate'
  | 'validateInSteps'
  | 'warningsOnUpdate'
  | 'validateAccess'
  | 'validateReferences'
  | 'resetFields'
  | 'skipsMetadataValidation'
  | 'allowUnconditionalUpdate'
  | 'deleteDuringUpdate'
> &
  Pick<StatusStrategy<T>, 'written'>;

/** The one way to declare a kind; exists for its types. */
export function defineResource<T extends KubeObject>(definition: ResourceDefinition<T>): ResourceDefinition {
  return definition as unknown as ResourceDefinition;
}
