// Upstream: k8s.io/apiserver/pkg/endpoints/filters/authorization.go#GetAuthorizerAttributes
import type { Attributes } from './authorizer.ts';
import type { AuthenticatedRequest } from './stages.ts';

/** Below `/watch/` selectors are not honoured everywhere, so that they give no access. */
const selectingVerbs: ReadonlySet<string> = new Set(['list', 'watch', 'deletecollection']);

/** What authorizers decide about. */
export function attributesOf(request: AuthenticatedRequest): Attributes {
  const { info, user } = request;
  const selects = request.rawQuery !== '' && info.isResource && info.verbPrefix === '' && selectingVerbs.has(info.verb);
  const labelSelector = selects && request.rawQuery.includes('labelSelector') ? request.query.get('labelSelector') : null;
  const fieldSelector = selects && request.rawQuery.includes('fieldSelector') ? request.query.get('fieldSelector') : null;
  return {
    user,
    verb: info.verb,
    isResource: info.isResource,
    path: info.path,
    group: info.group,
    version: info.version,
    namespace: info.namespace,
    resource: info.resource,
    subresource: info.subresource,
    name: info.name,
    ...(labelSelector !== null && { labelSelector }),
    ...(fieldSelector !== null && { fieldSelector }),
  };
}
