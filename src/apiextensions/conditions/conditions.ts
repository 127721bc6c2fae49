// Upstream: k8s.io/apiextensions-apiserver/pkg/apihelpers/helpers.go
import type {
  CustomResourceDefinition as Definition,
  CustomResourceDefinitionCondition as Condition,
} from '../../schema/types/apiextensions-v1.ts';
import type { KubeObject } from '../../server/registry/definition.ts';

export type CustomResourceDefinition = Definition & KubeObject;

export type ConditionType =
  | 'Established'
  | 'NamesAccepted'
  | 'NonStructuralSchema'
  | 'Terminating'
  | 'KubernetesAPIApprovalPolicyConformant';

/** A condition as its writer states it; `setCondition` adds the time of the transition. */
export interface StatedCondition {
  readonly type: ConditionType;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
}

export function findCondition({ status }: Definition, type: ConditionType): Condition | undefined {
  return status?.conditions?.find((condition) => condition.type === type);
}

export function isConditionTrue(definition: Definition, type: ConditionType): boolean {
  return findCondition(definition, type)?.status === 'True';
}

/** In place; the time changes with the status only. */
export function setCondition(definition: Definition, stated: StatedCondition, now: string): void {
  const { status } = definition;
  const existing = findCondition(definition, stated.type);
  if (existing === undefined) {
    status.conditions = [...(status.conditions ?? []), conditionOf(stated, now)];
    return;
  }
  if (existing.status !== stated.status || !existing.lastTransitionTime) existing.lastTransitionTime = now;
  existing.status = stated.status;
  existing.reason = stated.reason;
  existing.message = stated.message;
}

export function removeCondition({ status }: Definition, type: ConditionType): void {
  if (status.conditions) status.conditions = status.conditions.filter((condition) => condition.type !== type);
}

export function isSameCondition(stated: StatedCondition | undefined, found: Condition | undefined): boolean {
  if (stated === undefined || found === undefined) return stated === found;
  return stated.status === found.status && stated.reason === (found.reason ?? '') && stated.message === (found.message ?? '');
}

function conditionOf({ type, status, reason, message }: StatedCondition, now: string): Condition {
  return { type, status, lastTransitionTime: now, ...(reason !== '' && { reason }), ...(message !== '' && { message }) };
}
