// Upstream: k8s.io/kubernetes/pkg/registry/coordination/lease/strategy.go
import { FieldPath } from '../../../machinery/field.ts';
import { nameIsDnsSubdomain } from '../../../machinery/names.ts';
import { validateObjectMeta } from '../../../machinery/object-meta-validation.ts';
import type { Lease } from '../../../schema/types/coordination-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import { ageColumn } from '../../../table/common-columns.ts';
import { docOf } from '../../../table/described.ts';
import { validate } from './validation.ts';

export const leases = defineResource<Lease & KubeObject>({
  group: 'coordination.k8s.io',
  plural: 'leases',
  strategy: {
    allowCreateOnUpdate: true,
    allowUnconditionalUpdate: false,
    prepareForCreate({ spec }, { features }) {
      if (features.enabled('CoordinatedLeaderElection')) return;
      delete spec.strategy;
      delete spec.preferredHolder;
    },
    prepareForUpdate({ spec }, old, { features }) {
      if (features.enabled('CoordinatedLeaderElection')) return;
      if (old.spec.strategy === undefined) delete spec.strategy;
      if (old.spec.preferredHolder === undefined) delete spec.preferredHolder;
    },
    // finalizers of leases need not be qualified
    skipsMetadataValidation: true,
    validate: (lease) => [...validateObjectMeta(lease.metadata, true, nameIsDnsSubdomain, FieldPath.root('metadata')), ...validate(lease)],
    validateUpdate: validate,
  },
  columns: [
    {
      name: 'Holder',
      type: 'string',
      description: docOf('io.k8s.api.coordination.v1.LeaseSpec', 'holderIdentity'),
      cell: ({ spec }) => spec.holderIdentity ?? '',
    },
    ageColumn,
  ],
});
