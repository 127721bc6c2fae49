// Upstream: k8s.io/apiserver/pkg/admission/handler.go
import type { AdmissionOperation } from './admission.ts';

export type AdmissionStep = 'admit' | 'validate';

const create = ['CREATE'] as const;
const update = ['UPDATE'] as const;
const writes = ['CREATE', 'UPDATE'] as const;
const changes = ['CREATE', 'UPDATE', 'DELETE'] as const;
const all = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'] as const;

interface Steps {
  readonly operations: readonly AdmissionOperation[];
  readonly steps: readonly AdmissionStep[];
}

const admits = (operations: readonly AdmissionOperation[]): Steps => ({ operations, steps: ['admit'] });
const validates = (operations: readonly AdmissionOperation[]): Steps => ({ operations, steps: ['validate'] });
const does = (operations: readonly AdmissionOperation[]): Steps => ({ operations, steps: ['admit', 'validate'] });

/**
 * In which operations upstream asks each plugin, whatever the resource. Ours look at the resource first; metrics count a plugin for every
 * request that upstream would count it for, so that the same dashboards show the same.
 */
export const pluginSteps: Readonly<Record<string, Steps>> = {
  AlwaysAdmit: does(all),
  AlwaysDeny: does(all),
  AlwaysPullImages: does(writes),
  CertificateApproval: validates(update),
  CertificateSigning: validates(update),
  CertificateSubjectRestriction: validates(create),
  ClusterTrustBundleAttest: validates(writes),
  DefaultIngressClass: admits(create),
  DefaultStorageClass: admits(create),
  DefaultTolerationSeconds: admits(writes),
  DenyServiceExternalIPs: validates(writes),
  EventRateLimit: validates(writes),
  ExtendedResourceToleration: admits(writes),
  ImagePolicyWebhook: validates(writes),
  LimitPodHardAntiAffinityTopology: validates(writes),
  LimitRanger: does(writes),
  MutatingAdmissionPolicy: admits(['CREATE', 'UPDATE', 'CONNECT']),
  MutatingAdmissionWebhook: admits(all),
  NamespaceAutoProvision: admits(create),
  NamespaceExists: validates(changes),
  NamespaceLifecycle: admits(changes),
  NodeDeclaredFeatureValidator: validates(writes),
  NodeRestriction: admits(changes),
  OwnerReferencesPermissionEnforcement: validates(writes),
  PersistentVolumeClaimResize: validates(update),
  PodGroupProtection: admits(create),
  PodNodeSelector: does(create),
  PodResizeValidator: validates(update),
  PodSecurity: validates(writes),
  PodTolerationRestriction: does(writes),
  PodTopologyLabels: admits(create),
  Priority: does(changes),
  ResourceQuota: validates(writes),
  RuntimeClass: does(create),
  ServiceAccount: does(writes),
  StorageObjectInUseProtection: admits(create),
  TaintNodesByCondition: admits(create),
  ValidatingAdmissionPolicy: validates(all),
  ValidatingAdmissionWebhook: validates(all),
};
