// Upstream: k8s.io/kubernetes/pkg/registry/certificates/clustertrustbundle/strategy.go
import { defineResource } from '../../../server/registry/definition.ts';
import { docOf } from '../../../table/described.ts';
import { validate, validateUpdate } from './validation.ts';
import type { ClusterTrustBundleObject } from './validation.ts';

export const clusterTrustBundles = defineResource<ClusterTrustBundleObject>({
  group: 'certificates.k8s.io',
  plural: 'clustertrustbundles',
  strategy: {
    allowUnconditionalUpdate: false,
    // The rule for its name depends on its signer.
    skipsMetadataValidation: true,
    validate,
    validatesMetadataOnUpdate: true,
    validateUpdate,
  },
  selectableFields: { 'spec.signerName': ({ spec }) => spec.signerName ?? '' },
  unknownFieldLabel: (label) => `field label not supported: ${label}`,
  columns: [
    {
      name: 'SignerName',
      type: 'string',
      description: docOf('io.k8s.api.certificates.v1.ClusterTrustBundleSpec', 'signerName'),
      cell: ({ spec }) => spec.signerName || '<none>',
    },
  ],
});
