// Upstream: k8s.io/kubernetes/plugin/pkg/admission/noderestriction/admission.go#admitServiceAccount
import type { TokenRequest } from '../../schema/types/authentication-v1.ts';
import { isReason } from '../../machinery/errors.ts';
import { aggregateMessages } from '../../machinery/field.ts';
import type { PersistentVolume, PersistentVolumeClaim, Pod, Volume } from '../../schema/types/core-v1.ts';
import type { CSIDriver } from '../../schema/types/storage-v1.ts';
import type { AdmissionAttributes } from '../../server/admission/admission.ts';
import { forbid } from '../../server/admission/forbid.ts';
import { requestsFor } from '../../server/admission/requests-for.ts';
import type { PluginContext } from '../../server/admission/plugin.ts';
import type { ObjectReader } from '../../server/registry/object-reader.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import { isAuthorized } from './authorized.ts';
import { existing } from './existing.ts';

type PodObject = Pod & KubeObject;

const isTokenRequest = requestsFor<TokenRequest>('', 'serviceaccounts', 'token').on(['CREATE']);
const migrated = [
  ['gcePersistentDisk', 'pd.csi.storage.gke.io'],
  ['awsElasticBlockStore', 'ebs.csi.aws.com'],
  ['cinder', 'cinder.csi.openstack.org'],
  ['azureDisk', 'disk.csi.azure.com'],
  ['azureFile', 'file.csi.azure.com'],
  ['vsphereVolume', 'csi.vsphere.vmware.com'],
  ['portworxVolume', 'pxd.portworx.com'],
] as const;

/** A kubelet gets tokens for pods on its node only, for audiences that those pods ask for or that it may ask for itself. */
export async function admitTokenRequest(node: string, attributes: AdmissionAttributes, context: PluginContext): Promise<void> {
  if (!isTokenRequest(attributes)) return;
  const { spec } = attributes.object;
  const reference = spec.boundObjectRef;
  if (reference?.apiVersion !== 'v1' || reference.kind !== 'Pod' || !reference.name) {
    throw forbid(attributes, 'node requested token not bound to a pod');
  }
  if (!reference.uid) throw forbid(attributes, 'node requested token with a pod binding without a uid');
  const pod = await existing<PodObject>(context.reader, '', 'pod', attributes.namespace, reference.name);
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
  { authorizer, reader }: PluginContext,
): Promise<void> {
  const [audience = '', ...more] = audiences ?? [];
  if (more.length > 0) throw forbid(attributes, 'node may only request 0 or 1 audiences');
  const { found, missing } = await lookForAudience(pod, audience, reader);
  if (found) return;
  if (missing.length > 0) {
    throw forbid(attributes, `error validating audience ${JSON.stringify(audience)}: ${aggregateMessages(missing)}`);
  }
  const { user, name } = attributes;
  const verb = 'request-serviceaccounts-token-audience';
  if (await isAuthorized(authorizer, attributes, { verb, resource: audience, name })) return;
  throw forbid(attributes, `${user.name} is not authorized to request tokens for audience ${JSON.stringify(audience)}`);
}

/** Whether a volume of the pod asks for tokens of the audience; otherwise what was not there to say so. */
async function lookForAudience(
  { metadata, spec }: PodObject,
  audience: string,
  reader: ObjectReader,
): Promise<{ readonly found: boolean; readonly missing: readonly string[] }> {
  const missing: string[] = [];
  for (const volume of spec.volumes ?? []) {
    const tokens = (volume.projected?.sources ?? []).flatMap(({ serviceAccountToken }) => serviceAccountToken ?? []);
    if (tokens.some((token) => (token.audience ?? '') === audience)) return { found: true, missing };
    try {
      const driver = await driverOf(volume, metadata, reader);
      if (driver !== undefined && (await driverAsksFor(reader, driver, audience))) return { found: true, missing };
    } catch (error) {
      if (!isReason(error, 'NotFound')) throw error;
      missing.push(error.message);
    }
  }
  return { found: false, missing };
}

async function driverOf(
  volume: Volume,
  { name, namespace = '' }: PodObject['metadata'],
  reader: ObjectReader,
): Promise<string | undefined> {
  const { ephemeral, persistentVolumeClaim, csi } = volume;
  if (ephemeral?.volumeClaimTemplate !== undefined) return driverOfClaim(reader, namespace, `${name}-${volume.name}`);
  if (persistentVolumeClaim !== undefined) return driverOfClaim(reader, namespace, persistentVolumeClaim.claimName);
  return csi?.driver ?? migratedDriver(volume);
}

async function driverOfClaim(reader: ObjectReader, namespace: string, name: string): Promise<string | undefined> {
  const claim = await existing<PersistentVolumeClaim & KubeObject>(reader, '', 'persistentvolumeclaim', namespace, name);
  const volume = await existing<PersistentVolume & KubeObject>(reader, '', 'persistentvolume', '', claim.spec.volumeName ?? '');
  return volume.spec.csi?.driver ?? migratedDriver(volume.spec);
}

async function driverAsksFor(reader: ObjectReader, name: string, audience: string): Promise<boolean> {
  const driver = await existing<CSIDriver & KubeObject>(reader, 'storage.k8s.io', 'csidriver', '', name);
  return driver.spec.tokenRequests?.some((request) => request.audience === audience) ?? false;
}

/** The CSI driver that serves a volume of a type that the kubelet once mounted itself. */
function migratedDriver(source: Pick<Volume, (typeof migrated)[number][0]>): string | undefined {
  return migrated.find(([type]) => source[type] !== undefined)?.[1];
}
