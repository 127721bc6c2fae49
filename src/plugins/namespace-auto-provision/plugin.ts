// Upstream: k8s.io/kubernetes/plugin/pkg/admission/namespace/autoprovision/admission.go
import { forbid } from '../../server/admission/forbid.ts';
import { definePlugin } from '../../server/admission/plugin.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import { isInNamespace } from '../common/request-matching.ts';

/** Creating an object in a namespace that does not exist creates the namespace as well. */
export const namespaceAutoProvision = definePlugin({
  name: 'NamespaceAutoProvision',
  enabledByDefault: false,
  create: ({ reader, writer }) => ({
    handles: (attributes) => attributes.operation === 'CREATE' && !attributes.dryRun && isInNamespace(attributes),
    async mutate(attributes) {
      const { namespace } = attributes;
      if ((await reader.get<KubeObject>('', 'namespaces', '', namespace)) !== undefined) return;
      const object: KubeObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
      try {
        await writer.ensure('', 'namespaces', object);
      } catch (error) {
        throw forbid(attributes, error instanceof Error ? error.message : String(error));
      }
    },
  }),
});
