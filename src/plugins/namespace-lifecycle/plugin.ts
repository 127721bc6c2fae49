// Upstream: k8s.io/apiserver/pkg/admission/plugin/namespace/lifecycle/admission.go
import { ApiError, forbidden, internalError, notFound } from '../../machinery/errors.ts';
import { goQuote } from '../../machinery/go-format.ts';
import { nameIsPathSegment } from '../../machinery/names.ts';
import type { AdmissionAttributes, AdmittedResource } from '../../server/admission/admission.ts';
import { definePlugin } from '../../server/admission/plugin.ts';
import type { KubeObject } from '../../server/registry/definition.ts';

const immortal: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public']);

/** Nothing is created in a namespace that does not exist or is going away; some namespaces never go. */
export const namespaceLifecycle = definePlugin({
  name: 'NamespaceLifecycle',
  enabledByDefault: true,
  create: ({ reader }) => ({
    handles: ({ operation }) => operation === 'CREATE' || operation === 'UPDATE' || operation === 'DELETE',
    async mutate(attributes) {
      const { operation, resource, namespace, name } = attributes;
      const isNamespace = resource.group === '' && resource.kind === 'Namespace';
      if (isNamespace) {
        if (operation === 'DELETE' && immortal.has(name))
          throw forbidden(resource.groupResource, name, 'this namespace may not be deleted');
        return;
      }
      // What an absent namespace left behind may still change and go.
      if (operation !== 'CREATE') return;
      // A review asks about a namespace and puts nothing into it.
      if (!resource.namespaced || namespace === '' || isAccessReview(resource)) return;
      const found = await reader.get<KubeObject>('', 'namespaces', '', namespace);
      const problems = nameIsPathSegment(namespace, false);
      if (problems.length > 0) throw internalError(`invalid resource name ${goQuote(namespace)}: [${problems.join(' ')}]`);
      if (found === undefined) throw notFound({ group: '', resource: 'namespaces' }, namespace);
      if (found.metadata.deletionTimestamp !== undefined) throw terminating(attributes);
    },
  }),
});

function isAccessReview({ group, names }: AdmittedResource): boolean {
  return group === 'authorization.k8s.io' && names.plural === 'localsubjectaccessreviews';
}

function terminating({ resource, namespace, name }: AdmissionAttributes): ApiError {
  const { status } = forbidden(
    resource.groupResource,
    name,
    `unable to create new content in namespace ${namespace} because it is being terminated`,
  );
  const cause = { reason: 'NamespaceTerminating', message: `namespace ${namespace} is being terminated`, field: 'metadata.namespace' };
  return new ApiError({ ...status, details: { ...status.details, causes: [cause] } });
}
