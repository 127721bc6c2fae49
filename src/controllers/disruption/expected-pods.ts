// Upstream: k8s.io/kubernetes/pkg/controller/disruption/disruption.go
import { isReason } from '../../machinery/errors.ts';
import type { OwnerReference } from '../../machinery/object-meta.ts';
import type { Pod } from '../../schema/types/core-v1.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import type { Client } from '../common/client.ts';
import { discover } from '../common/served-resources.ts';

interface Scaled extends KubeObject {
  readonly spec?: { readonly replicas?: number };
}

interface ScaledController {
  readonly uid: string;
  readonly replicas: number;
}

/** A budget's pods cannot be counted; budgets say so in a condition. */
export class UncountableError extends Error {}

/** How many pods their controllers want to have: pods without one do not count. */
export async function scaleOf(client: Client, pods: readonly (Pod & KubeObject)[]): Promise<number> {
  const scales = new Map<string, number>();
  const asked = new Set<string>();
  for (const { metadata } of pods) {
    const owner = controllerOf(metadata);
    if (owner === undefined || asked.has(owner.uid)) continue;
    asked.add(owner.uid);
    const found = await find(client, owner, metadata.namespace ?? '');
    if (found === undefined) throw new UncountableError(`found no controllers for pod ${JSON.stringify(metadata.name)}`);
    scales.set(found.uid, found.replicas);
  }
  return scales.values().reduce((sum, replicas) => sum + replicas, 0);
}

async function find(client: Client, owner: OwnerReference, namespace: string): Promise<ScaledController | undefined> {
  const replicaSet = isOf(owner, 'ReplicaSet') ? await get(client, `/apis/apps/v1/namespaces/${namespace}/replicasets`, owner) : undefined;
  const above = replicaSet && controllerOf(replicaSet.metadata);
  const deployment =
    above !== undefined && isOf(above, 'Deployment')
      ? await get(client, `/apis/apps/v1/namespaces/${namespace}/deployments`, above)
      : undefined;
  return scaled(deployment) ?? scaled(await scaleObject(client, owner, namespace));
}

/** The scale subresource, which all others have too. */
async function scaleObject(client: Client, owner: OwnerReference, namespace: string): Promise<Scaled | undefined> {
  const [group, version] = owner.apiVersion.includes('/') ? owner.apiVersion.split('/') : ['', owner.apiVersion];
  const { resources } = await discover(client);
  const served = resources.find((one) => one.group === group && one.version === version && one.kind === owner.kind);
  if (served === undefined)
    throw new UncountableError(`no matches for kind ${JSON.stringify(owner.kind)} in version ${JSON.stringify(owner.apiVersion)}`);
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const scale = await get(client, `${root}/namespaces/${namespace}/${served.resource}`, owner, '/scale');
  if (scale !== undefined || (await hasScale(client, root, served.resource))) return scale;
  throw new UncountableError(`${[served.resource, group].filter(Boolean).join('.')} does not implement the scale subresource`);
}

async function hasScale(client: Client, root: string, resource: string): Promise<boolean> {
  const { resources = [] } = (await client.get(root)) as { resources?: { name: string }[] };
  return resources.some(({ name }) => name === `${resource}/scale`);
}

/** undefined: not there, or another one of that name. */
async function get(client: Client, list: string, { name, uid }: OwnerReference, subresource = ''): Promise<Scaled | undefined> {
  try {
    const object = (await client.get(`${list}/${name}${subresource}`)) as Scaled;
    return object.metadata.uid === uid ? object : undefined;
  } catch (error) {
    if (isReason(error, 'NotFound')) return undefined;
    throw error;
  }
}

function scaled(object: Scaled | undefined): ScaledController | undefined {
  return object && { uid: object.metadata.uid ?? '', replicas: object.spec?.replicas ?? 0 };
}

function controllerOf({ ownerReferences = [] }: KubeObject['metadata']): OwnerReference | undefined {
  return ownerReferences.find(({ controller }) => controller === true);
}

function isOf({ apiVersion, kind }: OwnerReference, wanted: string): boolean {
  return kind === wanted && /^(apps|extensions)\//.test(apiVersion);
}
