// Upstream: k8s.io/kubernetes/plugin/pkg/admission/deny/admission.go
import { forbid } from '../../server/admission/forbid.ts';
import { definePlugin } from '../../server/admission/plugin.ts';

/** Refuses every write. */
export const alwaysDeny = definePlugin({
  name: 'AlwaysDeny',
  enabledByDefault: false,
  create: () => ({
    handles: () => true,
    mutate(attributes) {
      throw forbid(attributes, 'admission control is denying all modifications');
    },
    validate(attributes) {
      throw forbid(attributes, 'admission control is denying all modifications');
    },
  }),
});
