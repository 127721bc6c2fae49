import type { FieldPath } from '../../../machinery/field.ts';
import type { Container, EphemeralContainer, PodSpec } from '../../../schema/types/core-v1.ts';

/** What all three sorts of containers have in common. */
export type AnyContainer = Container | EphemeralContainer;

/** All containers of a pod: init containers first, ephemeral ones last. */
export function allContainers(spec: PodSpec | undefined): readonly AnyContainer[] {
  const { initContainers, containers, ephemeralContainers } = spec ?? {};
  if (initContainers === undefined && ephemeralContainers === undefined) return containers ?? [];
  return [...(initContainers ?? []), ...(containers ?? []), ...(ephemeralContainers ?? [])];
}

/** A sidecar: an init container that is restarted whenever it ends. */
export function isRestartableInitContainer({ restartPolicy }: Pick<Container, 'restartPolicy'>): boolean {
  return restartPolicy === 'Always';
}

/** All containers, each with its place. */
export function containersWithPath(
  spec: PodSpec,
  path: FieldPath,
): readonly { readonly container: AnyContainer; readonly path: FieldPath }[] {
  const all: { readonly container: AnyContainer; readonly path: FieldPath }[] = [];
  for (const list of ['initContainers', 'containers', 'ephemeralContainers'] as const) {
    const at = path.child(list);
    spec[list]?.forEach((container: AnyContainer, index) => all.push({ container, path: at.index(index) }));
  }
  return all;
}
