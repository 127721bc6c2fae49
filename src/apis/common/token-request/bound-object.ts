// Upstream: k8s.io/kubernetes/pkg/registry/core/serviceaccount/storage/token.go
import { badRequest, conflict } from '../../../machinery/errors.ts';
import { parseGroupVersion } from '../../../machinery/group-version.ts';
import type { BoundObjectReference } from '../../../schema/types/authentication-v1.ts';
import type { ObjectReader } from '../../../server/registry/object-reader.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import type { ObjectReference } from '../../../server/registry/tokens.ts';

/** The object that a token lives and dies with; a pod's comes with the node it runs on. */
export interface BoundObject {
  readonly pod?: ObjectReference;
  readonly secret?: ObjectReference;
  readonly node?: ObjectReference;
  readonly validatingWebhookConfiguration?: ObjectReference;
  readonly mutatingWebhookConfiguration?: ObjectReference;
}

interface PodObject extends KubeObject {
  spec: { serviceAccountName?: string; nodeName?: string };
}

export async function boundObject(
  reference: BoundObjectReference | undefined,
  namespace: string,
  account: string,
  reader: ObjectReader,
): Promise<BoundObject> {
  if (reference === undefined) return {};
  const { kind = '', apiVersion = '', name = '' } = reference;
  const { group, version } = parseGroupVersion(apiVersion) ?? { group: '', version: '' };
  if (group === '' && kind === 'Pod') {
    const pod = await reader.require<PodObject>('', 'pods', namespace, name);
    if (pod.spec.serviceAccountName !== account) {
      throw badRequest(
        `cannot bind token for serviceaccount ${JSON.stringify(account)} to pod running with different serviceaccount name.`,
      );
    }
    const { nodeName = '' } = pod.spec;
    const node = nodeName === '' ? undefined : await reader.get<KubeObject>('', 'nodes', '', nodeName);
    return {
      pod: checked(pod, reference, kind),
      // A node that is gone, or not there yet, is named all the same.
      ...(nodeName !== '' && { node: { name: nodeName, uid: node?.metadata.uid ?? '' } }),
    };
  }
  if (group === '' && kind === 'Node') return { node: checked(await reader.require('', 'nodes', '', name), reference, kind) };
  if (group === '' && kind === 'Secret') return { secret: checked(await reader.require('', 'secrets', namespace, name), reference, kind) };
  throw badRequest(`cannot bind token to object of type ${group}/${version}, Kind=${kind}`);
}

export function boundWebhook(configuration: KubeObject, reference: BoundObjectReference): BoundObject {
  const { kind = '' } = reference;
  const found = checked(configuration, reference, kind, 'admissionregistration.k8s.io');
  return kind === 'ValidatingWebhookConfiguration' ? { validatingWebhookConfiguration: found } : { mutatingWebhookConfiguration: found };
}

function checked(
  { metadata: { name = '', uid = '' } }: KubeObject,
  reference: BoundObjectReference,
  kind: string,
  group = '',
): ObjectReference {
  if (reference.uid && reference.uid !== uid) {
    throw conflict(
      { group, resource: kind },
      name,
      `the UID in the bound object reference (${reference.uid}) does not match the UID in record. The object might have been deleted and then recreated`,
    );
  }
  return { name, uid };
}
