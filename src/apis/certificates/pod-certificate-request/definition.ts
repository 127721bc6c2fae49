// Upstream: k8s.io/kubernetes/pkg/registry/certificates/podcertificaterequest/strategy.go
import { semanticDeepEqual } from '../../../machinery/deep-equal.ts';
import { FieldPath, forbidden } from '../../../machinery/field.ts';
import { goQuote } from '../../../machinery/go-format.ts';
import type { Conversion } from '../../../server/registry/definition.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import { mayForSigner } from '../../common/signer-authorization.ts';
import { resetMetadataForStatus } from '../../common/status-metadata.ts';
import { columns } from './columns.ts';
import { validateStatus } from './issuance.ts';
import { validate, validateUpdate } from './validation.ts';
import type { PodCertificateRequestObject } from './validation.ts';

/** v1 has no longer the key and the proof that may stand for a request in the version that is stored. */
const conversion: Conversion<PodCertificateRequestObject> = {
  toStorage(object, before) {
    const request = object as PodCertificateRequestObject;
    request.spec.pkixPublicKey = before?.spec.pkixPublicKey ?? null;
    request.spec.proofOfPossession = before?.spec.proofOfPossession ?? null;
    return request;
  },
  fromStorage({ spec: { pkixPublicKey: _, proofOfPossession: __, ...spec }, ...request }) {
    return { ...request, spec };
  },
};

export const podCertificateRequests = defineResource<PodCertificateRequestObject>({
  group: 'certificates.k8s.io',
  plural: 'podcertificaterequests',
  strategy: { allowUnconditionalUpdate: false, validate, validateUpdate },
  status: {
    prepareForUpdate: ({ metadata }, old) => resetMetadataForStatus(metadata, old.metadata),
    validateUpdate: validateStatus,
    /** Who ends a request must be allowed to sign for its signer. */
    async validateReferences({ status }, old, { authorizer, user }) {
      if (old === undefined || semanticDeepEqual(status, old.status)) return [];
      const { signerName } = old.spec;
      if (await mayForSigner(authorizer, user, 'sign', signerName)) return [];
      const message = `User ${goQuote(user.name)} is not permitted to "sign" for signer ${goQuote(signerName)}`;
      return [forbidden(FieldPath.root('spec', 'signerName'), message)];
    },
    resetFields: [['metadata'], ['spec']],
  },
  conversions: { v1: conversion },
  selectableFields: {
    'spec.signerName': ({ spec }) => spec.signerName,
    'spec.podName': ({ spec }) => spec.podName,
    'spec.nodeName': ({ spec }) => spec.nodeName,
  },
  unknownFieldLabel: (label) => `field label not supported: ${label}`,
  columns,
});
