// Upstream: k8s.io/kubernetes/pkg/controller/storageversionmigrator/util.go, k8s.io/apimachinery/pkg/api/meta/conditions.go#SetStatusCondition
import { timestamp } from '../../machinery/time.ts';
import type { Condition } from '../../schema/types/meta-v1.ts';
import type { StorageVersionMigration } from '../../schema/types/storagemigration-v1.ts';
import type { KubeObject } from '../../server/registry/definition.ts';

export type MigrationObject = StorageVersionMigration & KubeObject;
export type MigrationCondition = 'Running' | 'Succeeded' | 'Failed';

export const runningReason = 'MigrationRunning';
export const succeededReason = 'StorageVersionMigrationSucceeded';
export const failedReason = 'StorageVersionMigrationFailed';

export function isTrue({ status }: MigrationObject, type: MigrationCondition): boolean {
  return (status?.conditions ?? []).some((condition) => condition.type === type && condition.status === 'True');
}

export function isOver(migration: MigrationObject): boolean {
  return isTrue(migration, 'Succeeded') || isTrue(migration, 'Failed');
}

export interface Said {
  readonly type: MigrationCondition;
  readonly status?: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
  readonly observedGeneration?: number;
}

/** The conditions with one that says this; the time of another status is kept. */
export function withCondition(conditions: readonly Condition[], said: Said, now: number): Condition[] {
  const { type, status = 'True', reason, message, observedGeneration } = said;
  const old = conditions.find((condition) => condition.type === type);
  const lastTransitionTime = old?.status === status ? old.lastTransitionTime : timestamp(now);
  const next: Condition = { type, status, ...(observedGeneration && { observedGeneration }), lastTransitionTime, reason, message };
  return old === undefined ? [...conditions, next] : conditions.map((condition) => (condition === old ? next : condition));
}

/** How far it is, as people read it. */
export function runningMessage(left?: number, total?: number, trouble?: string): string {
  const isCounted = left !== undefined && total !== undefined && total > 0;
  const progress = !isCounted ? '' : left > 0 ? `, ${left}/${total} objects not yet migrated` : `, ${total} objects verified migrated`;
  return `The migration is running${progress}${trouble === undefined ? '' : `; transient error: ${trouble}`}`;
}
