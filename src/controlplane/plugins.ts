// Upstream: k8s.io/kubernetes/pkg/kubeapiserver/options/plugins.go
import { alwaysAdmit } from '../plugins/always-admit/plugin.ts';
import { alwaysDeny } from '../plugins/always-deny/plugin.ts';
import { alwaysPullImages } from '../plugins/always-pull-images/plugin.ts';
import { certificateApproval } from '../plugins/certificate-approval/plugin.ts';
import { certificateSigning } from '../plugins/certificate-signing/plugin.ts';
import { certificateSubjectRestriction } from '../plugins/certificate-subject-restriction/plugin.ts';
import { clusterTrustBundleAttest } from '../plugins/cluster-trust-bundle-attest/plugin.ts';
import { defaultIngressClass } from '../plugins/default-ingress-class/plugin.ts';
import { defaultStorageClass } from '../plugins/default-storage-class/plugin.ts';
import { defaultTolerationSeconds } from '../plugins/default-toleration-seconds/plugin.ts';
import { denyServiceExternalIps } from '../plugins/deny-service-external-ips/plugin.ts';
import { eventRateLimit } from '../plugins/event-rate-limit/plugin.ts';
import { extendedResourceToleration } from '../plugins/extended-resource-toleration/plugin.ts';
import { imagePolicyWebhook } from '../plugins/image-policy-webhook/plugin.ts';
import { limitPodHardAntiAffinityTopology } from '../plugins/limit-pod-hard-anti-affinity-topology/plugin.ts';
import { limitRanger } from '../plugins/limit-ranger/plugin.ts';
import { mutatingAdmissionPolicy } from '../plugins/mutating-admission-policy/plugin.ts';
import { mutatingAdmissionWebhook } from '../plugins/mutating-webhook/plugin.ts';
import { namespaceAutoProvision } from '../plugins/namespace-auto-provision/plugin.ts';
import { namespaceExists } from '../plugins/namespace-exists/plugin.ts';
import { namespaceLifecycle } from '../plugins/namespace-lifecycle/plugin.ts';
import { nodeDeclaredFeatureValidator } from '../plugins/node-declared-feature-validator/plugin.ts';
import { nodeRestriction } from '../plugins/node-restriction/plugin.ts';
import { ownerReferencesPermissionEnforcement } from '../plugins/owner-references-permission-enforcement/plugin.ts';
import { persistentVolumeClaimResize } from '../plugins/persistent-volume-claim-resize/plugin.ts';
import { podGroupProtection } from '../plugins/pod-group-protection/plugin.ts';
import { podNodeSelector } from '../plugins/pod-node-selector/plugin.ts';
import { podResizeValidator } from '../plugins/pod-resize-validator/plugin.ts';
import { podSecurity } from '../plugins/pod-security/plugin.ts';
import { podTolerationRestriction } from '../plugins/pod-toleration-restriction/plugin.ts';
import { podTopologyLabels } from '../plugins/pod-topology-labels/plugin.ts';
import { priority } from '../plugins/priority/plugin.ts';
import { resourceQuota } from '../plugins/resource-quota/plugin.ts';
import { runtimeClass } from '../plugins/runtime-class/plugin.ts';
import { serviceAccount } from '../plugins/service-account/plugin.ts';
import { storageObjectInUseProtection } from '../plugins/storage-object-in-use-protection/plugin.ts';
import { taintNodesByCondition } from '../plugins/taint-nodes-by-condition/plugin.ts';
import { validatingAdmissionPolicy } from '../plugins/validating-admission-policy/plugin.ts';
import { validatingAdmissionWebhook } from '../plugins/validating-webhook/plugin.ts';
import type { PluginDefinition } from '../server/admission/plugin.ts';

/** Admission plugins in the order in which they run. Policies, webhooks, quota and denial come last. */
export const pluginDefinitions: readonly PluginDefinition[] = [
  alwaysAdmit,
  namespaceAutoProvision,
  namespaceLifecycle,
  namespaceExists,
  limitPodHardAntiAffinityTopology,
  limitRanger,
  serviceAccount,
  nodeRestriction,
  taintNodesByCondition,
  alwaysPullImages,
  imagePolicyWebhook,
  podSecurity,
  podNodeSelector,
  priority,
  defaultTolerationSeconds,
  podTolerationRestriction,
  eventRateLimit,
  extendedResourceToleration,
  defaultStorageClass,
  storageObjectInUseProtection,
  podGroupProtection,
  ownerReferencesPermissionEnforcement,
  persistentVolumeClaimResize,
  runtimeClass,
  certificateApproval,
  certificateSigning,
  clusterTrustBundleAttest,
  certificateSubjectRestriction,
  defaultIngressClass,
  denyServiceExternalIps,
  podTopologyLabels,
  nodeDeclaredFeatureValidator,
  podResizeValidator,
  mutatingAdmissionPolicy,
  mutatingAdmissionWebhook,
  validatingAdmissionPolicy,
  validatingAdmissionWebhook,
  resourceQuota,
  alwaysDeny,
];
