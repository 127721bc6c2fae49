// Upstream: k8s.io/kubernetes/plugin/pkg/admission/certificates/approval/admission.go
import type { CertificateSigningRequest } from '../../schema/types/certificates-v1.ts';
import { forbid } from '../../server/admission/forbid.ts';
import { definePlugin } from '../../server/admission/plugin.ts';
import { admitting, requestsFor } from '../../server/admission/requests-for.ts';
import { mayForSigner } from '../../apis/common/signer-authorization.ts';

const approvals = requestsFor<CertificateSigningRequest>('certificates.k8s.io', 'certificatesigningrequests', 'approval');

/** Who approves a request must be allowed to do so for its signer. */
export const certificateApproval = definePlugin({
  name: 'CertificateApproval',
  enabledByDefault: true,
  create: ({ authorizer }) =>
    admitting(approvals.on(['UPDATE']), {
      async validate(attributes) {
        // The stored object counts: an approval cannot change the signer.
        const { signerName } = attributes.old.spec;
        if (await mayForSigner(authorizer, attributes.user, 'approve', signerName)) return;
        throw forbid(attributes, `user not permitted to approve requests with signerName ${JSON.stringify(signerName)}`);
      },
    }),
});
