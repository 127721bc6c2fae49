// Upstream: plugin/pkg/admission/network/denyserviceexternalips/admission.go
import type { Service } from '../../schema/types/core-v1.ts';
import { forbid } from '../../server/admission/forbid.ts';
import { definePlugin } from '../../server/admission/plugin.ts';
import { concerns, isWrite } from '../common/concerns.ts';

/** Services get no external addresses that they do not have already. */
export const denyServiceExternalIps = definePlugin({
  name: 'DenyServiceExternalIPs',
  enabledByDefault: false,
  create: () => ({
    handles: (attributes) => isWrite(attributes) && concerns(attributes, '', 'services'),
    validate(attributes) {
      const { externalIPs: wanted = [] } = (attributes.object as unknown as Service).spec ?? {};
      const { externalIPs: known = [] } = (attributes.old as unknown as Service | undefined)?.spec ?? {};
      if (!wanted.every((ip) => known.includes(ip))) throw forbid(attributes, 'Use of external IPs is denied by admission control');
    },
  }),
});
