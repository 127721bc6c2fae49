// Made by `npm run generate`; do not edit.
import type * as admissionregistrationV1 from './admissionregistration-v1.ts';
import type * as admissionregistrationV1alpha1 from './admissionregistration-v1alpha1.ts';
import type * as admissionregistrationV1beta1 from './admissionregistration-v1beta1.ts';
import type * as apiextensionsV1 from './apiextensions-v1.ts';
import type * as apiregistrationV1 from './apiregistration-v1.ts';
import type * as apiserverinternalV1alpha1 from './apiserverinternal-v1alpha1.ts';
import type * as appsV1 from './apps-v1.ts';
import type * as authenticationV1 from './authentication-v1.ts';
import type * as authorizationV1 from './authorization-v1.ts';
import type * as autoscalingV1 from './autoscaling-v1.ts';
import type * as autoscalingV2 from './autoscaling-v2.ts';
import type * as batchV1 from './batch-v1.ts';
import type * as certificatesV1 from './certificates-v1.ts';
import type * as certificatesV1beta1 from './certificates-v1beta1.ts';
import type * as coordinationV1 from './coordination-v1.ts';
import type * as coordinationV1alpha2 from './coordination-v1alpha2.ts';
import type * as coordinationV1beta1 from './coordination-v1beta1.ts';
import type * as coreV1 from './core-v1.ts';
import type * as discoveryV1 from './discovery-v1.ts';
import type * as eventsV1 from './events-v1.ts';
import type * as flowcontrolV1 from './flowcontrol-v1.ts';
import type * as lifecycleV1alpha1 from './lifecycle-v1alpha1.ts';
import type * as networkingV1 from './networking-v1.ts';
import type * as nodeV1 from './node-v1.ts';
import type * as policyV1 from './policy-v1.ts';
import type * as rbacV1 from './rbac-v1.ts';
import type * as resourceV1 from './resource-v1.ts';
import type * as resourceV1alpha3 from './resource-v1alpha3.ts';
import type * as resourceV1beta1 from './resource-v1beta1.ts';
import type * as resourceV1beta2 from './resource-v1beta2.ts';
import type * as schedulingV1 from './scheduling-v1.ts';
import type * as schedulingV1alpha3 from './scheduling-v1alpha3.ts';
import type * as schedulingV1beta1 from './scheduling-v1beta1.ts';
import type * as storageV1 from './storage-v1.ts';
import type * as storagemigrationV1 from './storagemigration-v1.ts';
import type * as storagemigrationV1beta1 from './storagemigration-v1beta1.ts';

