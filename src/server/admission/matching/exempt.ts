// Upstream: k8s.io/apiserver/pkg/admission/plugin/webhook/predicates/rules/rules.go#IsExemptAdmissionConfigurationResource
// Upstream: k8s.io/apiserver/pkg/admission/plugin/policy/generic/plugin.go, k8s.io/kubernetes/pkg/kubeapiserver/admission/exclusion/resources.go
import type { AdmittedResource } from '../admission.ts';

const group = 'admissionregistration.k8s.io';
const policies = [
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
  'mutatingadmissionpolicies',
  'mutatingadmissionpolicybindings',
];
const webhooks = ['validatingwebhookconfigurations', 'mutatingwebhookconfigurations'];

const exemptFromWebhooks: ReadonlySet<string> = new Set([...policies, ...webhooks]);
const exemptFromPolicies: ReadonlySet<string> = new Set(policies);
const reviews: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['authentication.k8s.io', new Set(['selfsubjectreviews', 'tokenreviews'])],
  [
    'authorization.k8s.io',
    new Set(['localsubjectaccessreviews', 'selfsubjectaccessreviews', 'selfsubjectrulesreviews', 'subjectaccessreviews']),
  ],
]);

/** No webhook of the API is asked about what could lock all users out: configurations of admission. Those in files may be. */
export function isExemptFromWebhooks({ names }: AdmittedResource): boolean {
  return names.group === group && exemptFromWebhooks.has(names.plural);
}

/** No policy of the API applies to policies. Those in files may. */
export function isExemptFromPolicies({ names }: AdmittedResource): boolean {
  return names.group === group && exemptFromPolicies.has(names.plural);
}

/** The questions that authentication and authorization are made of. */
export function isReview({ names }: AdmittedResource): boolean {
  return reviews.get(names.group)?.has(names.plural) ?? false;
}
