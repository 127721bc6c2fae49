// Upstream: k8s.io/kubernetes/pkg/registry/networking/servicecidr/strategy.go
// Upstream: k8s.io/kubernetes/pkg/apis/networking/validation/validation.go#ValidateServiceCIDR*
import { asPrinted } from '../../../machinery/go-distinctions.ts';
import { FieldPath, invalid, required } from '../../../machinery/field.ts';
import type { FieldError } from '../../../machinery/field.ts';
import { isIpv4, parseCidr } from '../../../machinery/ip.ts';
import { validateCidr } from '../../../machinery/ip-validation.ts';
import { fieldImmutableMessage } from '../../../machinery/object-meta-validation.ts';
import type { ServiceCIDR } from '../../../schema/types/networking-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import { ageColumn } from '../../../table/common-columns.ts';
import { docOf } from '../../../table/described.ts';
import { resetMetadataForStatus } from '../../common/status-metadata.ts';

type ServiceCidrObject = ServiceCIDR & KubeObject;

const cidrsPath = FieldPath.root('spec', 'cidrs');

export const serviceCidrs = defineResource<ServiceCidrObject>({
  group: 'networking.k8s.io',
  plural: 'servicecidrs',
  strategy: {
    validate: validateCidrs,
    validateUpdate,
  },
  status: {
    prepareForUpdate: ({ metadata }, old) => resetMetadataForStatus(metadata, old.metadata),
    resetFields: [['metadata'], ['spec']],
  },
  columns: [
    {
      name: 'CIDRs',
      type: 'string',
      description: docOf('io.k8s.api.networking.v1.ServiceCIDRSpec', 'cidrs'),
      cell: ({ spec }) => (spec?.cidrs ?? []).join(','),
    },
    ageColumn,
  ],
});

function validateCidrs({ spec }: ServiceCidrObject): FieldError[] {
  const cidrs = spec?.cidrs ?? [];
  if (cidrs.length === 0) return [required(cidrsPath, 'at least one CIDR required')];
  // The whole spec is shown, as upstream does.
  if (cidrs.length > 2) return [invalid(cidrsPath, { CIDRs: cidrs }, 'may only hold up to 2 values')];
  const errors = cidrs.flatMap((cidr, index) => validateCidr(cidr, cidrsPath.index(index)));
  const families = cidrs.map((cidr) => parseCidr(cidr)).map((cidr) => cidr && isIpv4(cidr.ip));
  if (cidrs.length === 2 && families[0] === families[1] && families[0] !== undefined) {
    const detail = 'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64';
    errors.push(invalid(cidrsPath, cidrs, detail));
  }
  return errors;
}

/** A second family may be added, nothing else changes. */
function validateUpdate(cidr: ServiceCidrObject, old: ServiceCidrObject): FieldError[] {
  const before = old.spec?.cidrs ?? [];
  const after = cidr.spec?.cidrs ?? [];
  const changed = (index: number): FieldError[] =>
    before[index] === after[index] ? [] : [invalid(cidrsPath.index(index), after[index], fieldImmutableMessage)];
  if (before.length === after.length) return before.flatMap((_, index) => changed(index));
  if (before.length === 1 && after.length === 2) return [...changed(0), ...validateCidrs(cidr)];
  return [invalid(cidrsPath, asPrinted(cidr.spec ?? {}, 'cidrs', []), fieldImmutableMessage)];
}