/** Every built-in kind, by apiVersion. */
export interface BuiltInKinds {
  'v1': {
    Binding: coreV1.Binding;
    ComponentStatus: coreV1.ComponentStatus;
    ConfigMap: coreV1.ConfigMap;
    Endpoints: coreV1.Endpoints;
    Event: coreV1.Event;
    LimitRange: coreV1.LimitRange;
    Namespace: coreV1.Namespace;
    Node: coreV1.Node;
    PersistentVolume: coreV1.PersistentVolume;
    PersistentVolumeClaim: coreV1.PersistentVolumeClaim;
    Pod: coreV1.Pod;
    PodTemplate: coreV1.PodTemplate;
    ReplicationController: coreV1.ReplicationController;
    ResourceQuota: coreV1.ResourceQuota;
    Secret: coreV1.Secret;
    Service: coreV1.Service;
    ServiceAccount: coreV1.ServiceAccount;
  };
  'apiregistration.k8s.io/v1': {
    APIService: apiregistrationV1.APIService;
  };
  'apps/v1': {
    ControllerRevision: appsV1.ControllerRevision;
    DaemonSet: appsV1.DaemonSet;
    Deployment: appsV1.Deployment;
    ReplicaSet: appsV1.ReplicaSet;
    StatefulSet: appsV1.StatefulSet;
  };
  'events.k8s.io/v1': {
    Event: eventsV1.Event;
  };
  'authentication.k8s.io/v1': {
    SelfSubjectReview: authenticationV1.SelfSubjectReview;
    TokenReview: authenticationV1.TokenReview;
  };
  'authorization.k8s.io/v1': {
    LocalSubjectAccessReview: authorizationV1.LocalSubjectAccessReview;
    SelfSubjectAccessReview: authorizationV1.SelfSubjectAccessReview;
    SelfSubjectRulesReview: authorizationV1.SelfSubjectRulesReview;
    SubjectAccessReview: authorizationV1.SubjectAccessReview;
  };
  'autoscaling/v2': {
    HorizontalPodAutoscaler: autoscalingV2.HorizontalPodAutoscaler;
  };
  'autoscaling/v1': {
    HorizontalPodAutoscaler: autoscalingV1.HorizontalPodAutoscaler;
  };
  'batch/v1': {
    CronJob: batchV1.CronJob;
    Job: batchV1.Job;
  };
  'certificates.k8s.io/v1': {
    CertificateSigningRequest: certificatesV1.CertificateSigningRequest;
    ClusterTrustBundle: certificatesV1.ClusterTrustBundle;
    PodCertificateRequest: certificatesV1.PodCertificateRequest;
  };
  'certificates.k8s.io/v1beta1': {
    ClusterTrustBundle: certificatesV1beta1.ClusterTrustBundle;
    PodCertificateRequest: certificatesV1beta1.PodCertificateRequest;
  };
  'networking.k8s.io/v1': {
    IPAddress: networkingV1.IPAddress;
    Ingress: networkingV1.Ingress;
    IngressClass: networkingV1.IngressClass;
    NetworkPolicy: networkingV1.NetworkPolicy;
    ServiceCIDR: networkingV1.ServiceCIDR;
  };
  'policy/v1': {
    PodDisruptionBudget: policyV1.PodDisruptionBudget;
  };
  'rbac.authorization.k8s.io/v1': {
    ClusterRole: rbacV1.ClusterRole;
    ClusterRoleBinding: rbacV1.ClusterRoleBinding;
    Role: rbacV1.Role;
    RoleBinding: rbacV1.RoleBinding;
  };
  'storage.k8s.io/v1': {
    CSIDriver: storageV1.CSIDriver;
    CSINode: storageV1.CSINode;
    CSIStorageCapacity: storageV1.CSIStorageCapacity;
    StorageClass: storageV1.StorageClass;
    VolumeAttachment: storageV1.VolumeAttachment;
    VolumeAttributesClass: storageV1.VolumeAttributesClass;
  };
  'admissionregistration.k8s.io/v1': {
    MutatingAdmissionPolicy: admissionregistrationV1.MutatingAdmissionPolicy;
    MutatingAdmissionPolicyBinding: admissionregistrationV1.MutatingAdmissionPolicyBinding;
    MutatingWebhookConfiguration: admissionregistrationV1.MutatingWebhookConfiguration;
    ValidatingAdmissionPolicy: admissionregistrationV1.ValidatingAdmissionPolicy;
    ValidatingAdmissionPolicyBinding: admissionregistrationV1.ValidatingAdmissionPolicyBinding;
    ValidatingWebhookConfiguration: admissionregistrationV1.ValidatingWebhookConfiguration;
  };
  'admissionregistration.k8s.io/v1beta1': {
    MutatingAdmissionPolicy: admissionregistrationV1beta1.MutatingAdmissionPolicy;
    MutatingAdmissionPolicyBinding: admissionregistrationV1beta1.MutatingAdmissionPolicyBinding;
  };
  'admissionregistration.k8s.io/v1alpha1': {
    MutatingAdmissionPolicy: admissionregistrationV1alpha1.MutatingAdmissionPolicy;
    MutatingAdmissionPolicyBinding: admissionregistrationV1alpha1.MutatingAdmissionPolicyBinding;
  };
  'apiextensions.k8s.io/v1': {
    CustomResourceDefinition: apiextensionsV1.CustomResourceDefinition;
  };
  'scheduling.k8s.io/v1': {
    PriorityClass: schedulingV1.PriorityClass;
  };
  'scheduling.k8s.io/v1beta1': {
    PodGroup: schedulingV1beta1.PodGroup;
    Workload: schedulingV1beta1.Workload;
  };
  'scheduling.k8s.io/v1alpha3': {
    CompositePodGroup: schedulingV1alpha3.CompositePodGroup;
    PodGroup: schedulingV1alpha3.PodGroup;
    Workload: schedulingV1alpha3.Workload;
  };
  'coordination.k8s.io/v1': {
    Lease: coordinationV1.Lease;
  };
  'coordination.k8s.io/v1beta1': {
    LeaseCandidate: coordinationV1beta1.LeaseCandidate;
  };
  'coordination.k8s.io/v1alpha2': {
    LeaseCandidate: coordinationV1alpha2.LeaseCandidate;
  };
  'node.k8s.io/v1': {
    RuntimeClass: nodeV1.RuntimeClass;
  };
  'discovery.k8s.io/v1': {
    EndpointSlice: discoveryV1.EndpointSlice;
  };
  'resource.k8s.io/v1': {
    DeviceClass: resourceV1.DeviceClass;
    DeviceTaintRule: resourceV1.DeviceTaintRule;
    ResourceClaim: resourceV1.ResourceClaim;
    ResourceClaimTemplate: resourceV1.ResourceClaimTemplate;
    ResourceSlice: resourceV1.ResourceSlice;
  };
  'resource.k8s.io/v1beta2': {
    DeviceClass: resourceV1beta2.DeviceClass;
    DeviceTaintRule: resourceV1beta2.DeviceTaintRule;
    ResourceClaim: resourceV1beta2.ResourceClaim;
    ResourceClaimTemplate: resourceV1beta2.ResourceClaimTemplate;
    ResourceSlice: resourceV1beta2.ResourceSlice;
  };
  'resource.k8s.io/v1beta1': {
    DeviceClass: resourceV1beta1.DeviceClass;
    ResourceClaim: resourceV1beta1.ResourceClaim;
    ResourceClaimTemplate: resourceV1beta1.ResourceClaimTemplate;
    ResourceSlice: resourceV1beta1.ResourceSlice;
  };
  'resource.k8s.io/v1alpha3': {
    DeviceTaintRule: resourceV1alpha3.DeviceTaintRule;
    ResourcePoolStatusRequest: resourceV1alpha3.ResourcePoolStatusRequest;
  };
  'flowcontrol.apiserver.k8s.io/v1': {
    FlowSchema: flowcontrolV1.FlowSchema;
    PriorityLevelConfiguration: flowcontrolV1.PriorityLevelConfiguration;
  };
  'internal.apiserver.k8s.io/v1alpha1': {
    StorageVersion: apiserverinternalV1alpha1.StorageVersion;
  };
  'storagemigration.k8s.io/v1': {
    StorageVersionMigration: storagemigrationV1.StorageVersionMigration;
  };
  'storagemigration.k8s.io/v1beta1': {
    StorageVersionMigration: storagemigrationV1beta1.StorageVersionMigration;
  };
  'lifecycle.k8s.io/v1alpha1': {
    Eviction: lifecycleV1alpha1.Eviction;
    EvictionRequest: lifecycleV1alpha1.EvictionRequest;
  };
}
