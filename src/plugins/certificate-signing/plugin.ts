// Upstream: plugin/pkg/admission/certificates/signing/admission.go
import { deepEqual } from '../../machinery/deep-equal.ts';
import type { CertificateSigningRequest } from '../../schema/types/certificates-v1.ts';
import { forbid } from '../../server/admission/forbid.ts';
import { definePlugin } from '../../server/admission/plugin.ts';
import { mayForSigner } from '../../apis/common/signer-authorization.ts';

/** Who issues a certificate, or says that none will be, must be allowed to sign as that signer. */
export const certificateSigning = definePlugin({
  name: 'CertificateSigning',
  enabledByDefault: true,
  create: ({ authorizer }) => ({
    handles: ({ operation, resource, subresource }) =>
      operation === 'UPDATE' &&
      subresource === 'status' &&
      resource.group === 'certificates.k8s.io' &&
      resource.names.plural === 'certificatesigningrequests',
    async validate(attributes) {
      const request = attributes.object as unknown as CertificateSigningRequest;
      const old = attributes.old as unknown as CertificateSigningRequest;
      const { status: next = {} } = request;
      const { status: last = {} } = old;
      if (deepEqual(next.certificate, last.certificate) && deepEqual(next.conditions ?? [], last.conditions ?? [])) return;
      const { signerName } = old.spec;
      if (await mayForSigner(authorizer, attributes.user, 'sign', signerName)) return;
      throw forbid(attributes, `user not permitted to sign requests with signerName ${JSON.stringify(signerName)}`);
    },
  }),
});
