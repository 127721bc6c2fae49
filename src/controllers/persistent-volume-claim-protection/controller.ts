// Upstream: k8s.io/kubernetes/pkg/controller/volume/pvcprotection/pvc_protection_controller.go
import { timestamp } from '../../machinery/time.ts';
import type { PersistentVolumeClaim, Pod, Volume } from '../../schema/types/core-v1.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import { defineController } from '../common/controller.ts';
import { pagesOf } from '../common/pages.ts';
import { isDeletionCandidate, lacksFinalizer, withFinalizer, withoutFinalizer } from '../common/finalizers.ts';
import { WorkQueue } from '../common/work-queue.ts';

type PodObject = Pod & KubeObject;
type ClaimObject = PersistentVolumeClaim & KubeObject;

type Usage = (pod: PodObject, claim: ClaimObject) => boolean;

const finalizer = 'kubernetes.io/pvc-protection';

/** A claim that pods use stays until they are gone. */
export const persistentVolumeClaimProtection = defineController({
  name: 'persistentvolumeclaim-protection-controller',
  account: 'pvc-protection-controller',
  async run({ client, informers, clock, log, metrics, signal }) {
    const claims = informers.of<ClaimObject>('/api/v1/persistentvolumeclaims');
    const pods = informers.of<PodObject>('/api/v1/pods');
    const isUsed = async (claim: ClaimObject, uses: Usage): Promise<boolean> => {
      const here = (pod: PodObject): boolean => pod.metadata.namespace === claim.metadata.namespace && uses(pod, claim);
      if (pods.values().some(here)) return true;
      // What is known here may be behind.
      for await (const page of pagesOf<PodObject>(client, `/api/v1/namespaces/${claim.metadata.namespace}/pods`))
        if (page.some(here)) return true;
      return false;
    };
    const queue = new WorkQueue<string>({
      name: 'pvcprotection',
      metrics,
      clock,
      log,
      async process(key) {
        const [namespace = '', name = ''] = key.split('/');
        let claim = claims.get(namespace, name);
        if (claim === undefined) return;
        const path = `/api/v1/namespaces/${namespace}/persistentvolumeclaims/${name}`;
        if (claim.metadata.deletionTimestamp === undefined && claim.status.phase === 'Bound') {
          const next = withUnusedCondition(claim, await isUsed(claim, refersTo), timestamp(clock.now()));
          if (next !== claim) claim = (await client.update(`${path}/status`, next)) as ClaimObject;
        }
        if (isDeletionCandidate(claim, finalizer) && !(await isUsed(claim, keeps))) {
          await client.update(path, withoutFinalizer(claim, finalizer));
        } else if (lacksFinalizer(claim, finalizer)) await client.update(path, withFinalizer(claim, finalizer));
      },
    });
    const queueClaimsOf = (pod: PodObject): void => {
      for (const name of claimNames(pod)) queue.add(`${pod.metadata.namespace}/${name}`);
    };
    using _claims = claims.subscribe({ changed: ({ metadata }) => queue.add(`${metadata.namespace}/${metadata.name}`) });
    using _pods = pods.subscribe({ changed: queueClaimsOf, deleted: queueClaimsOf });
    await queue.run(signal, claims.synced, pods.synced);
  },
});

/** A pod without a node keeps no claim: no kubelet would start it with one that is being deleted. */
function keeps(pod: PodObject, claim: ClaimObject): boolean {
  if (!pod.spec.nodeName) return false;
  return (pod.spec.volumes ?? []).some((volume) => isOf(volume, pod, claim) && (volume.ephemeral === undefined || !isShutDown(pod)));
}

function refersTo(pod: PodObject, claim: ClaimObject): boolean {
  return !isTerminated(pod) && (pod.spec.volumes ?? []).some((volume) => isOf(volume, pod, claim));
}

function isOf(volume: Volume, pod: PodObject, { metadata }: ClaimObject): boolean {
  if (volume.persistentVolumeClaim !== undefined) return volume.persistentVolumeClaim.claimName === metadata.name;
  if (volume.ephemeral === undefined || ephemeralClaimName(pod, volume) !== metadata.name) return false;
  return (metadata.ownerReferences ?? []).some(({ uid, controller }) => controller === true && uid === pod.metadata.uid);
}

/** The claim as it says whether pods use it; the same object when it says so already. */
function withUnusedCondition(claim: ClaimObject, isUsed: boolean, now: string): ClaimObject {
  const { conditions = [] } = claim.status;
  const known = conditions.find(({ type }) => type === 'Unused');
  if (known !== undefined && (known.status === 'True') !== isUsed) return claim;
  const condition = {
    type: 'Unused',
    status: isUsed ? 'False' : 'True',
    lastProbeTime: null,
    lastTransitionTime: now,
    reason: isUsed ? 'PodUsingPVC' : 'NoPodsUsingPVC',
    message: isUsed ? 'A pod is currently referencing this PVC' : 'No pods are currently referencing this PVC',
  };
  const others = conditions.filter((one) => one !== known);
  return { ...claim, status: { ...claim.status, conditions: [...others, condition] } };
}

function claimNames(pod: PodObject): string[] {
  return (pod.spec.volumes ?? []).flatMap((volume) => {
    if (volume.persistentVolumeClaim !== undefined) return [volume.persistentVolumeClaim.claimName];
    return volume.ephemeral === undefined ? [] : [ephemeralClaimName(pod, volume)];
  });
}

function ephemeralClaimName({ metadata }: PodObject, { name }: Volume): string {
  return `${metadata.name}-${name}`;
}

function isShutDown({ metadata }: PodObject): boolean {
  return metadata.deletionTimestamp !== undefined && metadata.deletionGracePeriodSeconds === 0;
}

function isTerminated({ metadata, status }: PodObject): boolean {
  if (status.phase === 'Failed' || status.phase === 'Succeeded') return true;
  return metadata.deletionTimestamp !== undefined && (status.containerStatuses ?? []).every(({ state }) => state?.running === undefined);
}
