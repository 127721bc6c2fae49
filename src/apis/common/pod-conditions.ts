// Upstream: k8s.io/kubernetes/pkg/api/pod/util.go#UpdatePodCondition
import { findCondition } from '../../machinery/conditions.ts';
import type { PodCondition, PodStatus } from '../../schema/types/core-v1.ts';

export type NewCondition = Pick<PodCondition, 'type' | 'status' | 'reason' | 'message'>;

/** Adds or replaces a condition; the time of its transition stays when its status does. */
export function setPodCondition(status: PodStatus, condition: NewCondition, now: string): void {
  const conditions = status.conditions ?? [];
  const old = findCondition(conditions, condition.type);
  const lastTransitionTime = old?.status === condition.status ? old.lastTransitionTime : now;
  const next: PodCondition = { ...condition, lastProbeTime: null, lastTransitionTime };
  status.conditions = old === undefined ? [...conditions, next] : conditions.map((each) => (each === old ? next : each));
}

export function isPodReady({ conditions }: PodStatus): boolean {
  return findCondition(conditions, 'Ready')?.status === 'True';
}
