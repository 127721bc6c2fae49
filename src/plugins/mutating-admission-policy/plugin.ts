// Upstream: k8s.io/apiserver/pkg/admission/plugin/policy/mutating/{plugin,dispatcher}.go
import { append } from '../../machinery/append.ts';
import { ApiError, failure, statusDetails } from '../../machinery/errors.ts';
import { Shapes } from '../../patch/apply/shape.ts';
import type { MutatingAdmissionPolicy, MutatingAdmissionPolicyBinding } from '../../schema/types/admissionregistration-v1.ts';
import type { AdmissionAttributes } from '../../server/admission/admission.ts';
import { admissionFamilies } from '../../server/admission/admission-families.ts';
import { forbid } from '../../server/admission/forbid.ts';
import { Matcher } from '../../server/admission/matching/matcher.ts';
import { definePlugin } from '../../server/admission/plugin.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import type { Invocation, Misconfiguration } from '../common/policies/invocations.ts';
import { invocations } from '../common/policies/invocations.ts';
import { PolicySource } from '../common/policies/policy-source.ts';
import { Invoker } from './invoker.ts';
import { Mutator } from './mutator.ts';
import { PolicyReinvocations } from './policy-reinvocation.ts';

type PolicyObject = MutatingAdmissionPolicy & KubeObject;
type BindingObject = MutatingAdmissionPolicyBinding & KubeObject;
export type MutatingInvocation = Invocation<PolicyObject, BindingObject, Mutator>;
type MutatingMisconfiguration = Misconfiguration<PolicyObject, BindingObject, Mutator>;

/** Objects are changed as expressions in policies say. */
export const mutatingAdmissionPolicy = definePlugin({
  name: 'MutatingAdmissionPolicy',
  enabledByDefault: true,
  create(context) {
    const { reader, authorizer, versionedKindOf, features } = context;
    const matcher = new Matcher(reader);
    const source = new PolicySource<PolicyObject, BindingObject, Mutator>(context, {
      configurationKind: 'MutatingAdmissionPolicyConfiguration',
      policies: 'mutatingadmissionpolicies',
      bindings: 'mutatingadmissionpolicybindings',
      compile: ({ spec }) => new Mutator(spec),
    });
    const invoker = new Invoker({ metrics: admissionFamilies(context.metrics), reader, authorizer, versionedKindOf, shapes: new Shapes() });
    const remembered = new PolicyReinvocations();
    const isEnabled = features.enabled('MutatingAdmissionPolicy');
    return {
      // There is nothing to change in what is deleted.
      handles: (attributes) => isEnabled && attributes.operation !== 'DELETE' && source.mayConcern(attributes),
      async mutate(attributes, reinvocation) {
        const found: MutatingInvocation[] = [];
        const errors: PolicyError[] = [];
        for await (const one of invocations(await source.candidates(attributes), attributes, { matcher, reader })) {
          if ('error' in one) errors.push(misconfigured(one));
          else found.push(one);
        }
        if (found.length > 0) {
          const failed = await invoker.invoke(found, attributes, reinvocation, remembered.of(reinvocation));
          append(
            errors,
            failed.map(({ invocation, error }) => policyError(invocation, error.message, 'Invalid')),
          );
        }
        refuse(attributes, errors);
      },
      ready: () => source.ready(),
      [Symbol.dispose]: () => source[Symbol.dispose](),
    };
  },
});

interface PolicyError {
  readonly policy: PolicyObject;
  readonly message: string;
  readonly reason: string | undefined;
}

function policyError({ policy, binding }: Omit<MutatingMisconfiguration, 'error'>, why: string, reason?: string): PolicyError {
  const { name = '' } = policy.object.metadata;
  const who = binding === undefined ? `policy ${JSON.stringify(name)}` : `policy '${name}' with binding '${binding.metadata.name ?? ''}'`;
  return { policy: policy.object, message: `${who} denied request: ${why}`, reason };
}

function misconfigured(found: MutatingMisconfiguration): PolicyError {
  return policyError(found, `failed to configure ${found.binding === undefined ? 'policy' : 'binding'}: ${found.error.message}`);
}

/** The first error speaks for all; the code stays that of a refusal, whatever the reason: a quirk kept. */
function refuse(attributes: AdmissionAttributes, errors: readonly PolicyError[]): void {
  const counting = errors.filter(({ policy }) => policy.spec.failurePolicy !== 'Ignore');
  const [first] = counting;
  if (first === undefined) return;
  const { code, reason = '', details } = forbid(attributes, 'admission request denied by policy').status;
  const causes = counting.map(({ message }) => ({ message }));
  throw new ApiError(failure(code, first.reason ?? reason, first.message, statusDetails({ ...details, causes })));
}
