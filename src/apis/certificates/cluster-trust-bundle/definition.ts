// Upstream: pkg/registry/certificates/clustertrustbundle/strategy.go
import type { ClusterTrustBundle } from '../../../schema/types/certificates-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { defineResource } from '../../../server/registry/definition.ts';

export const clusterTrustBundles = defineResource<ClusterTrustBundle & KubeObject>({
  group: 'certificates.k8s.io',
  plural: 'clustertrustbundles',
  strategy: { allowUnconditionalUpdate: false },
  selectableFields: { 'spec.signerName': ({ spec }) => spec.signerName ?? '' },
  unknownFieldLabel: (label) => `field label not supported: ${label}`,
});
