// Upstream: k8s.io/kubernetes/pkg/registry/core/pod/storage/eviction.go
import { setTimeout as sleep } from 'node:timers/promises';
import { badRequest, conflict, invalid, isReason, notFound, timeout } from '../../../machinery/errors.ts';
import { FieldPath, invalid as invalidField } from '../../../machinery/field.ts';
import type { Eviction } from '../../../schema/types/policy-v1.ts';
import type { WriteContext } from '../../../server/registry/context.ts';
import type { DeleteOptions } from '../../../server/registry/delete.ts';
import { deleteObject } from '../../../server/registry/delete.ts';
import type { Subresource } from '../../../server/registry/definition.ts';
import type { Resource } from '../../../server/registry/resource.ts';
import { isPodReady, setPodCondition } from '../../common/pod-conditions.ts';
import { budgetsOf, stillProcessing, takeDisruption } from './disruption-budgets.ts';
import type { Budget } from './disruption-budgets.ts';
import type { PodObject } from './pod-object.ts';

const retries = 20;
const retryMilliseconds = 500;

/** Deletes a pod if its disruption budget allows. */
export const eviction: Subresource<PodObject> = {
  body: { group: 'policy', version: 'v1', kind: 'Eviction' },
  bodyVersions: ['v1beta1'],
  async create({ resource, name, body, context, parent }) {
    const asked = body as Eviction;
    if (asked.metadata.name !== name) throw badRequest('name in URL does not match name in Eviction object');
    const options = optionsOf(asked, name);
    const write: WriteContext = { ...context, dryRun: context.dryRun || (options.dryRun?.length ?? 0) > 0 };
    const evict = { resource, name, options, context: write };
    const pod = await parent();
    if (ignoresBudgets(pod)) await retryConflicts(options, async () => deleteUnguarded(await parent(), evict));
    else await deleteGuarded(pod, evict);
    return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };
  },
};

interface Evict {
  readonly resource: Resource;
  readonly name: string;
  readonly options: DeleteOptions;
  readonly context: WriteContext;
}

function optionsOf({ deleteOptions }: Eviction, name: string): DeleteOptions {
  const options = { ...deleteOptions } as DeleteOptions;
  if (options.ignoreStoreReadErrorWithClusterBreakingPotential) {
    const path = FieldPath.root('deleteOptions').child('ignoreStoreReadErrorWithClusterBreakingPotential');
    const error = invalidField(path, true, 'can not be set for pod eviction, try after removing the option');
    throw invalid({ group: 'policy', kind: 'Eviction' }, name, [error]);
  }
  return options;
}

/** Eviction of a pod that does not run disrupts nothing. */
function ignoresBudgets({ status, metadata }: PodObject): boolean {
  const { phase } = status;
  return phase === 'Succeeded' || phase === 'Failed' || phase === 'Pending' || metadata.deletionTimestamp !== undefined;
}

/** It must still be in the state that lets it go without asking, unless that state is final. */
async function deleteUnguarded(pod: PodObject, evict: Evict): Promise<void> {
  const { phase } = pod.status;
  const final = phase === 'Succeeded' || phase === 'Failed' || pod.metadata.deletionTimestamp !== undefined;
  const options = final || evict.options.preconditions?.resourceVersion !== undefined ? evict.options : atRevision(evict.options, pod);
  await markAndDelete({ ...evict, options });
}

function atRevision(options: DeleteOptions, { metadata }: PodObject): DeleteOptions {
  return { ...options, preconditions: { ...options.preconditions, resourceVersion: metadata.resourceVersion as string } };
}

async function deleteGuarded(pod: PodObject, evict: Evict): Promise<void> {
  const [budget, ...others] = await budgetsOf(pod, evict.context.reader);
  // Returned without a reason, like any fault of the server.
  if (others.length > 0) {
    throw new Error('This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.');
  }
  if (budget === undefined) return markAndDelete(evict);
  if (!isPodReady(pod.status) && unreadyMayGo(budget)) {
    try {
      return await markAndDelete({ ...evict, options: atRevision(evict.options, pod) });
    } catch (error) {
      // It changed meanwhile and may be ready now: the client looks again.
      if (isReason(error, 'Conflict') && evict.options.preconditions?.resourceVersion === undefined) {
        throw stillProcessing(budget.metadata.name ?? '');
      }
      throw error;
    }
  }
  await takeDisruption(budget, pod.metadata.name ?? '', evict.context);
  return markAndDelete(evict);
}

/** Pods that are not ready count for no budget; they may go when the others are enough, or when the budget says so. */
function unreadyMayGo({ spec, status }: Budget): boolean {
  if (spec.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true;
  return status.currentHealthy >= status.desiredHealthy && status.desiredHealthy > 0;
}

/** Tells why the pod goes, then deletes it. */
async function markAndDelete({ resource, name, options, context }: Evict): Promise<void> {
  let chosen = options;
  if (!context.dryRun) {
    const revision = await mark(resource, name, options, context);
    if (options.preconditions?.resourceVersion !== undefined) {
      chosen = { ...options, preconditions: { ...options.preconditions, resourceVersion: revision } };
    }
  }
  await deleteObject(resource, name, chosen, context, undefined);
}

async function mark(resource: Resource, name: string, { preconditions }: DeleteOptions, context: WriteContext): Promise<string> {
  const { store, groupResource } = resource;
  for (;;) {
    const entry = await store.getCurrent(context.namespace, name);
    if (entry === undefined) throw notFound(groupResource, name);
    const pod = store.parse(entry) as PodObject;
    checkPreconditions(pod, preconditions);
    const message = 'Eviction API: evicting';
    setPodCondition(pod.status, { type: 'DisruptionTarget', status: 'True', reason: 'EvictionByEvictionAPI', message }, context.now);
    const stored = await store.put(entry.key, pod, entry.revision, false);
    if (stored !== undefined) return String(stored.revision);
  }
}

function checkPreconditions({ metadata }: PodObject, preconditions: DeleteOptions['preconditions']): void {
  const { uid, resourceVersion } = preconditions ?? {};
  const name = metadata.name ?? '';
  const of = { group: '', resource: 'Pod' };
  if (uid && uid !== metadata.uid) {
    const text = `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid ?? ''}). The object might have been deleted and then recreated`;
    throw conflict(of, name, text);
  }
  if (resourceVersion && resourceVersion !== metadata.resourceVersion) {
    const text = `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion ?? ''}). The object might have been modified`;
    throw conflict(of, name, text);
  }
}

/** Others change the same pod; a client that names a revision wants to know at once. */
async function retryConflicts(options: DeleteOptions, attempt: () => Promise<void>): Promise<void> {
  for (let left = retries; ; left--) {
    try {
      return await attempt();
    } catch (error) {
      if (!isReason(error, 'Conflict') || options.preconditions?.resourceVersion !== undefined) throw error;
      if (left === 1) throw timeout('could not evict the pod: it kept changing', 10);
      await sleep(retryMilliseconds);
    }
  }
}
