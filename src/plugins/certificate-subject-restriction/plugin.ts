// Upstream: k8s.io/kubernetes/plugin/pkg/admission/certificates/subjectrestriction/admission.go
import { readCertificateRequest } from '../../apis/common/certificate-request.ts';
import { pemBlocks } from '../../apis/common/pem.ts';
import type { CertificateSigningRequest } from '../../schema/types/certificates-v1.ts';
import { forbid } from '../../server/admission/forbid.ts';
import { definePlugin } from '../../server/admission/plugin.ts';
import { admitting, requestsFor } from '../../server/admission/requests-for.ts';

const requests = requestsFor<CertificateSigningRequest>('certificates.k8s.io', 'certificatesigningrequests');
const clientSigner = 'kubernetes.io/kube-apiserver-client';

/** No certificate is requested for the group that may do everything. */
export const certificateSubjectRestriction = definePlugin({
  name: 'CertificateSubjectRestriction',
  enabledByDefault: true,
  create: () =>
    admitting(requests.on(['CREATE']), {
      validate(attributes) {
        const { spec } = attributes.object;
        if (spec.signerName !== clientSigner) return;
        const [block] = pemBlocks(Buffer.from(spec.request ?? '', 'base64').toString());
        if (block?.type !== 'CERTIFICATE REQUEST') {
          throw forbid(attributes, 'failed to parse CSR: PEM block type must be CERTIFICATE REQUEST');
        }
        const request = readCertificateRequest(block.bytes);
        if (request === undefined) throw forbid(attributes, 'failed to parse CSR: x509: malformed certificate request');
        if (request.organizations.includes('system:masters')) {
          throw forbid(attributes, `use of ${clientSigner} signer with system:masters group is not allowed`);
        }
      },
    }),
});
