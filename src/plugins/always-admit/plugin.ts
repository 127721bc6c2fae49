// Upstream: k8s.io/kubernetes/plugin/pkg/admission/admit/admission.go
import { definePlugin } from '../../server/admission/plugin.ts';

/** Has no opinion; exists because flags may name it. */
export const alwaysAdmit = definePlugin({
  name: 'AlwaysAdmit',
  enabledByDefault: false,
  create: () => ({ handles: () => false }),
});
