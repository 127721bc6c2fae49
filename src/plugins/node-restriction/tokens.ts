// Upstream: plugin/pkg/admission/noderestriction/admission.go (admitServiceAccount)
import type { TokenRequest } from '../../schema/types/authentication-v1.ts';
import type { PersistentVolume, PersistentVolumeClaim, Pod } from '../../schema/types/core-v1.ts';
import type { CSIDriver } from '../../schema/types/storage-v1.ts';
import type { AdmissionAttributes } from '../../server/admission/admission.ts';
import { forbid } from '../../server/admission/forbid.ts';
import type { PluginContext } from '../../server/admission/plugin.ts';
import type { Cluster } from '../../server/registry/cluster.ts';
import type { KubeObject } from '../../server/registry/definition.ts';

type PodObject = Pod & KubeObject;

/** A kubelet gets tokens for pods on its node only, for audiences that those pods ask for or that it may ask for itself. */
export async function admitTokenRequest(node: string, attributes: AdmissionAttributes, context: PluginContext): Promise<void> {
  if (attributes.operation !== 'CREATE' || attributes.subresource !== 'token') return;
  const { spec } = attributes.object as unknown as TokenRequest;
  const reference = spec.boundObjectRef;
  if (reference?.apiVersion !== 'v1' || reference.kind !== 'Pod' || !reference.name) {
    throw forbid(attributes, 'node requested token not bound to a pod');
  }
  if (!reference.uid) throw forbid(attributes, 'node requested token with a pod binding without a uid');
  const pod = await context.cluster.require<PodObject>('', 'pods', attributes.namespace, reference.name);
  if (reference.uid !== pod.metadata.uid) {
    throw forbid(
      attributes,
      `the UID in the bound object reference (${reference.uid}) does not match the UID in record. The object might have been deleted and then recreated`,
    );
  }
  if (pod.spec.nodeName !== node) throw forbid(attributes, 'node requested token bound to a pod scheduled on a different node');
  if (context.features.enabled('ServiceAccountNodeAudienceRestriction')) await checkAudience(spec, pod, attributes, context);
}

async function checkAudience(
  { audiences }: TokenRequest['spec'],
  pod: PodObject,
  attributes: AdmissionAttributes,
  { authorizer, cluster }: PluginContext,
): Promise<void> {
  const [audience = '', ...more] = audiences ?? [];
  if (more.length > 0) throw forbid(attributes, 'node may only request 0 or 1 audiences');
  if (await podAsksFor(pod, audience, cluster)) return;
  const { user, namespace, name, representation } = attributes;
  const { decision } = await authorizer.authorize({
    user,
    verb: 'request-serviceaccounts-token-audience',
    isResource: true,
    path: '',
    group: '',
    version: representation.version,
    namespace,
    resource: audience,
    subresource: '',
    name,
  });
  if (decision === 'allow') return;
  throw forbid(attributes, `${user.name} is not authorized to request tokens for audience ${JSON.stringify(audience)}`);
}

async function podAsksFor({ metadata, spec }: PodObject, audience: string, cluster: Cluster): Promise<boolean> {
  for (const { name, projected, csi, ephemeral, persistentVolumeClaim } of spec.volumes ?? []) {
    const tokens = (projected?.sources ?? []).flatMap(({ serviceAccountToken }) => serviceAccountToken ?? []);
    if (tokens.some((token) => (token.audience ?? '') === audience)) return true;
    const claim = ephemeral === undefined ? persistentVolumeClaim?.claimName : `${metadata.name}-${name}`;
    const driver = csi?.driver ?? (claim && (await driverOfClaim(cluster, metadata.namespace ?? '', claim)));
    if (driver && (await driverAsksFor(cluster, driver, audience))) return true;
  }
  return false;
}

async function driverOfClaim(cluster: Cluster, namespace: string, name: string): Promise<string | undefined> {
  const claim = await cluster.get<PersistentVolumeClaim & KubeObject>('', 'persistentvolumeclaims', namespace, name);
  if (!claim?.spec.volumeName) return undefined;
  const volume = await cluster.get<PersistentVolume & KubeObject>('', 'persistentvolumes', '', claim.spec.volumeName);
  return volume?.spec.csi?.driver;
}

async function driverAsksFor(cluster: Cluster, name: string, audience: string): Promise<boolean> {
  const driver = await cluster.get<CSIDriver & KubeObject>('storage.k8s.io', 'csidrivers', '', name);
  return driver?.spec.tokenRequests?.some((request) => request.audience === audience) ?? false;
}
