import type { KubeObject } from '../../machinery/kube-object.ts';
import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin, ReinvocationContext } from './admission.ts';

/** Attributes of requests whose objects are known to be of a type. */
export interface AttributesOf<T, O extends AdmissionOperation = AdmissionOperation> extends AdmissionAttributes {
  readonly operation: O;
  object: SentBy<O, T & KubeObject>;
  readonly old: StoredBefore<O, T & KubeObject>;
}

type SentBy<O, T> = O extends 'DELETE' ? undefined : T;
type StoredBefore<O, T> = O extends 'UPDATE' ? T : O extends 'DELETE' ? T | undefined : undefined;

/** Tells requests of which the types are known from others. */
export interface RequestGuard<A extends AdmissionAttributes> {
  (attributes: AdmissionAttributes): attributes is A;
  /** none but these; undefined: any */
  readonly operations?: readonly AdmissionOperation[];
}

/** Requests about one resource, or subresources of it, whose objects are of type `T`. */
export interface RequestsFor<T> {
  readonly any: RequestGuard<AttributesOf<T>>;
  /** Those that do one of these, and for which `when` holds. */
  on<O extends AdmissionOperation>(
    operations: readonly O[],
    when?: (attributes: AttributesOf<T, O>) => boolean,
  ): RequestGuard<AttributesOf<T, O>>;
}

/** Which type the objects of a resource have is said here, once per plugin: the compiler cannot know. Without subresources: the resource itself. */
export function requestsFor<T>(group: string, plural: string, ...subresources: readonly string[]): RequestsFor<T> {
  const at = subresources.length === 0 ? [''] : subresources;
  const isIt = (attributes: AdmissionAttributes): attributes is AttributesOf<T> =>
    attributes.resource.names.plural === plural && attributes.resource.group === group && at.includes(attributes.subresource);
  return {
    any: isIt,
    on: (operations, when) => {
      const does = operations as readonly AdmissionOperation[];
      const guard = (attributes: AdmissionAttributes): attributes is AttributesOf<T, (typeof operations)[number]> =>
        isIt(attributes) &&
        does.includes(attributes.operation) &&
        (when === undefined || when(attributes as AttributesOf<T, (typeof operations)[number]>));
      return Object.assign(guard, { operations: does });
    },
  };
}

export interface Hooks<A extends AdmissionAttributes> {
  mutate?(attributes: A, context: ReinvocationContext): Promise<void> | void;
  validate?(attributes: A): Promise<void> | void;
}

/** What a plugin does with these requests, and with no others. */
export function admitting<A extends AdmissionAttributes>(handles: RequestGuard<A>, hooks: Hooks<A>): Omit<AdmissionPlugin, 'name'> {
  return { handles, ...(handles.operations !== undefined && { operations: handles.operations }), ...hooks };
}
