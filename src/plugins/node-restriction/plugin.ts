// Upstream: k8s.io/kubernetes/plugin/pkg/admission/noderestriction/admission.go
import type { AdmissionAttributes } from '../../server/admission/admission.ts';
import { forbid } from '../../server/admission/forbid.ts';
import type { PluginContext } from '../../server/admission/plugin.ts';
import { definePlugin } from '../../server/admission/plugin.ts';
import { nodeIdentity } from '../../server/access/authz/node-identity.ts';
import { admitCertificateRequest, admitPodCertificateRequest } from './certificates.ts';
import { admitNode } from './nodes.ts';
import { admitPod } from './pods.ts';
import { admitTokenRequest } from './tokens.ts';
import { admitClaimStatus, admitCsiNode, admitLease, admitResourceSlice } from './others.ts';

/** Throws when the node may not do that. */
export type NodeRule = (node: string, attributes: AdmissionAttributes, context: PluginContext) => Promise<void> | void;

const rules: Readonly<Record<string, NodeRule>> = {
  '/pods': admitPod,
  '/nodes': admitNode,
  '/persistentvolumeclaims': admitClaimStatus,
  '/serviceaccounts': admitTokenRequest,
  'coordination.k8s.io/leases': admitLease,
  'storage.k8s.io/csinodes': admitCsiNode,
  'resource.k8s.io/resourceslices': admitResourceSlice,
  'certificates.k8s.io/certificatesigningrequests': admitCertificateRequest,
  'certificates.k8s.io/podcertificaterequests': admitPodCertificateRequest,
};

/** A kubelet writes its own node, pods that run there, and little else: what the authorizer cannot tell from a URL. */
export const nodeRestriction = definePlugin({
  name: 'NodeRestriction',
  enabledByDefault: false,
  create: (context) => ({
    handles: ({ operation, user }) => operation !== 'CONNECT' && nodeIdentity(user) !== undefined,
    async mutate(attributes) {
      const { user, resource } = attributes;
      const node = nodeIdentity(user) as string;
      if (node === '') throw forbid(attributes, `could not determine node from user ${JSON.stringify(user.name)}`);
      await rules[`${resource.group}/${resource.names.plural}`]?.(node, attributes, context);
    },
  }),
});
