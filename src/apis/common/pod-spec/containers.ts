import type { FieldPath } from '../../../machinery/field.ts';
import type { Container, EphemeralContainer, PodSpec } from '../../../schema/types/core-v1.ts';

/** What all three sorts of containers have in common. */
export type AnyContainer = Container | EphemeralContainer;

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

/** All containers, each with its place. */
export function* containersWithPath(
  spec: PodSpec,
  path: FieldPath,
): Generator<{ readonly container: AnyContainer; readonly path: FieldPath }> {
  for (const list of ['initContainers', 'containers', 'ephemeralContainers'] as const) {
    const at = path.child(list);
    let index = 0;
    for (const container of spec[list] ?? []) yield { container, path: at.index(index++) };
  }
}
