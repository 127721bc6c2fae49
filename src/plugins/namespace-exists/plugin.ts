// Upstream: k8s.io/kubernetes/plugin/pkg/admission/namespace/exists/admission.go
import { definePlugin } from '../../server/admission/plugin.ts';
import { isInNamespace } from '../common/request-matching.ts';

/** Nothing happens in a namespace that does not exist. */
export const namespaceExists = definePlugin({
  name: 'NamespaceExists',
  enabledByDefault: false,
  create: ({ reader }) => ({
    handles: (attributes) => attributes.operation !== 'CONNECT' && isInNamespace(attributes),
    async validate({ namespace }) {
      await reader.require('', 'namespaces', '', namespace);
    },
  }),
});
