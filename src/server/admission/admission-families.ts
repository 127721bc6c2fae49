// Upstream: k8s.io/apiserver/pkg/admission/metrics/metrics.go, k8s.io/apiserver/pkg/admission/plugin/policy/{validating,mutating}/metrics/metrics.go
import type { MetricsRegistry } from '../../base/metrics.ts';

const prefix = 'apiserver_admission_';
const stepBuckets = [0.005, 0.025, 0.1, 0.5, 1, 2.5] as const;
const policyBuckets = [0.000_000_5, 0.001, 0.01, 0.1, 1] as const;
const byOperation = ['type', 'operation', 'rejected'] as const;
const byCondition = ['name', 'kind', 'type', 'operation'] as const;
const byPolicy = ['policy', 'policy_binding', 'error_type'] as const;

type ConditionLabels = readonly [name: string, kind: 'webhook' | 'policy', type: 'admit' | 'validate', operation: string];

export type AdmissionFamilies = ReturnType<typeof admissionFamilies>;

/** What is counted of admission: the whole, its plugins, and what plugins ask outside or evaluate. */
export function admissionFamilies(registry: MetricsRegistry) {
  const stable = { stability: 'STABLE' } as const;
  const beta = { stability: 'BETA' } as const;
  return {
    steps: registry.histogram({
      name: `${prefix}step_admission_duration_seconds`,
      help: 'Time that all admission plugins together took for a request, to change it (admit) or to check it (validate)',
      labels: byOperation,
      buckets: stepBuckets,
      ...stable,
    }),
    controllers: registry.histogram({
      name: `${prefix}controller_admission_duration_seconds`,
      help: 'Time that one admission plugin took for a request',
      labels: ['name', ...byOperation],
      buckets: stepBuckets,
      ...stable,
    }),
    webhooks: registry.histogram({
      name: `${prefix}webhook_admission_duration_seconds`,
      help: 'Time that an admission webhook took for a request',
      labels: ['name', ...byOperation],
      buckets: [...stepBuckets, 10, 25],
      ...stable,
    }),
    webhookRejections: registry.counter({
      name: `${prefix}webhook_rejection_count`,
      help: 'Requests that an admission webhook has refused, or for which it could not be asked',
      labels: ['name', 'type', 'operation', 'error_type', 'rejection_code'],
    }),
    webhookFailOpen: registry.counter({
      name: `${prefix}webhook_fail_open_count`,
      help: 'Requests that went on although an admission webhook could not be asked',
      labels: ['name', 'type'],
    }),
    webhookRequests: registry.counter({
      name: `${prefix}webhook_request_total`,
      help: 'Requests to admission webhooks',
      labels: ['name', 'type', 'operation', 'code', 'rejected'],
    }),
    conditionErrors: registry.counter({
      name: `${prefix}match_condition_evaluation_errors_total`,
      help: 'Match conditions of webhooks and policies that could not be evaluated',
      labels: byCondition,
    }),
    conditionExclusions: registry.counter({
      name: `${prefix}match_condition_exclusions_total`,
      help: 'Requests that match conditions kept from a webhook or policy',
      labels: byCondition,
    }),
    conditionSeconds: registry.histogram({
      name: `${prefix}match_condition_evaluation_seconds`,
      help: 'Time that match conditions of a webhook or policy took',
      labels: byCondition,
      buckets: [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25],
    }),
    policyChecks: registry.counter({
      name: 'apiserver_validating_admission_policy_check_total',
      help: 'Validations of policies that did not pass, by what was done about it',
      labels: [...byPolicy, 'enforcement_action'],
      ...beta,
    }),
    policySeconds: registry.histogram({
      name: 'apiserver_validating_admission_policy_check_duration_seconds',
      help: 'Time that validations of policies took which did not pass',
      labels: [...byPolicy, 'enforcement_action'],
      buckets: policyBuckets,
      ...beta,
    }),
    mutations: registry.counter({
      name: 'apiserver_mutating_admission_policy_check_total',
      help: 'Mutations of policies that were applied or failed',
      labels: byPolicy,
    }),
    mutationSeconds: registry.histogram({
      name: 'apiserver_mutating_admission_policy_check_duration_seconds',
      help: 'Time that mutations of policies took',
      labels: byPolicy,
      buckets: policyBuckets,
    }),
  };
}

/** Counts match conditions of a webhook or policy that do not all hold. Where they all do, upstream measures nothing. */
export function conditionsObserver(families: AdmissionFamilies, of: ConditionLabels): (seconds: number, failures: number) => void {
  return (seconds, failures) => {
    families.conditionSeconds.with(...of).observe(seconds);
    if (failures > 0) families.conditionErrors.with(...of).inc(failures);
  };
}

/** A quirk kept: upstream goes by the message, and calls every other failure of a policy invalid. */
export function policyErrorType(message: string): 'compile_error' | 'out_of_budget' | 'invalid_error' {
  if (message.startsWith('compilation')) return 'compile_error';
  return message.startsWith('validation failed due to running out of cost budget') ? 'out_of_budget' : 'invalid_error';
}
