// Upstream: k8s.io/pod-security-admission/metrics/metrics.go
import type { Counter, Family, MetricsRegistry } from '../../base/metrics.ts';
import type { AdmissionAttributes } from '../../server/admission/admission.ts';
import { kubernetesVersion } from '../../server/object/kubernetes-version.ts';
import type { LevelVersion } from './checks/level.ts';

/** Counts what becomes of pods, and of what makes them. */
export class PodSecurityMetrics {
  readonly #evaluations: Family<
    Counter,
    readonly ['decision', 'policy_level', 'policy_version', 'mode', 'request_operation', 'resource', 'subresource']
  >;
  readonly #exemptions: Family<Counter, readonly ['request_operation', 'resource', 'subresource']>;
  readonly #errors: Family<Counter, readonly ['fatal', 'request_operation', 'resource', 'subresource']>;

  constructor(metrics: MetricsRegistry) {
    this.#evaluations = metrics.counter({
      name: 'pod_security_evaluations_total',
      help: 'Times that a pod was held against a Pod Security Standard; requests that are ignored or exempt do not count',
      labels: ['decision', 'policy_level', 'policy_version', 'mode', 'request_operation', 'resource', 'subresource'],
    });
    this.#exemptions = metrics.counter({
      name: 'pod_security_exemptions_total',
      help: 'Requests that are exempt from Pod Security Standards; those that have nothing to do with them do not count',
      labels: ['request_operation', 'resource', 'subresource'],
    });
    this.#errors = metrics.counter({
      name: 'pod_security_errors_total',
      help: 'Times that a pod could not be held against the standard that it should; unless fatal, the newest restricted one may have been taken in its place',
      labels: ['fatal', 'request_operation', 'resource', 'subresource'],
    });
    // Upstream has these from the start.
    for (const operation of ['create', 'update']) {
      this.#evaluations.with('allow', 'privileged', 'latest', 'enforce', operation, 'pod', '');
      for (const resource of ['pod', 'controller']) this.#exemptions.with(operation, resource, '');
    }
  }

  evaluated(decision: 'allow' | 'deny', policy: LevelVersion, mode: 'enforce' | 'audit' | 'warn', attributes: AdmissionAttributes): void {
    this.#evaluations.with(decision, policy.level, versionLabel(policy), mode, ...requestLabels(attributes)).inc();
  }

  exempted(attributes: AdmissionAttributes): void {
    this.#exemptions.with(...requestLabels(attributes)).inc();
  }

  /** `fatal`: nothing could be evaluated. */
  failed(fatal: boolean, attributes: AdmissionAttributes): void {
    this.#errors.with(String(fatal), ...requestLabels(attributes)).inc();
  }
}

function requestLabels({
  operation,
  resource,
  subresource,
}: AdmissionAttributes): [operation: string, resource: string, subresource: string] {
  const isCore = resource.group === '';
  const kind =
    isCore && resource.names.plural === 'pods' ? 'pod' : isCore && resource.names.plural === 'namespaces' ? 'namespace' : 'controller';
  return [operation.toLowerCase(), kind, subresource];
}

function versionLabel({ level, minor }: LevelVersion): string {
  if (minor === Infinity || level === 'privileged') return 'latest';
  return minor > kubernetesVersion.minor ? 'future' : `v1.${minor}`;
}
