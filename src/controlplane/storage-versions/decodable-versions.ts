// Upstream: k8s.io/kubernetes/pkg/apis/*/install/install.go
// Versions that are served no more, and which servers still read from a store. Newest first.

const beta = ['v1beta1'];
const betaAndAlpha = ['v1beta1', 'v1alpha1'];
const appsBetas = ['v1beta2', 'v1beta1'];
const flowControlBetas = ['v1beta3', 'v1beta2', 'v1beta1'];

export const olderVersions: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'admissionregistration.k8s.io': {
    mutatingwebhookconfigurations: beta,
    validatingadmissionpolicies: betaAndAlpha,
    validatingadmissionpolicybindings: betaAndAlpha,
    validatingwebhookconfigurations: beta,
  },
  'apiextensions.k8s.io': { customresourcedefinitions: beta },
  'apiregistration.k8s.io': { apiservices: beta },
  apps: {
    controllerrevisions: appsBetas,
    daemonsets: ['v1beta2'],
    deployments: appsBetas,
    replicasets: ['v1beta2'],
    statefulsets: appsBetas,
  },
  batch: { cronjobs: beta },
  'certificates.k8s.io': { certificatesigningrequests: beta, clustertrustbundles: ['v1alpha1'] },
  'coordination.k8s.io': { leases: beta },
  'discovery.k8s.io': { endpointslices: beta },
  'flowcontrol.apiserver.k8s.io': { flowschemas: flowControlBetas, prioritylevelconfigurations: flowControlBetas },
  'networking.k8s.io': { ingressclasses: beta, ingresses: beta, ipaddresses: beta, servicecidrs: beta },
  'node.k8s.io': { runtimeclasses: betaAndAlpha },
  policy: { poddisruptionbudgets: beta },
  'rbac.authorization.k8s.io': {
    clusterrolebindings: betaAndAlpha,
    clusterroles: betaAndAlpha,
    rolebindings: betaAndAlpha,
    roles: betaAndAlpha,
  },
  'scheduling.k8s.io': { priorityclasses: beta },
  'storage.k8s.io': {
    csidrivers: beta,
    csinodes: beta,
    csistoragecapacities: betaAndAlpha,
    storageclasses: beta,
    volumeattachments: betaAndAlpha,
    volumeattributesclasses: betaAndAlpha,
  },
};
