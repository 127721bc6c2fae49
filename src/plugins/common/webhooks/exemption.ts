// Upstream: apiserver/pkg/admission/plugin/webhook/generic/webhook.go (Dispatch)
import type { AdmittedResource } from '../../../server/admission/admission.ts';
import { isExemptFromPolicies, isExemptFromWebhooks } from '../../../server/admission/matching/exempt.ts';
import type { FeatureGates } from '../../../server/registry/features.ts';

/** What no webhook is asked about: configurations of admission and, unless a feature gate says otherwise, what policies are not for either. */
export function exemption(features: FeatureGates): (resource: AdmittedResource) => boolean {
  const exemptsReviews = features.enabled('ExcludeAdmissionWebhookVirtualResources');
  return (resource) => isExemptFromWebhooks(resource) || (exemptsReviews && isExemptFromPolicies(resource));
}
