// Upstream: k8s.io/kubernetes/pkg/controller/disruption/disruption.go, k8s.io/component-helpers/apps/poddisruptionbudget/helpers.go
import { isDeepStrictEqual } from 'node:util';
import { percentOf } from '../../apis/common/int-or-percent.ts';
import type { IntOrString } from '../../machinery/int-or-string.ts';
import { intValue } from '../../machinery/int-or-string.ts';
import type { Condition } from '../../schema/types/meta-v1.ts';
import type { PodDisruptionBudget, PodDisruptionBudgetStatus } from '../../schema/types/policy-v1.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import type { PodObject } from '../common/service-pods.ts';
import { isReady } from '../common/service-pods.ts';

export type BudgetObject = PodDisruptionBudget & KubeObject;

/** How long an evicted pod may take to be deleted before it counts again. */
const deletionMs = 2 * 60_000;
const conditionType = 'DisruptionAllowed';

export interface Counts {
  readonly expectedPods: number;
  readonly desiredHealthy: number;
}

/** `scale` is asked for only where the budget depends on it. */
export async function countsOf({ spec }: BudgetObject, pods: readonly PodObject[], scale: () => Promise<number>): Promise<Counts> {
  const { maxUnavailable, minAvailable } = spec;
  if (maxUnavailable !== undefined) {
    const expectedPods = await scale();
    return { expectedPods, desiredHealthy: Math.max(0, expectedPods - shareOf(maxUnavailable, expectedPods)) };
  }
  if (minAvailable === undefined) return { expectedPods: 0, desiredHealthy: 0 };
  if (typeof minAvailable === 'number') return { expectedPods: pods.length, desiredHealthy: minAvailable };
  const expectedPods = await scale();
  return { expectedPods, desiredHealthy: shareOf(minAvailable, expectedPods) };
}

function shareOf(value: IntOrString, total: number): number {
  const percent = percentOf(value);
  return percent === undefined ? intValue(value) : Math.ceil((percent * total) / 100);
}

/** Pods whose eviction was allowed a short time ago and that are not being deleted yet, and when to look again. */
export function disruptedPods(
  { status }: BudgetObject,
  pods: readonly PodObject[],
  now: number,
): { map: Record<string, string>; until?: number } {
  const map: Record<string, string> = {};
  let until = Infinity;
  for (const { metadata } of pods) {
    const time = Object.hasOwn(status.disruptedPods ?? {}, metadata.name ?? '') ? status.disruptedPods?.[metadata.name ?? ''] : undefined;
    if (time === undefined || metadata.deletionTimestamp !== undefined) continue;
    const end = Date.parse(time) + deletionMs;
    if (end < now) continue;
    until = Math.min(until, end);
    map[metadata.name ?? ''] = time;
  }
  return until === Infinity ? { map } : { map, until };
}

export function countHealthy(pods: readonly PodObject[], disrupted: Readonly<Record<string, string>>, now: number): number {
  return pods.filter((pod) => {
    const { name = '', deletionTimestamp } = pod.metadata;
    const time = Object.hasOwn(disrupted, name) ? disrupted[name] : undefined;
    if (deletionTimestamp !== undefined || (time !== undefined && Date.parse(time) + deletionMs > now)) return false;
    return isReady(pod);
  }).length;
}

export interface StatusParts extends Counts {
  readonly currentHealthy: number;
  readonly disrupted: Readonly<Record<string, string>>;
  readonly now: string;
}

/** The budget with its status; the same object when it says all of that already. */
export function withStatus(
  budget: BudgetObject,
  { expectedPods, desiredHealthy, currentHealthy, disrupted, now }: StatusParts,
): BudgetObject {
  const { status, metadata } = budget;
  const disruptionsAllowed = expectedPods <= 0 ? 0 : Math.max(0, currentHealthy - desiredHealthy);
  const [value, reason] = disruptionsAllowed > 0 ? (['True', 'SufficientPods'] as const) : (['False', 'InsufficientPods'] as const);
  const condition = (status.conditions ?? []).find(({ type }) => type === conditionType);
  const isSame =
    status.currentHealthy === currentHealthy &&
    status.desiredHealthy === desiredHealthy &&
    status.expectedPods === expectedPods &&
    status.disruptionsAllowed === disruptionsAllowed &&
    isDeepStrictEqual({ ...status.disruptedPods }, disrupted) &&
    status.observedGeneration === metadata.generation &&
    condition?.status === value &&
    condition.reason === reason;
  if (isSame) return budget;
  const observedGeneration = metadata.generation ?? 0;
  const next: PodDisruptionBudgetStatus = {
    observedGeneration,
    ...(Object.keys(disrupted).length > 0 && { disruptedPods: { ...disrupted } }),
    disruptionsAllowed,
    currentHealthy,
    desiredHealthy,
    expectedPods,
    conditions: withCondition(status.conditions, { type: conditionType, status: value, reason, message: '', observedGeneration }, now),
  };
  return { ...budget, status: next };
}

/** Nothing may be evicted while pods cannot be counted. */
export function withFailure(budget: BudgetObject, message: string, now: string): BudgetObject {
  const { status } = budget;
  const failed = {
    type: conditionType,
    status: 'False',
    reason: 'SyncFailed',
    message,
    observedGeneration: status.observedGeneration ?? 0,
  };
  const next = { ...status, disruptionsAllowed: 0, conditions: withCondition(status.conditions, failed, now) };
  return isDeepStrictEqual(next, status) ? budget : { ...budget, status: next };
}

function withCondition(conditions: readonly Condition[] = [], next: Omit<Condition, 'lastTransitionTime'>, now: string): Condition[] {
  const old = conditions.find(({ type }) => type === next.type);
  const condition = { ...next, lastTransitionTime: old?.status === next.status ? old.lastTransitionTime : now };
  return old === undefined ? [...conditions, condition] : conditions.map((one) => (one === old ? condition : one));
}
