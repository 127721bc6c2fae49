// Upstream: k8s.io/kubernetes/plugin/pkg/admission/certificates/signing/admission.go
import { deepEqual } from '../../machinery/deep-equal.ts';
import type { CertificateSigningRequest } from '../../schema/types/certificates-v1.ts';
import { forbid } from '../../server/admission/forbid.ts';
import { definePlugin } from '../../server/admission/plugin.ts';
import { admitting, requestsFor } from '../../server/admission/requests-for.ts';
import { mayForSigner } from '../../apis/common/signer-authorization.ts';

const statuses = requestsFor<CertificateSigningRequest>('certificates.k8s.io', 'certificatesigningrequests', 'status');

/** Who issues a certificate, or says that none will be, must be allowed to sign as that signer. */
export const certificateSigning = definePlugin({
  name: 'CertificateSigning',
  enabledByDefault: true,
  create: ({ authorizer }) =>
    admitting(statuses.on(['UPDATE']), {
      async validate(attributes) {
        const { object, old } = attributes;
        const { status: next = {} } = object;
        const { status: last = {} } = old;
        if (deepEqual(next.certificate, last.certificate) && deepEqual(next.conditions ?? [], last.conditions ?? [])) return;
        const { signerName } = old.spec;
        if (await mayForSigner(authorizer, attributes.user, 'sign', signerName)) return;
        throw forbid(attributes, `user not permitted to sign requests with signerName ${JSON.stringify(signerName)}`);
      },
    }),
});
