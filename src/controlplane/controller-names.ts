/** Controllers that can run inside the server, by the names that kube-controller-manager has for them. Known before any of them is loaded. */
export const controllerNames = [
  'certificatesigningrequest-approving-controller',
  'certificatesigningrequest-cleaner-controller',
  'certificatesigningrequest-signing-controller',
  'clusterrole-aggregation-controller',
  'disruption-controller',
  'endpoints-controller',
  'endpointslice-controller',
  'endpointslice-mirroring-controller',
  'garbage-collector-controller',
  'legacy-serviceaccount-token-cleaner-controller',
  'namespace-controller',
  'persistentvolume-protection-controller',
  'persistentvolumeclaim-protection-controller',
  'pod-garbage-collector-controller',
  'resourcequota-controller',
  'root-ca-certificate-publisher-controller',
  'service-cidr-controller',
  'serviceaccount-controller',
  'serviceaccount-token-controller',
  'storage-version-migrator-controller',
  'ttl-after-finished-controller',
  'validatingadmissionpolicy-status-controller',
] as const;

export type ControllerName = (typeof controllerNames)[number];

/** All, none, or some of the controllers. */
export type ControllerChoice = boolean | readonly ControllerName[];

export function isControllerName(name: string): name is ControllerName {
  return (controllerNames as readonly string[]).includes(name);
}
