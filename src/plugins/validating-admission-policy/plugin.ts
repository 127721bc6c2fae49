// Upstream: k8s.io/apiserver/pkg/admission/plugin/policy/validating/{plugin,dispatcher}.go
import { ApiError, failure, statusDetails } from '../../machinery/errors.ts';
import type { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from '../../schema/types/admissionregistration-v1.ts';
import type { AdmissionAttributes } from '../../server/admission/admission.ts';
import type { AdmissionFamilies } from '../../server/admission/admission-families.ts';
import { admissionFamilies, conditionsObserver, policyErrorType } from '../../server/admission/admission-families.ts';
import { forbid } from '../../server/admission/forbid.ts';
import { Matcher } from '../../server/admission/matching/matcher.ts';
import { definePlugin } from '../../server/admission/plugin.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import type { Invocation } from '../common/policies/invocations.ts';
import { invocations } from '../common/policies/invocations.ts';
import { PolicyInputs } from '../common/policies/policy-inputs.ts';
import { PolicySource } from '../common/policies/policy-source.ts';
import { AuditRecord } from './audit-record.ts';
import type { Denial, Verdict } from './validator.ts';
import { Validator } from './validator.ts';

type PolicyObject = ValidatingAdmissionPolicy & KubeObject;
type BindingObject = ValidatingAdmissionPolicyBinding & KubeObject;

/** Requests keep to what expressions in policies say. */
export const validatingAdmissionPolicy = definePlugin({
  name: 'ValidatingAdmissionPolicy',
  enabledByDefault: true,
  create(context) {
    const { reader, authorizer } = context;
    const metrics = admissionFamilies(context.metrics);
    const matcher = new Matcher(reader);
    const source = new PolicySource<PolicyObject, BindingObject, Validator>(context, {
      configurationKind: 'ValidatingAdmissionPolicyConfiguration',
      policies: 'validatingadmissionpolicies',
      bindings: 'validatingadmissionpolicybindings',
      compile: ({ spec }) => new Validator(spec),
    });
    return {
      handles: (attributes) => source.mayConcern(attributes),
      async validate(attributes) {
        const candidates = await source.candidates(attributes);
        const decisions = new Decisions(attributes, metrics);
        let inputs: PolicyInputs | undefined;
        for await (const found of invocations(candidates, attributes, { matcher, reader })) {
          if ('error' in found) {
            decisions.misconfigured(found.policy.object, found.binding, found.error);
            continue;
          }
          inputs ??= await PolicyInputs.of(attributes, authorizer, reader);
          const { policy, match, param } = found;
          const began = performance.now();
          const observe = conditionsObserver(metrics, [policy.object.metadata.name ?? '', 'policy', 'validate', attributes.operation]);
          const verdict = await policy.evaluator.validate({ ...inputs.at(match), params: param }, observe);
          decisions.add(found, verdict, (performance.now() - began) / 1000);
        }
        decisions.conclude();
      },
      ready: () => source.ready(),
      [Symbol.dispose]: () => source[Symbol.dispose](),
    };
  },
});

const codes: Readonly<Record<string, number>> = { Forbidden: 403, Unauthorized: 401, RequestEntityTooLarge: 413, Invalid: 422 };
const defaultReason = 'Invalid';

/** What policies have decided about one request: all are asked, the first that denies is who the client hears of. */
class Decisions {
  readonly #attributes: AdmissionAttributes;
  readonly #audit = new AuditRecord();
  readonly #metrics: AdmissionFamilies;
  #denied: ApiError | undefined;

  constructor(attributes: AdmissionAttributes, metrics: AdmissionFamilies) {
    this.#attributes = attributes;
    this.#metrics = metrics;
  }

  misconfigured({ metadata, spec }: PolicyObject, binding: BindingObject | undefined, error: Error): void {
    if (spec.failurePolicy === 'Ignore') return;
    this.#deny(metadata.name, binding, {
      message: `failed to configure ${binding === undefined ? 'policy' : 'binding'}: ${error.message}`,
    });
  }

  add(
    { policy, binding }: Invocation<PolicyObject, BindingObject, Validator>,
    { denials, annotations, annotationErrors }: Verdict,
    seconds: number,
  ): void {
    const { name } = policy.object.metadata;
    for (const denial of denials) {
      for (const action of binding.spec.validationActions ?? []) {
        this.#count(name, binding, policyErrorType(denial.message), action.toLowerCase(), seconds);
        if (action === 'Deny') this.#deny(name, binding, denial);
        else if (action === 'Audit') this.#audit.failed(binding, denial);
        else this.#attributes.warn(`Validation failed for ${describe(name, binding)}: ${denial.message}`);
      }
    }
    for (const [key, value] of annotations) this.#audit.add(`${name}/${key}`, value);
    for (const message of annotationErrors) {
      this.#count(name, binding, 'invalid_error', 'deny', seconds);
      this.#deny(name, binding, { message });
    }
  }

  #count(policy: string | undefined, binding: BindingObject, error: string, action: string, seconds: number): void {
    const labels = [policy ?? '', binding.metadata.name ?? '', error, action] as const;
    this.#metrics.policyChecks.with(...labels).inc();
    this.#metrics.policySeconds.with(...labels).observe(seconds);
  }

  /** Throws the refusal, if there is one. */
  conclude(): void {
    for (const [key, value] of this.#audit.annotations()) this.#attributes.annotate(key, value);
    if (this.#denied !== undefined) throw this.#denied;
  }

  #deny(policy: string | undefined, binding: BindingObject | undefined, { message, reason = defaultReason }: Omit<Denial, 'index'>): void {
    if (this.#denied !== undefined) return;
    const cause = `${describe(policy, binding)} denied request: ${message}`;
    const { status } = forbid(this.#attributes, cause);
    const details = statusDetails({ ...status.details, causes: [{ message: cause }] });
    this.#denied = new ApiError(failure(codes[reason] ?? 422, reason, status.message ?? '', details));
  }
}

function describe(policy: string | undefined, binding: BindingObject | undefined): string {
  const of = binding === undefined ? '' : ` with binding '${binding.metadata.name ?? ''}'`;
  return `ValidatingAdmissionPolicy '${policy ?? ''}'${of}`;
}
