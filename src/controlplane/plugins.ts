// Upstream: pkg/kubeapiserver/options/plugins.go
import { alwaysAdmit } from '../plugins/always-admit/plugin.ts';
import { alwaysDeny } from '../plugins/always-deny/plugin.ts';
import { alwaysPullImages } from '../plugins/always-pull-images/plugin.ts';
import { certificateApproval } from '../plugins/certificate-approval/plugin.ts';
import { certificateSigning } from '../plugins/certificate-signing/plugin.ts';
import { defaultIngressClass } from '../plugins/default-ingress-class/plugin.ts';
import { defaultStorageClass } from '../plugins/default-storage-class/plugin.ts';
import { defaultTolerationSeconds } from '../plugins/default-toleration-seconds/plugin.ts';
import { limitRanger } from '../plugins/limit-ranger/plugin.ts';
import { mutatingAdmissionPolicy } from '../plugins/mutating-admission-policy/plugin.ts';
import { mutatingAdmissionWebhook } from '../plugins/mutating-webhook/plugin.ts';
import { namespaceLifecycle } from '../plugins/namespace-lifecycle/plugin.ts';
import { nodeRestriction } from '../plugins/node-restriction/plugin.ts';
import { persistentVolumeClaimResize } from '../plugins/persistent-volume-claim-resize/plugin.ts';
import { podSecurity } from '../plugins/pod-security/plugin.ts';
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
  namespaceLifecycle,
  limitRanger,
  serviceAccount,
  nodeRestriction,
  taintNodesByCondition,
  alwaysPullImages,
  podSecurity,
  priority,
  defaultTolerationSeconds,
  defaultStorageClass,
  storageObjectInUseProtection,
  persistentVolumeClaimResize,
  runtimeClass,
  certificateApproval,
  certificateSigning,
  defaultIngressClass,
  mutatingAdmissionPolicy,
  mutatingAdmissionWebhook,
  validatingAdmissionPolicy,
  validatingAdmissionWebhook,
  resourceQuota,
  alwaysDeny,
];
