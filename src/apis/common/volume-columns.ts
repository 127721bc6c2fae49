// Upstream: k8s.io/kubernetes/pkg/apis/core/helper/helpers.go#GetAccessModesAsString, #GetPersistentVolumeClass
import type { ObjectMeta } from '../../machinery/object-meta.ts';

export const betaClassAnnotation = 'volume.beta.kubernetes.io/storage-class';

const shortModes: readonly (readonly [mode: string, shown: string])[] = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
];

/** `RWO,ROX`: in a fixed order, each once. */
export function accessModesText(modes: readonly string[] | undefined): string {
  return shortModes
    .filter(([mode]) => modes?.includes(mode))
    .map(([, shown]) => shown)
    .join(',');
}

/** The class that a volume or a claim asks for; an old annotation goes first. */
export function classNameOf({ annotations }: ObjectMeta, className: string | undefined): string {
  return annotations?.[betaClassAnnotation] ?? className ?? '';
}
