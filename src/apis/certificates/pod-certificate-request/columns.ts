// Upstream: k8s.io/kubernetes/pkg/printers/internalversion/printers.go#printPodCertificateRequest
import type { Column } from '../../../table/column.ts';
import { docOf } from '../../../table/described.ts';
import { formatLabels } from '../../../table/format-labels.ts';
import type { PodCertificateRequestObject } from './validation.ts';
import { decisions } from './validation.ts';

const specType = 'io.k8s.api.certificates.v1.PodCertificateRequestSpec';

export const columns: readonly Column<PodCertificateRequestObject>[] = [
  { name: 'PodName', type: 'string', description: docOf(specType, 'podName'), cell: ({ spec }) => spec.podName },
  {
    name: 'ServiceAccountName',
    type: 'string',
    description: docOf(specType, 'serviceAccountName'),
    cell: ({ spec }) => spec.serviceAccountName,
  },
  { name: 'NodeName', type: 'string', description: docOf(specType, 'nodeName'), cell: ({ spec }) => spec.nodeName },
  { name: 'SignerName', type: 'string', description: docOf(specType, 'signerName'), cell: ({ spec }) => spec.signerName },
  {
    name: 'State',
    type: 'string',
    description: 'Is the request Pending, Issued, Denied, or Failed?',
    cell: ({ status }) => status.conditions?.findLast(({ type }) => decisions.includes(type))?.type ?? 'Pending',
  },
  {
    name: 'UnverifiedUserAnnotations',
    type: 'string',
    description: docOf(specType, 'unverifiedUserAnnotations'),
    cell: ({ spec }) => formatLabels(spec.unverifiedUserAnnotations),
  },
];
