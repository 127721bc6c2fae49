// Upstream: k8s.io/kubernetes/pkg/apis/resource/v1beta1/conversion.go#Device, #ResourceSliceSpec
import type { Device, ResourceSliceSpec } from '../../../schema/types/resource-v1.ts';
import type { Device as FlatDevice, ResourceSliceSpec as FlatSpec } from '../../../schema/types/resource-v1beta1.ts';
import type { Conversion, KubeObject } from '../../../server/registry/definition.ts';
import type { SliceObject } from './validation.ts';

/** In v1beta1 what a device has is one level deeper, and no node is an empty name. */
export const conversionV1beta1: Conversion<SliceObject> = {
  toStorage(object: KubeObject) {
    const slice = object as { spec?: FlatSpec & ResourceSliceSpec };
    if (slice.spec !== undefined) {
      if (!slice.spec.nodeName) delete slice.spec.nodeName;
      if (!slice.spec.allNodes) delete slice.spec.allNodes;
      replaceDevices(slice.spec, ({ name, basic }: FlatDevice): Device => ({ name, ...basic }));
    }
    return object as SliceObject;
  },
  fromStorage(slice) {
    if (slice.spec !== undefined) {
      if (slice.spec.allNodes === false) delete slice.spec.allNodes;
      replaceDevices(slice.spec, ({ name, ...basic }: Device): FlatDevice => ({ name, basic }));
    }
    return slice;
  },
};

function replaceDevices<From, To>(spec: { devices?: unknown }, change: (device: From) => To): void {
  if (spec.devices !== undefined) spec.devices = (spec.devices as From[]).map(change);
}
