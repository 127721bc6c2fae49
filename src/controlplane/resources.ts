import { mutatingAdmissionPolicies } from '../apis/admissionregistration/mutating-admission-policy/definition.ts';
import { mutatingAdmissionPolicyBindings } from '../apis/admissionregistration/mutating-admission-policy-binding/definition.ts';
import { mutatingWebhookConfigurations } from '../apis/admissionregistration/mutating-webhook-configuration/definition.ts';
import { validatingAdmissionPolicies } from '../apis/admissionregistration/validating-admission-policy/definition.ts';
import { validatingAdmissionPolicyBindings } from '../apis/admissionregistration/validating-admission-policy-binding/definition.ts';
import { validatingWebhookConfigurations } from '../apis/admissionregistration/validating-webhook-configuration/definition.ts';
import { csiDrivers } from '../apis/storage/csi-driver/definition.ts';
import { apiServices } from '../apis/apiregistration/api-service/definition.ts';
import { storageVersions } from '../apis/apiserverinternal/storage-version/definition.ts';
import { controllerRevisions } from '../apis/apps/controller-revision/definition.ts';
import { daemonSets } from '../apis/apps/daemon-set/definition.ts';
import { deployments } from '../apis/apps/deployment/definition.ts';
import { replicaSets } from '../apis/apps/replica-set/definition.ts';
import { statefulSets } from '../apis/apps/stateful-set/definition.ts';
import { selfSubjectReviews } from '../apis/authentication/self-subject-review/definition.ts';
import { tokenReviews } from '../apis/authentication/token-review/definition.ts';
import { localSubjectAccessReviews } from '../apis/authorization/local-subject-access-review/definition.ts';
import { selfSubjectAccessReviews } from '../apis/authorization/self-subject-access-review/definition.ts';
import { selfSubjectRulesReviews } from '../apis/authorization/self-subject-rules-review/definition.ts';
import { subjectAccessReviews } from '../apis/authorization/subject-access-review/definition.ts';
import { horizontalPodAutoscalers } from '../apis/autoscaling/horizontal-pod-autoscaler/definition.ts';
import { certificateSigningRequests } from '../apis/certificates/certificate-signing-request/definition.ts';
import { clusterTrustBundles } from '../apis/certificates/cluster-trust-bundle/definition.ts';
import { podCertificateRequests } from '../apis/certificates/pod-certificate-request/definition.ts';
import { cronJobs } from '../apis/batch/cron-job/definition.ts';
import { jobs } from '../apis/batch/job/definition.ts';
import { leaseCandidates } from '../apis/coordination/lease-candidate/definition.ts';
import { leases } from '../apis/coordination/lease/definition.ts';
import { bindings } from '../apis/core/binding/definition.ts';
import { componentStatuses } from '../apis/core/component-status/definition.ts';
import { configMaps } from '../apis/core/config-map/definition.ts';
import { endpoints } from '../apis/core/endpoints/definition.ts';
import { events } from '../apis/core/event/definition.ts';
import { limitRanges } from '../apis/core/limit-range/definition.ts';
import { namespaces } from '../apis/core/namespace/definition.ts';
import { nodes } from '../apis/core/node/definition.ts';
import { persistentVolumeClaims } from '../apis/core/persistent-volume-claim/definition.ts';
import { persistentVolumes } from '../apis/core/persistent-volume/definition.ts';
import { podTemplates } from '../apis/core/pod-template/definition.ts';
import { pods } from '../apis/core/pod/definition.ts';
import { resourceQuotas } from '../apis/core/resource-quota/definition.ts';
import { replicationControllers } from '../apis/core/replication-controller/definition.ts';
import { secrets } from '../apis/core/secret/definition.ts';
import { serviceAccounts } from '../apis/core/service-account/definition.ts';
import { services } from '../apis/core/service/definition.ts';
import type { ServiceOptions } from '../apis/core/service/definition.ts';
import { endpointSlices } from '../apis/discovery/endpoint-slice/definition.ts';
import { eventsOfEventsGroup } from '../apis/events/event/definition.ts';
import { ingressClasses } from '../apis/networking/ingress-class/definition.ts';
import { ingresses } from '../apis/networking/ingress/definition.ts';
import { flowSchemas } from '../apis/flowcontrol/flow-schema/definition.ts';
import { priorityLevelConfigurations } from '../apis/flowcontrol/priority-level-configuration/definition.ts';
import { evictions } from '../apis/lifecycle/eviction/definition.ts';
import { evictionRequests } from '../apis/lifecycle/eviction-request/definition.ts';
import { ipAddresses } from '../apis/networking/ip-address/definition.ts';
import { networkPolicies } from '../apis/networking/network-policy/definition.ts';
import { serviceCidrs } from '../apis/networking/service-cidr/definition.ts';
import { podDisruptionBudgets } from '../apis/policy/pod-disruption-budget/definition.ts';
import { clusterRoleBindings } from '../apis/rbac/cluster-role-binding/definition.ts';
import { clusterRoles } from '../apis/rbac/cluster-role/definition.ts';
import { roleBindings } from '../apis/rbac/role-binding/definition.ts';
import { roles } from '../apis/rbac/role/definition.ts';
import { deviceClasses } from '../apis/resource/device-class/definition.ts';
import { deviceTaintRules } from '../apis/resource/device-taint-rule/definition.ts';
import { resourceClaimTemplates } from '../apis/resource/resource-claim-template/definition.ts';
import { resourceClaims } from '../apis/resource/resource-claim/definition.ts';
import { resourcePoolStatusRequests } from '../apis/resource/resource-pool-status-request/definition.ts';
import { resourceSlices } from '../apis/resource/resource-slice/definition.ts';
import { compositePodGroups } from '../apis/scheduling/composite-pod-group/definition.ts';
import { podGroups } from '../apis/scheduling/pod-group/definition.ts';
import { priorityClasses } from '../apis/scheduling/priority-class/definition.ts';
import { workloads } from '../apis/scheduling/workload/definition.ts';
import { runtimeClasses } from '../apis/node/runtime-class/definition.ts';
import { csiNodes } from '../apis/storage/csi-node/definition.ts';
import { csiStorageCapacities } from '../apis/storage/csi-storage-capacity/definition.ts';
import { storageClasses } from '../apis/storage/storage-class/definition.ts';
import { volumeAttachments } from '../apis/storage/volume-attachment/definition.ts';
import { volumeAttributesClasses } from '../apis/storage/volume-attributes-class/definition.ts';
import { storageVersionMigrations } from '../apis/storagemigration/storage-version-migration/definition.ts';
import type { OutgoingConnections } from '../apis/common/kubelet.ts';
import type { MetricsRegistry } from '../base/metrics.ts';
import type { ResourcesConfig } from './config.ts';
import type { ResourceDefinition } from '../server/registry/definition.ts';

