// Upstream: k8s.io/apiserver/pkg/admission/plugin/policy/validating/dispatcher.go#publishValidationFailureAnnotations, #auditAnnotationCollector
import type { ValidatingAdmissionPolicyBinding } from '../../schema/types/admissionregistration-v1.ts';
import type { Denial } from './validator.ts';

const failureKey = 'validation.policy.admission.k8s.io/validation_failure';
const mostFailures = 50;
const longestValue = 10 * 1024;

/** What policies leave in the audit log about one request. */
export class AuditRecord {
  readonly #failures: object[] = [];
  readonly #values = new Map<string, Set<string>>();

  /** A validation that a binding wants recorded when it does not pass. */
  failed({ metadata, spec }: ValidatingAdmissionPolicyBinding, { index, message }: Denial): void {
    if (this.#failures.length >= mostFailures) return;
    this.#failures.push({
      message,
      policy: spec.policyName ?? '',
      binding: metadata.name ?? '',
      expressionIndex: index,
      validationActions: spec.validationActions ?? [],
    });
  }

  /** The same key has several values when bindings or parameters make a difference. */
  add(key: string, value: string): void {
    const cut = Buffer.from(value).subarray(0, longestValue).toString();
    const known = this.#values.get(key);
    if (known === undefined) this.#values.set(key, new Set([cut]));
    else known.add(cut);
  }

  *annotations(): Generator<readonly [key: string, value: string]> {
    for (const [key, values] of this.#values) yield [key, [...values].join(', ')];
    if (this.#failures.length > 0) yield [failureKey, JSON.stringify(this.#failures)];
  }
}
