// Upstream: k8s.io/kubernetes/pkg/registry/networking/networkpolicy/strategy.go, k8s.io/kubernetes/pkg/apis/networking/v1/defaults.go
import { FieldPath } from '../../../machinery/field.ts';
import { warningsForCidr } from '../../../machinery/ip-validation.ts';
import { formatLabelSelector } from '../../../machinery/label-selector.ts';
import type { NetworkPolicy } from '../../../schema/types/networking-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import { ageColumn } from '../../../table/common-columns.ts';
import { docOf } from '../../../table/described.ts';
import { blocksOf, rulesOf } from './rules.ts';
import { validate, validateUpdate } from './validation.ts';

type Policy = NetworkPolicy & KubeObject;

export const networkPolicies = defineResource<Policy>({
  group: 'networking.k8s.io',
  plural: 'networkpolicies',
  strategy: {
    generation: 'in-memory',
    defaults({ spec }) {
      for (const { ports } of rulesOf(spec)) for (const port of ports) port.protocol ??= 'TCP';
      if (!spec.policyTypes?.length) spec.policyTypes = spec.egress?.length ? ['Ingress', 'Egress'] : ['Ingress'];
    },
    validate,
    validateUpdate,
    warningsOnCreate: warnings,
    warningsOnUpdate: warnings,
  },
  columns: [
    {
      name: 'Pod-Selector',
      type: 'string',
      description: docOf('io.k8s.api.networking.v1.NetworkPolicySpec', 'podSelector'),
      cell: ({ spec }) => formatLabelSelector(spec.podSelector),
    },
    ageColumn,
  ],
});

function warnings({ spec }: Policy): readonly string[] {
  return blocksOf(spec, FieldPath.root('spec')).flatMap(({ block, path }) => [
    ...warningsForCidr(block.cidr, path.child('cidr')),
    ...(block.except ?? []).flatMap((cidr, index) => warningsForCidr(cidr, path.child('except').index(index))),
  ]);
}
