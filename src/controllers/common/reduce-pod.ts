import type { Container, Pod, PodSpec } from '../../schema/types/core-v1.ts';
import type { KubeObject } from '../../server/registry/definition.ts';

/** A pod without what no controller here reads, which is most of it: who wrote it, annotations, and how its containers are run. */
export function reducePod(pod: KubeObject): KubeObject {
  const { metadata, spec, ...others } = pod as Pod & KubeObject;
  const { managedFields: _managers, annotations: _annotations, ...kept } = metadata;
  const { containers, initContainers, ephemeralContainers, ...rest }: Partial<PodSpec> = spec ?? {};
  return {
    ...others,
    metadata: kept,
    spec: {
      ...rest,
      ...(containers && { containers: containers.map(reduceContainer) }),
      ...(initContainers && { initContainers: initContainers.map(reduceContainer) }),
      ...(ephemeralContainers && { ephemeralContainers: ephemeralContainers.map(reduceContainer) }),
    },
  } as KubeObject;
}

/** Its ports, resources and what it takes from secrets. */
function reduceContainer({ name, ports, resources, restartPolicy, env, envFrom }: Container): Container {
  const references = env?.filter(({ valueFrom }) => valueFrom !== undefined) ?? [];
  return {
    name,
    ...(ports && { ports }),
    ...(resources && { resources }),
    ...(restartPolicy && { restartPolicy }),
    ...(references.length > 0 && { env: references }),
    ...(envFrom && { envFrom }),
  };
}
