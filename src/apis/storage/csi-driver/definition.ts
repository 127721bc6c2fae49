// Upstream: pkg/registry/storage/csidriver/strategy.go, pkg/apis/storage/v1/defaults.go
import type { CSIDriver } from '../../../schema/types/storage-v1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { defineResource } from '../../../server/registry/definition.ts';

export const csiDrivers = defineResource<CSIDriver & KubeObject>({
  group: 'storage.k8s.io',
  plural: 'csidrivers',
  strategy: {
    allowUnconditionalUpdate: false,
    returnDeletedObject: true,
    defaults({ spec }) {
      if (spec === undefined) return;
      spec.attachRequired ??= true;
      spec.podInfoOnMount ??= false;
      spec.storageCapacity ??= false;
      spec.fsGroupPolicy ??= 'ReadWriteOnceWithFSType';
      if (!spec.volumeLifecycleModes?.length) spec.volumeLifecycleModes = ['Persistent'];
      spec.requiresRepublish ??= false;
      spec.seLinuxMount ??= false;
      spec.preventPodSchedulingIfMissing ??= false;
    },
  },
});
