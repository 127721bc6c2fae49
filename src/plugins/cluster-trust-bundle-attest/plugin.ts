// Upstream: k8s.io/kubernetes/plugin/pkg/admission/certificates/ctbattest/admission.go
import { onlyCollectsGarbage } from '../../apis/common/rbac/escalation.ts';
import { mayForSigner } from '../../apis/common/signer-authorization.ts';
import { goQuote } from '../../machinery/go-format.ts';
import type { ClusterTrustBundle } from '../../schema/types/certificates-v1.ts';
import { forbid } from '../../server/admission/forbid.ts';
import { definePlugin } from '../../server/admission/plugin.ts';
import { admitting, requestsFor } from '../../server/admission/requests-for.ts';

const bundles = requestsFor<ClusterTrustBundle>('certificates.k8s.io', 'clustertrustbundles');

/** Who says which certificates a signer's are must be allowed to speak for the signer. */
export const clusterTrustBundleAttest = definePlugin({
  name: 'ClusterTrustBundleAttest',
  enabledByDefault: true,
  create: ({ authorizer, features }) =>
    admitting(
      bundles.on(['CREATE', 'UPDATE'], () => features.enabled('ClusterTrustBundle')),
      {
        async validate(attributes) {
          const { object, old, user } = attributes;
          const { signerName = '' } = object.spec;
          if (signerName === '') return;
          if (old !== undefined && onlyCollectsGarbage(object, old)) return;
          if (await mayForSigner(authorizer, user, 'attest', signerName)) return;
          throw forbid(attributes, `user not permitted to attest for signerName ${goQuote(signerName)}`);
        },
      },
    ),
});
