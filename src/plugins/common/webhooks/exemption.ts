// Upstream: k8s.io/apiserver/pkg/admission/plugin/webhook/generic/webhook.go#isExcludedFromAllHooks
import type { AdmittedResource } from '../../../server/admission/admission.ts';
import { isReview } from '../../../server/admission/matching/exempt.ts';
import type { FeatureGates } from '../../../server/registry/features.ts';

/** What no webhook at all is asked about. */
export function exemption(features: FeatureGates): (resource: AdmittedResource) => boolean {
  return features.enabled('ExcludeAdmissionWebhookVirtualResources') ? isReview : () => false;
}
