// Upstream: k8s.io/component-helpers/nodedeclaredfeatures/features/inplacepodresize
import { deepEqual } from '../../machinery/deep-equal.ts';
import { Quantity } from '../../machinery/quantity.ts';
import type { PodSpec } from '../../schema/types/core-v1.ts';

/** Features that a node must have declared for this change to a pod on it, by name. */
const needs: Readonly<Record<string, (old: PodSpec, next: PodSpec) => boolean>> = {
  InPlacePodLevelResourcesVerticalScaling: (old, next) => !deepEqual(old.resources ?? {}, next.resources ?? {}),
  InPlacePodVerticalScalingInitContainers: (old, next) =>
    (old.initContainers ?? []).some(
      (container, index) =>
        container.restartPolicy !== 'Always' && !deepEqual(container.resources ?? {}, next.initContainers?.[index]?.resources ?? {}),
    ),
  InPlacePodVerticalScalingMemoryBackedVolumes: resizesMemoryVolume,
};

export function neededFeatures(old: PodSpec, next: PodSpec): string[] {
  return Object.entries(needs).flatMap(([name, isNeeded]) => (isNeeded(old, next) ? [name] : []));
}

function resizesMemoryVolume({ volumes: before = [] }: PodSpec, { volumes = [] }: PodSpec): boolean {
  if (before.length !== volumes.length) return false;
  return volumes.some(({ name, emptyDir }, index) => {
    const old = before[index];
    if (old?.name !== name || emptyDir?.medium !== 'Memory') return false;
    if (emptyDir.sizeLimit === undefined || old.emptyDir?.sizeLimit === undefined) return false;
    return !Quantity.parse(emptyDir.sizeLimit).equals(Quantity.parse(old.emptyDir.sizeLimit));
  });
}
