// Upstream: k8s.io/kubernetes/pkg/controller/volume/pvprotection/pv_protection_controller.go
import type { PersistentVolume } from '../../schema/types/core-v1.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import { defineController } from '../common/controller.ts';
import { isDeletionCandidate, lacksFinalizer, withFinalizer, withoutFinalizer } from '../common/finalizers.ts';
import { WorkQueue } from '../common/work-queue.ts';

const finalizer = 'kubernetes.io/pv-protection';

/** A volume that is bound to a claim stays until it is bound no more. */
export const persistentVolumeProtection = defineController({
  name: 'persistentvolume-protection-controller',
  account: 'pv-protection-controller',
  async run({ client, informers, clock, log, metrics, signal }) {
    const volumes = informers.of<PersistentVolume & KubeObject>('/api/v1/persistentvolumes');
    const queue = new WorkQueue<string>({
      name: 'pvprotection',
      metrics,
      clock,
      log,
      async process(name) {
        const volume = volumes.get('', name);
        if (volume === undefined) return;
        const path = `/api/v1/persistentvolumes/${name}`;
        if (isDeletionCandidate(volume, finalizer) && volume.status.phase !== 'Bound') {
          await client.update(path, withoutFinalizer(volume, finalizer));
        } else if (lacksFinalizer(volume, finalizer)) await client.update(path, withFinalizer(volume, finalizer));
      },
    });
    using _volumes = volumes.subscribe({
      changed: (volume) => {
        if (isDeletionCandidate(volume, finalizer) || lacksFinalizer(volume, finalizer)) queue.add(volume.metadata.name as string);
      },
    });
    await queue.run(signal, volumes.synced);
  },
});
