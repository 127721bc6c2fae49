import type { ResourceClient } from './resource-client.ts';

/**
 * When a wait is over: `deleted`; the type of a condition whose status is to be True (`Available`, `Ready`); or a function of the object,
 * which is undefined while there is none.
 */
export type Condition<T> = 'deleted' | (string & {}) | ((object: T | undefined) => boolean);

export interface WaitOptions {
  /** in real time, whatever the server's clock says; default 10,000 */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

interface Conditions {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string; readonly reason?: string }[] };
}

/** Looks at the object now and after each of its changes. */
export async function waitFor<T extends object>(
  resource: ResourceClient<T>,
  name: string,
  condition: Condition<T>,
  { timeoutMs = 10_000, signal }: WaitOptions = {},
): Promise<T | undefined> {
  const holds = holdsFor(condition);
  const late = AbortSignal.timeout(timeoutMs);
  const ending = signal === undefined ? late : AbortSignal.any([late, signal]);
  const options = { fieldSelector: `metadata.name=${name}` };
  let seen: T | undefined;
  while (!ending.aborted) {
    const { metadata, items } = await resource.list(options);
    seen = items[0];
    if (holds(seen)) return seen;
    for await (const { type, object } of resource.watch({ ...options, resourceVersion: metadata.resourceVersion, signal: ending })) {
      if (type === 'ERROR') break;
      seen = type === 'DELETED' ? undefined : object;
      if (holds(seen)) return seen;
    }
  }
  signal?.throwIfAborted();
  const wanted = typeof condition === 'string' ? condition : 'as asked for';
  throw new Error(`${resource.kind} ${name} was not ${wanted} after ${timeoutMs / 1000} s; ${described(seen)}`);
}

function holdsFor<T extends object>(condition: Condition<T>): (object: T | undefined) => boolean {
  if (typeof condition === 'function') return condition;
  if (condition === 'deleted') return (object) => object === undefined;
  return (object) => conditionsOf(object).some(({ type, status }) => type === condition && status === 'True');
}

function conditionsOf(object: object | undefined): NonNullable<NonNullable<Conditions['status']>['conditions']> {
  return (object as Conditions | undefined)?.status?.conditions ?? [];
}

function described(object: object | undefined): string {
  if (object === undefined) return 'there is no such object';
  const conditions = conditionsOf(object).map(({ type, status, reason }) => `${type}=${status}${reason ? ` (${reason})` : ''}`);
  return conditions.length === 0 ? 'it has no conditions' : `its conditions are ${conditions.join(', ')}`;
}
