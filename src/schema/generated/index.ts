// Made by `npm run generate`; do not edit.
import { admissionV1 } from './admission-v1.ts';
import { admissionV1beta1 } from './admission-v1beta1.ts';
import { admissionregistrationV1 } from './admissionregistration-v1.ts';
import { admissionregistrationV1alpha1 } from './admissionregistration-v1alpha1.ts';
import { admissionregistrationV1beta1 } from './admissionregistration-v1beta1.ts';
import { apidiscoveryV2 } from './apidiscovery-v2.ts';
import { apidiscoveryV2beta1 } from './apidiscovery-v2beta1.ts';
import { apiextensionsV1 } from './apiextensions-v1.ts';
import { apiextensionsV1beta1 } from './apiextensions-v1beta1.ts';
import { apiregistrationV1 } from './apiregistration-v1.ts';
import { apiregistrationV1beta1 } from './apiregistration-v1beta1.ts';
import { apiserverinternalV1alpha1 } from './apiserverinternal-v1alpha1.ts';
import { appsV1 } from './apps-v1.ts';
import { appsV1beta1 } from './apps-v1beta1.ts';
import { appsV1beta2 } from './apps-v1beta2.ts';
import { auditV1 } from './audit-v1.ts';
import { authenticationV1 } from './authentication-v1.ts';
import { authenticationV1alpha1 } from './authentication-v1alpha1.ts';
import { authenticationV1beta1 } from './authentication-v1beta1.ts';
import { authorizationV1 } from './authorization-v1.ts';
import { authorizationV1beta1 } from './authorization-v1beta1.ts';
import { autoscalingV1 } from './autoscaling-v1.ts';
import { autoscalingV2 } from './autoscaling-v2.ts';
import { batchV1 } from './batch-v1.ts';
import { batchV1beta1 } from './batch-v1beta1.ts';
import { certificatesV1 } from './certificates-v1.ts';
import { certificatesV1alpha1 } from './certificates-v1alpha1.ts';
import { certificatesV1beta1 } from './certificates-v1beta1.ts';
import { coordinationV1 } from './coordination-v1.ts';
import { coordinationV1alpha2 } from './coordination-v1alpha2.ts';
import { coordinationV1beta1 } from './coordination-v1beta1.ts';
import { coreV1 } from './core-v1.ts';
import { discoveryV1 } from './discovery-v1.ts';
import { discoveryV1beta1 } from './discovery-v1beta1.ts';
import { eventsV1 } from './events-v1.ts';
import { eventsV1beta1 } from './events-v1beta1.ts';
import { extensionsV1beta1 } from './extensions-v1beta1.ts';
import { flowcontrolV1 } from './flowcontrol-v1.ts';
import { flowcontrolV1beta1 } from './flowcontrol-v1beta1.ts';
import { flowcontrolV1beta2 } from './flowcontrol-v1beta2.ts';
import { flowcontrolV1beta3 } from './flowcontrol-v1beta3.ts';
import { imagepolicyV1alpha1 } from './imagepolicy-v1alpha1.ts';
import { lifecycleV1alpha1 } from './lifecycle-v1alpha1.ts';
import { metaV1 } from './meta-v1.ts';
import { metaV1beta1 } from './meta-v1beta1.ts';
import { networkingV1 } from './networking-v1.ts';
import { networkingV1beta1 } from './networking-v1beta1.ts';
import { nodeV1 } from './node-v1.ts';
import { nodeV1alpha1 } from './node-v1alpha1.ts';
import { nodeV1beta1 } from './node-v1beta1.ts';
import { pkgVersion } from './pkg-version.ts';
import { policyV1 } from './policy-v1.ts';
import { policyV1beta1 } from './policy-v1beta1.ts';
import { rbacV1 } from './rbac-v1.ts';
import { rbacV1alpha1 } from './rbac-v1alpha1.ts';
import { rbacV1beta1 } from './rbac-v1beta1.ts';
import { resourceV1 } from './resource-v1.ts';
import { resourceV1alpha3 } from './resource-v1alpha3.ts';
import { resourceV1beta1 } from './resource-v1beta1.ts';
import { resourceV1beta2 } from './resource-v1beta2.ts';
import { schedulingV1 } from './scheduling-v1.ts';
import { schedulingV1alpha3 } from './scheduling-v1alpha3.ts';
import { schedulingV1beta1 } from './scheduling-v1beta1.ts';
import { storageV1 } from './storage-v1.ts';
import { storageV1alpha1 } from './storage-v1alpha1.ts';
import { storageV1beta1 } from './storage-v1beta1.ts';
import { storagemigrationV1 } from './storagemigration-v1.ts';
import { storagemigrationV1beta1 } from './storagemigration-v1beta1.ts';

