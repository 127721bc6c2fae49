// How messages of upstream show the policies of a job.
import type { PodFailurePolicy, SuccessPolicy } from '../../../schema/types/batch-v1.ts';
import { asPrinted } from '../../../machinery/go-distinctions.ts';
import { internalForm, pointers, strings } from '../internal-form.ts';

const exitCodes = [...pointers('containerName'), ...strings('operator'), ...pointers('values')];

export function shownSuccessPolicy(policy: SuccessPolicy | undefined): unknown {
  const shape = pointers('succeededIndexes', 'succeededCount');
  return policy && { Rules: asPrinted(policy, 'rules', [])?.map((rule) => internalForm(rule, shape)) ?? null };
}

export function shownPodFailurePolicy(policy: PodFailurePolicy | undefined): unknown {
  return (
    policy && {
      Rules:
        asPrinted(policy, 'rules', [])?.map((rule) => ({
          Action: rule.action ?? '',
          OnExitCodes: rule.onExitCodes === undefined ? null : internalForm(rule.onExitCodes, exitCodes),
          OnPodConditions:
            asPrinted(rule, 'onPodConditions', [])?.map((pattern) => internalForm(pattern, strings('type', 'status'))) ?? null,
        })) ?? null,
    }
  );
}
