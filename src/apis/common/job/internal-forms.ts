// How messages of upstream show the policies of a job.
import type { PodFailurePolicy, SuccessPolicy } from '../../../schema/types/batch-v1.ts';
import { internalForm, pointers, strings } from '../internal-form.ts';

const exitCodes = [...pointers('containerName'), ...strings('operator'), ...pointers('values')];

export function shownSuccessPolicy(policy: SuccessPolicy | undefined): unknown {
  const shape = pointers('succeededIndexes', 'succeededCount');
  return policy && { Rules: policy.rules?.map((rule) => internalForm(rule, shape)) ?? null };
}

export function shownPodFailurePolicy(policy: PodFailurePolicy | undefined): unknown {
  return (
    policy && {
      Rules:
        policy.rules?.map(({ action = '', onExitCodes, onPodConditions }) => ({
          Action: action,
          OnExitCodes: onExitCodes === undefined ? null : internalForm(onExitCodes, exitCodes),
          OnPodConditions: onPodConditions?.map((pattern) => internalForm(pattern, strings('type', 'status'))) ?? null,
        })) ?? null,
    }
  );
}
