// Upstream: k8s.io/kubernetes/pkg/registry/core/pod/storage/eviction.go#checkAndDecrement, k8s.io/component-helpers/apps/poddisruptionbudget/helpers.go
import { inSlices } from '../../../base/slices.ts';
import { ApiError, forbidden, tooManyRequests } from '../../../machinery/errors.ts';
import { findCondition } from '../../../machinery/conditions.ts';
import type { Condition } from '../../../machinery/conditions.ts';
import { LabelSelectorError } from '../../../machinery/labels.ts';
import { selectorOf } from '../../../machinery/label-selector.ts';
import type { PodDisruptionBudget } from '../../../schema/types/policy-v1.ts';
import type { ObjectReader } from '../../../server/registry/object-reader.ts';
import type { WriteContext } from '../../../server/registry/context.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import type { PodObject } from './pod-object.ts';

export type Budget = PodDisruptionBudget & KubeObject;

const apiGroup = 'policy';
const plural = 'poddisruptionbudgets';
const maxDisruptedPods = 2000;
const refused = "Cannot evict pod as it would violate the pod's disruption budget.";

export async function budgetsOf(pod: PodObject, reader: ObjectReader): Promise<Budget[]> {
  const all = await reader.list<Budget>(apiGroup, plural, pod.metadata.namespace ?? '');
  const found: Budget[] = [];
  for await (const budget of inSlices(all)) if (selects(budget, pod)) found.push(budget);
  return found;
}

function selects({ spec }: Budget, { metadata }: PodObject): boolean {
  try {
    return selectorOf(spec.selector).matches(metadata.labels ?? {});
  } catch (error) {
    // A selector that is not valid selects nothing.
    if (error instanceof LabelSelectorError) return false;
    throw error;
  }
}

/** Counts one disruption more, or refuses. The budget's controller learns from the list of disrupted pods that the pod is about to go. */
export async function takeDisruption(listed: Budget, podName: string, { own, now, dryRun }: WriteContext): Promise<void> {
  if (dryRun) {
    refuseIfExhausted(listed);
    return;
  }
  const { name = '', namespace = '' } = listed.metadata;
  await own.updateStatus<Budget>(apiGroup, plural, namespace, name, (budget) => {
    refuseIfExhausted(budget);
    const { status } = budget;
    status.disruptionsAllowed--;
    if (status.disruptionsAllowed === 0) noteExhaustion(budget, now);
    status.disruptedPods = { ...status.disruptedPods, [podName]: now };
  });
}

function refuseIfExhausted({ metadata, status }: Budget): void {
  const { name = '', generation = 0 } = metadata;
  if ((status.observedGeneration ?? 0) < generation) throw stillProcessing(name);
  const of = { group: apiGroup, resource: 'poddisruptionbudget' };
  const unable = `The disruption budget ${name} does not allow evicting pods currently`;
  if (status.disruptionsAllowed < 0) {
    throw withCause(forbidden(of, name, 'pdb disruptions allowed is negative'), `${unable}: pdb disruptions allowed is negative`);
  }
  if (Object.keys(status.disruptedPods ?? {}).length > maxDisruptedPods) {
    const error = forbidden(of, name, 'DisruptedPods map too big - too many evictions not confirmed by PDB controller');
    throw withCause(error, `${unable}: too many pending evictions not confirmed by PDB controller`);
  }
  if (status.disruptionsAllowed === 0) throw withCause(tooManyRequests(refused, 0), reasonOf(name, status, unable));
}

function reasonOf(name: string, status: Budget['status'], unable: string): string {
  const condition = findCondition(status.conditions, 'DisruptionAllowed');
  const told = condition?.status === 'False' && condition.message ? condition : undefined;
  // Without a sync, the counts below are not to be trusted.
  if (told?.reason === 'SyncFailed') return `${unable} because it failed sync: ${told.message}`;
  if (status.currentHealthy <= status.desiredHealthy) {
    return `The disruption budget ${name} needs ${status.desiredHealthy} healthy pods and has ${status.currentHealthy} currently`;
  }
  return told === undefined ? unable : `${unable} (${told.reason}): ${told.message}`;
}

export function stillProcessing(name: string): ApiError {
  return withCause(tooManyRequests(refused, 10), `The disruption budget ${name} is still being processed by the server.`);
}

function withCause({ status }: ApiError, message: string): ApiError {
  const causes = [...(status.details?.causes ?? []), { reason: 'DisruptionBudget', message }];
  return new ApiError({ ...status, details: { ...status.details, causes } });
}

function noteExhaustion({ status }: Budget, now: string): void {
  const old = findCondition(status.conditions, 'DisruptionAllowed');
  const condition: Condition = {
    type: 'DisruptionAllowed',
    status: 'False',
    ...(status.observedGeneration !== undefined && { observedGeneration: Number(status.observedGeneration) }),
    lastTransitionTime: (old?.status === 'False' ? old.lastTransitionTime : undefined) ?? now,
    reason: 'InsufficientPods',
    message: '',
  };
  status.conditions = [...(status.conditions ?? []).filter(({ type }) => type !== condition.type), condition] as NonNullable<
    typeof status.conditions
  >;
}
