// Upstream: k8s.io/kubernetes/plugin/pkg/admission/noderestriction/admission.go#buildAuthorizerAttributes
import type { AdmissionAttributes } from '../../server/admission/admission.ts';
import type { Attributes, Authorizer } from '../../server/request/authorizer.ts';

/** Whether a rule allows the node what its own pods give no reason for; verb and resource exist for this check only. */
export async function isAuthorized(
  authorizer: Authorizer,
  { user, namespace, versionedKind, resource: { group } }: AdmissionAttributes,
  asked: Pick<Attributes, 'verb' | 'resource' | 'name'>,
): Promise<boolean> {
  const { version } = versionedKind;
  const { decision } = await authorizer.authorize({
    user,
    isResource: true,
    path: '',
    group,
    version,
    namespace,
    subresource: '',
    ...asked,
  });
  return decision === 'allow';
}