export interface TableSource {
  readonly id: string;
  readonly package: string;
  readonly group: string;
  readonly version: string;
  readonly text: string;
}

export const tables: readonly TableSource[] = [
  { id: 'admission-v1', package: 'io.k8s.api.admission.v1', group: 'admission.k8s.io', version: 'v1', text: admissionV1 },
  { id: 'admission-v1beta1', package: 'io.k8s.api.admission.v1beta1', group: 'admission.k8s.io', version: 'v1beta1', text: admissionV1beta1 },
  { id: 'admissionregistration-v1', package: 'io.k8s.api.admissionregistration.v1', group: 'admissionregistration.k8s.io', version: 'v1', text: admissionregistrationV1 },
  { id: 'admissionregistration-v1alpha1', package: 'io.k8s.api.admissionregistration.v1alpha1', group: 'admissionregistration.k8s.io', version: 'v1alpha1', text: admissionregistrationV1alpha1 },
  { id: 'admissionregistration-v1beta1', package: 'io.k8s.api.admissionregistration.v1beta1', group: 'admissionregistration.k8s.io', version: 'v1beta1', text: admissionregistrationV1beta1 },
  { id: 'apidiscovery-v2', package: 'io.k8s.api.apidiscovery.v2', group: 'apidiscovery.k8s.io', version: 'v2', text: apidiscoveryV2 },
  { id: 'apidiscovery-v2beta1', package: 'io.k8s.api.apidiscovery.v2beta1', group: 'apidiscovery.k8s.io', version: 'v2beta1', text: apidiscoveryV2beta1 },
  { id: 'apiextensions-v1', package: 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1', group: 'apiextensions.k8s.io', version: 'v1', text: apiextensionsV1 },
  { id: 'apiextensions-v1beta1', package: 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1beta1', group: 'apiextensions.k8s.io', version: 'v1beta1', text: apiextensionsV1beta1 },
  { id: 'apiregistration-v1', package: 'io.k8s.kube-aggregator.pkg.apis.apiregistration.v1', group: 'apiregistration.k8s.io', version: 'v1', text: apiregistrationV1 },
  { id: 'apiregistration-v1beta1', package: 'io.k8s.kube-aggregator.pkg.apis.apiregistration.v1beta1', group: 'apiregistration.k8s.io', version: 'v1beta1', text: apiregistrationV1beta1 },
  { id: 'apiserverinternal-v1alpha1', package: 'io.k8s.api.apiserverinternal.v1alpha1', group: 'internal.apiserver.k8s.io', version: 'v1alpha1', text: apiserverinternalV1alpha1 },
  { id: 'apps-v1', package: 'io.k8s.api.apps.v1', group: 'apps', version: 'v1', text: appsV1 },
  { id: 'apps-v1beta1', package: 'io.k8s.api.apps.v1beta1', group: 'apps', version: 'v1beta1', text: appsV1beta1 },
  { id: 'apps-v1beta2', package: 'io.k8s.api.apps.v1beta2', group: 'apps', version: 'v1beta2', text: appsV1beta2 },
  { id: 'audit-v1', package: 'io.k8s.apiserver.pkg.apis.audit.v1', group: 'audit.k8s.io', version: 'v1', text: auditV1 },
  { id: 'authentication-v1', package: 'io.k8s.api.authentication.v1', group: 'authentication.k8s.io', version: 'v1', text: authenticationV1 },
  { id: 'authentication-v1alpha1', package: 'io.k8s.api.authentication.v1alpha1', group: 'authentication.k8s.io', version: 'v1alpha1', text: authenticationV1alpha1 },
  { id: 'authentication-v1beta1', package: 'io.k8s.api.authentication.v1beta1', group: 'authentication.k8s.io', version: 'v1beta1', text: authenticationV1beta1 },
  { id: 'authorization-v1', package: 'io.k8s.api.authorization.v1', group: 'authorization.k8s.io', version: 'v1', text: authorizationV1 },
  { id: 'authorization-v1beta1', package: 'io.k8s.api.authorization.v1beta1', group: 'authorization.k8s.io', version: 'v1beta1', text: authorizationV1beta1 },
  { id: 'autoscaling-v1', package: 'io.k8s.api.autoscaling.v1', group: 'autoscaling', version: 'v1', text: autoscalingV1 },
  { id: 'autoscaling-v2', package: 'io.k8s.api.autoscaling.v2', group: 'autoscaling', version: 'v2', text: autoscalingV2 },
  { id: 'batch-v1', package: 'io.k8s.api.batch.v1', group: 'batch', version: 'v1', text: batchV1 },
  { id: 'batch-v1beta1', package: 'io.k8s.api.batch.v1beta1', group: 'batch', version: 'v1beta1', text: batchV1beta1 },
  { id: 'certificates-v1', package: 'io.k8s.api.certificates.v1', group: 'certificates.k8s.io', version: 'v1', text: certificatesV1 },
  { id: 'certificates-v1alpha1', package: 'io.k8s.api.certificates.v1alpha1', group: 'certificates.k8s.io', version: 'v1alpha1', text: certificatesV1alpha1 },
  { id: 'certificates-v1beta1', package: 'io.k8s.api.certificates.v1beta1', group: 'certificates.k8s.io', version: 'v1beta1', text: certificatesV1beta1 },
  { id: 'coordination-v1', package: 'io.k8s.api.coordination.v1', group: 'coordination.k8s.io', version: 'v1', text: coordinationV1 },
  { id: 'coordination-v1alpha2', package: 'io.k8s.api.coordination.v1alpha2', group: 'coordination.k8s.io', version: 'v1alpha2', text: coordinationV1alpha2 },
  { id: 'coordination-v1beta1', package: 'io.k8s.api.coordination.v1beta1', group: 'coordination.k8s.io', version: 'v1beta1', text: coordinationV1beta1 },
  { id: 'core-v1', package: 'io.k8s.api.core.v1', group: '', version: 'v1', text: coreV1 },
  { id: 'discovery-v1', package: 'io.k8s.api.discovery.v1', group: 'discovery.k8s.io', version: 'v1', text: discoveryV1 },
  { id: 'discovery-v1beta1', package: 'io.k8s.api.discovery.v1beta1', group: 'discovery.k8s.io', version: 'v1beta1', text: discoveryV1beta1 },
  { id: 'events-v1', package: 'io.k8s.api.events.v1', group: 'events.k8s.io', version: 'v1', text: eventsV1 },
  { id: 'events-v1beta1', package: 'io.k8s.api.events.v1beta1', group: 'events.k8s.io', version: 'v1beta1', text: eventsV1beta1 },
  { id: 'extensions-v1beta1', package: 'io.k8s.api.extensions.v1beta1', group: 'extensions', version: 'v1beta1', text: extensionsV1beta1 },
  { id: 'flowcontrol-v1', package: 'io.k8s.api.flowcontrol.v1', group: 'flowcontrol.apiserver.k8s.io', version: 'v1', text: flowcontrolV1 },
  { id: 'flowcontrol-v1beta1', package: 'io.k8s.api.flowcontrol.v1beta1', group: 'flowcontrol.apiserver.k8s.io', version: 'v1beta1', text: flowcontrolV1beta1 },
  { id: 'flowcontrol-v1beta2', package: 'io.k8s.api.flowcontrol.v1beta2', group: 'flowcontrol.apiserver.k8s.io', version: 'v1beta2', text: flowcontrolV1beta2 },
  { id: 'flowcontrol-v1beta3', package: 'io.k8s.api.flowcontrol.v1beta3', group: 'flowcontrol.apiserver.k8s.io', version: 'v1beta3', text: flowcontrolV1beta3 },
  { id: 'imagepolicy-v1alpha1', package: 'io.k8s.api.imagepolicy.v1alpha1', group: 'imagepolicy.k8s.io', version: 'v1alpha1', text: imagepolicyV1alpha1 },
  { id: 'lifecycle-v1alpha1', package: 'io.k8s.api.lifecycle.v1alpha1', group: 'lifecycle.k8s.io', version: 'v1alpha1', text: lifecycleV1alpha1 },
  { id: 'meta-v1', package: 'io.k8s.apimachinery.pkg.apis.meta.v1', group: 'meta.k8s.io', version: 'v1', text: metaV1 },
  { id: 'meta-v1beta1', package: 'io.k8s.apimachinery.pkg.apis.meta.v1beta1', group: 'meta.k8s.io', version: 'v1beta1', text: metaV1beta1 },
  { id: 'networking-v1', package: 'io.k8s.api.networking.v1', group: 'networking.k8s.io', version: 'v1', text: networkingV1 },
  { id: 'networking-v1beta1', package: 'io.k8s.api.networking.v1beta1', group: 'networking.k8s.io', version: 'v1beta1', text: networkingV1beta1 },
  { id: 'node-v1', package: 'io.k8s.api.node.v1', group: 'node.k8s.io', version: 'v1', text: nodeV1 },
  { id: 'node-v1alpha1', package: 'io.k8s.api.node.v1alpha1', group: 'node.k8s.io', version: 'v1alpha1', text: nodeV1alpha1 },
  { id: 'node-v1beta1', package: 'io.k8s.api.node.v1beta1', group: 'node.k8s.io', version: 'v1beta1', text: nodeV1beta1 },
  { id: 'pkg-version', package: 'io.k8s.apimachinery.pkg.version', group: '', version: '', text: pkgVersion },
  { id: 'policy-v1', package: 'io.k8s.api.policy.v1', group: 'policy', version: 'v1', text: policyV1 },
  { id: 'policy-v1beta1', package: 'io.k8s.api.policy.v1beta1', group: 'policy', version: 'v1beta1', text: policyV1beta1 },
  { id: 'rbac-v1', package: 'io.k8s.api.rbac.v1', group: 'rbac.authorization.k8s.io', version: 'v1', text: rbacV1 },
  { id: 'rbac-v1alpha1', package: 'io.k8s.api.rbac.v1alpha1', group: 'rbac.authorization.k8s.io', version: 'v1alpha1', text: rbacV1alpha1 },
  { id: 'rbac-v1beta1', package: 'io.k8s.api.rbac.v1beta1', group: 'rbac.authorization.k8s.io', version: 'v1beta1', text: rbacV1beta1 },
  { id: 'resource-v1', package: 'io.k8s.api.resource.v1', group: 'resource.k8s.io', version: 'v1', text: resourceV1 },
  { id: 'resource-v1alpha3', package: 'io.k8s.api.resource.v1alpha3', group: 'resource.k8s.io', version: 'v1alpha3', text: resourceV1alpha3 },
  { id: 'resource-v1beta1', package: 'io.k8s.api.resource.v1beta1', group: 'resource.k8s.io', version: 'v1beta1', text: resourceV1beta1 },
  { id: 'resource-v1beta2', package: 'io.k8s.api.resource.v1beta2', group: 'resource.k8s.io', version: 'v1beta2', text: resourceV1beta2 },
  { id: 'scheduling-v1', package: 'io.k8s.api.scheduling.v1', group: 'scheduling.k8s.io', version: 'v1', text: schedulingV1 },
  { id: 'scheduling-v1alpha3', package: 'io.k8s.api.scheduling.v1alpha3', group: 'scheduling.k8s.io', version: 'v1alpha3', text: schedulingV1alpha3 },
  { id: 'scheduling-v1beta1', package: 'io.k8s.api.scheduling.v1beta1', group: 'scheduling.k8s.io', version: 'v1beta1', text: schedulingV1beta1 },
  { id: 'storage-v1', package: 'io.k8s.api.storage.v1', group: 'storage.k8s.io', version: 'v1', text: storageV1 },
  { id: 'storage-v1alpha1', package: 'io.k8s.api.storage.v1alpha1', group: 'storage.k8s.io', version: 'v1alpha1', text: storageV1alpha1 },
  { id: 'storage-v1beta1', package: 'io.k8s.api.storage.v1beta1', group: 'storage.k8s.io', version: 'v1beta1', text: storageV1beta1 },
  { id: 'storagemigration-v1', package: 'io.k8s.api.storagemigration.v1', group: 'storagemigration.k8s.io', version: 'v1', text: storagemigrationV1 },
  { id: 'storagemigration-v1beta1', package: 'io.k8s.api.storagemigration.v1beta1', group: 'storagemigration.k8s.io', version: 'v1beta1', text: storagemigrationV1beta1 },
];