/** What a kind may depend on. */
export interface ResourceOptions extends ResourcesConfig {
  readonly metrics: MetricsRegistry;
  readonly services: ServiceOptions;
  /** for what goes on to kubelets and pods */
  readonly outgoing: OutgoingConnections;
}

/** Kinds with behaviour of their own; every other built-in kind follows the generic rules. */
const kinds: readonly (ResourceDefinition | ((options: ResourceOptions) => ResourceDefinition))[] = [
  mutatingAdmissionPolicies,
  mutatingAdmissionPolicyBindings,
  mutatingWebhookConfigurations,
  validatingAdmissionPolicies,
  validatingAdmissionPolicyBindings,
  validatingWebhookConfigurations,
  csiDrivers,
  deviceClasses,
  deviceTaintRules,
  resourceClaimTemplates,
  resourceClaims,
  resourcePoolStatusRequests,
  resourceSlices,
  apiServices,
  storageVersions,
  controllerRevisions,
  daemonSets,
  deployments,
  replicaSets,
  statefulSets,
  cronJobs,
  jobs,
  selfSubjectReviews,
  tokenReviews,
  localSubjectAccessReviews,
  selfSubjectAccessReviews,
  selfSubjectRulesReviews,
  subjectAccessReviews,
  bindings,
  certificateSigningRequests,
  clusterTrustBundles,
  podCertificateRequests,
  componentStatuses,
  configMaps,
  namespaces,
  nodes,
  podTemplates,
  pods,
  replicationControllers,
  secrets,
  serviceAccounts,
  services,
  ipAddresses,
  serviceCidrs,
  clusterRoleBindings,
  clusterRoles,
  roleBindings,
  roles,
  events,
  eventsOfEventsGroup,
  flowSchemas,
  priorityLevelConfigurations,
  leaseCandidates,
  leases,
  horizontalPodAutoscalers,
  podDisruptionBudgets,
  limitRanges,
  resourceQuotas,
  compositePodGroups,
  podGroups,
  priorityClasses,
  workloads,
  evictions,
  evictionRequests,
  endpoints,
  endpointSlices,
  networkPolicies,
  ingressClasses,
  runtimeClasses,
  csiNodes,
  csiStorageCapacities,
  storageClasses,
  volumeAttachments,
  volumeAttributesClasses,
  storageVersionMigrations,
  ingresses,
  persistentVolumeClaims,
  persistentVolumes,
];

export function resourceDefinitions(options: ResourceOptions): readonly ResourceDefinition[] {
  return kinds.map((kind) => (typeof kind === 'function' ? kind(options) : kind));
}
