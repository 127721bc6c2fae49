// Upstream: k8s.io/kubernetes/pkg/registry/resource/utils.go#AuthorizedForAdmin
import { notFound } from '../../../machinery/errors.ts';
import type { FieldError } from '../../../machinery/field.ts';
import { FieldPath, forbidden, internalError } from '../../../machinery/field.ts';
import type { DeviceRequest } from '../../../schema/types/resource-v1.ts';
import type { WriteContext } from '../../../server/registry/context.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';

const adminLabel = 'resource.kubernetes.io/admin-access';
const requestsPath = FieldPath.root('spec', 'devices', 'requests');

/** Only claims of namespaces that are marked for it may see devices that others use. The path is that of a claim, also for a template. */
export async function validateAdminRequests(requests: readonly DeviceRequest[] | null, context: WriteContext): Promise<FieldError[]> {
  const index = (requests ?? []).findIndex(({ exactly }) => exactly?.adminAccess === true);
  return index < 0 ? [] : validateAdminNamespace(requestsPath.index(index).child('adminAccess'), context);
}

export async function validateAdminNamespace(path: FieldPath, { reader, namespace }: WriteContext): Promise<FieldError[]> {
  const found = await reader.get<KubeObject>('', 'namespaces', '', namespace);
  if (found === undefined) {
    const { message } = notFound({ group: '', resource: 'namespaces' }, namespace).status;
    return [internalError(path, `could not retrieve namespace to verify admin access: ${message}`)];
  }
  if (found.metadata.labels?.[adminLabel] === 'true') return [];
  return [forbidden(path, `admin access to devices requires the \`${adminLabel}: true\` label on the containing namespace`)];
}
