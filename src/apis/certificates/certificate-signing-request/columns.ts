// Upstream: k8s.io/kubernetes/pkg/printers/internalversion/printers.go#printCertificateSigningRequest
import type { Column } from '../../../table/column.ts';
import { ageColumn } from '../../../table/common-columns.ts';
import { docOf } from '../../../table/described.ts';
import { humanDuration } from '../../../table/human-duration.ts';
import type { SigningRequestObject } from './validation.ts';

/** Quirk kept: columns are described in the words of a version that is served no more. */
const specType = 'io.k8s.api.certificates.v1beta1.CertificateSigningRequestSpec';

export const columns: readonly Column<SigningRequestObject>[] = [
  ageColumn,
  { name: 'SignerName', type: 'string', description: docOf(specType, 'signerName'), cell: ({ spec }) => spec.signerName || '<none>' },
  { name: 'Requestor', type: 'string', description: docOf(specType, 'request'), cell: ({ spec }) => spec.username ?? '' },
  {
    name: 'RequestedDuration',
    type: 'string',
    description: docOf(specType, 'expirationSeconds'),
    cell: ({ spec }) => (spec.expirationSeconds === undefined ? '<none>' : humanDuration(spec.expirationSeconds * 1000)),
  },
  {
    name: 'Condition',
    type: 'string',
    description: docOf('io.k8s.api.certificates.v1beta1.CertificateSigningRequestStatus', 'conditions'),
    cell: conditionOf,
  },
];

function conditionOf({ status }: SigningRequestObject): string {
  const types = new Set(status.conditions?.map(({ type }) => type));
  const decision = types.has('Denied') ? 'Denied' : types.has('Approved') ? 'Approved' : 'Pending';
  return decision + (types.has('Failed') ? ',Failed' : '') + (status.certificate ? ',Issued' : '');
}
