import type { Container, EphemeralContainer, PodSpec } from '../../../schema/types/core-v1.ts';

/** What all three sorts of containers have in common. */
export type AnyContainer = Container | EphemeralContainer;

export type ContainerList = 'initContainers' | 'containers' | 'ephemeralContainers';

/** All containers of a pod: init containers first, ephemeral ones last. */
export function* allContainers(spec: PodSpec | undefined): Generator<AnyContainer> {
  if (spec === undefined) return;
  yield* spec.initContainers ?? [];
  yield* spec.containers ?? [];
  yield* spec.ephemeralContainers ?? [];
}

/** A sidecar: an init container that is restarted whenever it ends. */
export function isRestartableInitContainer({ restartPolicy }: Pick<Container, 'restartPolicy'>): boolean {
  return restartPolicy === 'Always';
}
