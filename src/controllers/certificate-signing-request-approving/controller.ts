// Upstream: k8s.io/kubernetes/pkg/controller/certificates/approver/sarapprove.go
import type { SubjectAccessReview } from '../../schema/types/authorization-v1.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import type { SigningRequestObject } from '../common/certificate-requests.ts';
import {
  certificateAccount,
  certificateRequestOf,
  handleSigningRequests,
  hasCondition,
  kubeletClientProblem,
  signers,
  signingRequests,
} from '../common/certificate-requests.ts';
import { defineController } from '../common/controller.ts';
import { RetryError } from '../common/work-queue.ts';

/** Approves the client certificates that kubelets ask for, where their users may have them. */
export const certificateApproving = defineController({
  name: 'certificatesigningrequest-approving-controller',
  account: certificateAccount,
  async run(context) {
    const { client } = context;
    await handleSigningRequests(context, async (request) => {
      if (hasCondition(request, 'Approved') || hasCondition(request, 'Denied')) return;
      const kinds = kindsOf(request);
      for (const { subresource, message } of kinds) {
        if (await isAllowed(request, subresource)) return approve(request, message);
      }
      if (kinds.length > 0) throw new RetryError('its user may not have such a certificate');
    });

    async function isAllowed({ spec }: SigningRequestObject, subresource: string): Promise<boolean> {
      const { username = '', uid, groups, extra } = spec;
      const resourceAttributes = {
        group: 'certificates.k8s.io',
        resource: 'certificatesigningrequests',
        verb: 'create',
        subresource,
        version: '*',
      };
      const review = {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SubjectAccessReview',
        metadata: {},
        spec: {
          user: username,
          ...(uid !== undefined && { uid }),
          ...(groups !== undefined && { groups }),
          ...(extra !== undefined && { extra }),
          resourceAttributes,
        },
      };
      const reviewed = await client.create('/apis/authorization.k8s.io/v1/subjectaccessreviews', review);
      return (reviewed as SubjectAccessReview & KubeObject).status.allowed;
    }

    async function approve(request: SigningRequestObject, message: string): Promise<void> {
      const condition = { type: 'Approved', status: 'True', reason: 'AutoApproved', message };
      const conditions = [...(request.status?.conditions ?? []), condition];
      await client.update(`${signingRequests}/${request.metadata.name}/approval`, {
        ...request,
        status: { ...request.status, conditions },
      } as SigningRequestObject);
    }
  },
});

interface Approval {
  /** the right that the user needs */
  readonly subresource: string;
  readonly message: string;
}

/** What the request could be approved as. */
function kindsOf(request: SigningRequestObject): Approval[] {
  const { signerName, usages = [], username } = request.spec;
  const asked = certificateRequestOf(request);
  if (signerName !== signers.kubeletClient || kubeletClientProblem(asked, usages) !== undefined) return [];
  const own = { subresource: 'selfnodeclient', message: 'Auto approving self kubelet client certificate after SubjectAccessReview.' };
  const any = { subresource: 'nodeclient', message: 'Auto approving kubelet client certificate after SubjectAccessReview.' };
  return username === asked.commonName ? [own, any] : [any];
}
