// Upstream: k8s.io/kubernetes/plugin/pkg/admission/network/denyserviceexternalips/admission.go
import type { Service } from '../../schema/types/core-v1.ts';
import { forbid } from '../../server/admission/forbid.ts';
import { definePlugin } from '../../server/admission/plugin.ts';
import { admitting, requestsFor } from '../../server/admission/requests-for.ts';

const services = requestsFor<Service>('', 'services');

/** Services get no external addresses that they do not have already. */
export const denyServiceExternalIps = definePlugin({
  name: 'DenyServiceExternalIPs',
  enabledByDefault: false,
  create: () =>
    admitting(services.on(['CREATE', 'UPDATE']), {
      validate(attributes) {
        const { externalIPs: wanted = [] } = attributes.object.spec ?? {};
        const known = new Set(attributes.old?.spec?.externalIPs);
        if (!wanted.every((ip) => known.has(ip))) throw forbid(attributes, 'Use of external IPs is denied by admission control');
      },
    }),
});
