// Upstream: k8s.io/kubernetes/pkg/registry/core/pod/strategy.go#podResizeStrategy, k8s.io/kubernetes/pkg/apis/core/validation/validation.go#ValidatePodResize
import { append } from '../../../machinery/append.ts';
import { FieldPath, forbidden, invalid, typedValue } from '../../../machinery/field.ts';
import type { FieldError } from '../../../machinery/field.ts';
import { Quantity } from '../../../machinery/quantity.ts';
import type * as core from '../../../schema/types/core-v1.ts';
import type { FeatureGates } from '../../../server/registry/features.ts';
import type { SubresourceUpdate } from '../../../server/registry/definition.ts';
import { setOrDelete } from '../../../server/registry/rules.ts';
import { mirrorPodAnnotation } from '../../common/pod-spec/annotations.ts';
import { isRestartableInitContainer } from '../../common/pod-spec/containers.ts';
import { dropDisabledFields } from '../../common/pod-spec/disabled-fields.ts';
import type { PodContext, PodValidationOptions } from '../../common/pod-spec/options.ts';
import { resetMetadataForStatus } from '../../common/status-metadata.ts';
import { internallyEqual } from './internal-pod.ts';
import { defaultPodLevelResources } from './pod-level-defaults.ts';
import type { PodObject } from './pod-object.ts';
import { keepPodLevelResources, updateGeneration } from './prepare.ts';
import { qosClassOf } from '../../common/pod-spec/qos.ts';
import { optionsFor, specPath, validateSpec } from './validation.ts';

type Resources = Record<string, string> | undefined;

/** Changes cpu and memory of a running pod's containers. */
export const resize: SubresourceUpdate<PodObject> = {
  prepareForUpdate(pod, old, { features }) {
    dropOtherChanges(pod, old, features);
    if (features.enabled('PodLevelResourcesFixDefaulting')) {
      keepPodLevelResources(pod.spec, old.spec, true);
      if (pod.spec.resources !== undefined) defaultPodLevelResources(pod.spec, features);
    }
    dropDisabledFields(pod.spec, old.spec, features);
    updateGeneration(pod, old);
  },
  validateUpdate: (pod, old, context) => validateResize(pod, old, context),
};

/** Containers that were added, removed or renamed are left for validation to refuse. */
function dropOtherChanges(pod: PodObject, old: PodObject, features: FeatureGates): void {
  const { containers, initContainers, resources, volumes } = pod.spec;
  if ((containers ?? []).length !== (old.spec.containers ?? []).length) return;
  if ((initContainers ?? []).length !== (old.spec.initContainers ?? []).length) return;
  pod.spec = { ...old.spec, containers: resized(containers ?? [], old.spec.containers ?? []) };
  setOrDelete(pod.spec, 'initContainers', initContainers && resized(initContainers, old.spec.initContainers ?? []));
  if (features.enabled('InPlacePodLevelResourcesVerticalScaling')) setOrDelete(pod.spec, 'resources', resources);
  if (features.enabled('InPlacePodVerticalScalingMemoryBackedVolumes')) setOrDelete(pod.spec, 'volumes', volumes);
  pod.status = old.status;
  resetMetadataForStatus(pod.metadata, old.metadata);
}

function resized(next: core.Container[], old: readonly core.Container[]): core.Container[] {
  if (next.some(({ name }, index) => name !== old[index]?.name)) return next;
  return next.map(({ resources, resizePolicy }, index) => {
    const container = { ...(old[index] as core.Container), resources };
    setOrDelete(container, 'resizePolicy', resizePolicy);
    return container;
  });
}

function validateResize(pod: PodObject, old: PodObject, context: PodContext): FieldError[] {
  const { features } = context;
  const options = optionsFor(pod, old, context);
  const nowhere = FieldPath.root('');
  if (old.metadata.annotations?.[mirrorPodAnnotation] !== undefined) return [forbidden(nowhere, 'static pods cannot be resized')];
  if (old.spec.os?.name === 'windows') return [forbidden(nowhere, 'windows pods cannot be resized')];
  const errors = validateSpec(pod, options);
  if ((old.status?.qosClass || qosClassOf(old.spec, features)) !== qosClassOf(pod.spec, features)) {
    const shown = typedValue(pod.status?.qosClass ?? '');
    errors.push(invalid(specPath, shown, 'Pod QOS Class may not change as a result of resizing'));
  }
  if (!nodeSupportsResize(old)) errors.push(forbidden(specPath, 'Pod running on node without support for resize'));
  const undone: core.PodSpec = { ...pod.spec };
  if (hasResources(old.spec) || hasResources(pod.spec)) {
    if (!options.inPlacePodLevelResourcesVerticalScalingEnabled) {
      const gate = 'InPlacePodLevelResourcesVerticalScalingEnabled';
      const detail = `resize of pods with pod-level resources is forbidden when ${gate} feature gate is disabled`;
      return [...errors, forbidden(nowhere, detail)];
    }
    append(errors, validatePodLevelResize(undone, old.spec));
  }
  const order = validateOrder(pod.spec, old.spec);
  if (order.length > 0) return [...errors, ...order];
  append(errors, validateContainers(undone, old.spec, features), validateVolumes(undone, old.spec, options));
  if (errors.length > 0 || internallyEqual(undone, old.spec, 'PodSpec')) return errors;
  return [forbidden(specPath, 'only cpu and memory resources are mutable')];
}

/** A node that can resize reports the resources of running containers; without any we cannot tell. */
function nodeSupportsResize({ status }: PodObject): boolean {
  const running = status?.containerStatuses?.find(({ state }) => state?.running !== undefined);
  return running === undefined || running.resources !== undefined;
}

function hasResources({ resources }: core.PodSpec): boolean {
  return Object.keys(resources?.requests ?? {}).length + Object.keys(resources?.limits ?? {}).length > 0;
}

function validatePodLevelResize(undone: core.PodSpec, old: core.PodSpec): FieldError[] {
  const at = specPath.child('resources');
  if (undone.resources === undefined) return [forbidden(at, 'pod-level resources cannot be removed')];
  const errors: FieldError[] = [];
  for (const side of ['requests', 'limits'] as const) {
    if (old.resources === undefined || !wasRemoved(undone.resources[side], old.resources[side])) continue;
    errors.push(forbidden(at.child(side), `pod-level resource ${side} cannot be removed`));
  }
  const masked = withComputeOf(undone.resources, old.resources);
  const none = old.resources === undefined && !hasResources({ containers: null, resources: masked }) && !masked.claims?.length;
  setOrDelete(undone, 'resources', none ? undefined : masked);
  if (!internallyEqual(undone.resources, old.resources, '?ResourceRequirements')) {
    errors.push(forbidden(specPath, 'only cpu and memory resources are mutable at pod-level'));
  }
  return errors;
}

function wasRemoved(next: Resources = {}, old: Resources = {}): boolean {
  return Object.keys(old).some((name) => next[name] === undefined);
}

/** With cpu and memory as they were. */
function withComputeOf(next: core.ResourceRequirements, old: core.ResourceRequirements | undefined): core.ResourceRequirements {
  const masked: core.ResourceRequirements = { ...next };
  for (const side of ['requests', 'limits'] as const) {
    const resources: Record<string, string> = { ...next[side] };
    for (const name of ['cpu', 'memory']) setOrDelete(resources, name, old?.[side]?.[name]);
    setOrDelete(masked, side, next[side] === undefined && old?.[side] === undefined ? undefined : resources);
  }
  return masked;
}

function validateOrder(next: core.PodSpec, old: core.PodSpec): FieldError[] {
  return (['containers', 'initContainers'] as const).flatMap((list) => {
    const [after, before] = [next[list] ?? [], old[list] ?? []];
    if (after.length !== before.length) return [forbidden(specPath.child(list), `${list} may not be added or removed on resize`)];
    return before.flatMap(({ name }, index) => {
      if (after[index]?.name === name) return [];
      return [forbidden(specPath.child(list).index(index).child('name'), `${list} may not be renamed or reordered on resize`)];
    });
  });
}

/** Checks what changed in the containers, and undoes what is lawful. */
function validateContainers(undone: core.PodSpec, old: core.PodSpec, features: FeatureGates): FieldError[] {
  const [inits, oldInits] = [undone.initContainers ?? [], old.initContainers ?? []];
  const [containers, oldContainers] = [undone.containers ?? [], old.containers ?? []];
  const initsResize = features.enabled('InPlacePodVerticalScalingInitContainers');
  const errors = [
    ...inits.flatMap((container, index) => {
      const before = oldInits[index] as core.Container;
      if (!initsResize && !isRestartableInitContainer(before)) return [];
      return validateRemoved(container, before, specPath.child('initContainers').index(index).child('resources'));
    }),
    ...containers.flatMap((container, index) =>
      validateRemoved(container, oldContainers[index] as core.Container, specPath.child('containers').index(index).child('resources')),
    ),
  ];
  undone.containers = containers.map((container, index) => {
    const before = oldContainers[index] as core.Container;
    const masked = { ...container, resources: withComputeOf(container.resources, before.resources) };
    if (!internallyEqual(masked, before, 'Container')) errors.push(forbidden(specPath, 'only cpu and memory resources are mutable'));
    return masked;
  });
  const masked = inits.map((container, index) => {
    const before = oldInits[index] as core.Container;
    const at = specPath.child('initContainers').index(index);
    const sidecar = isRestartableInitContainer(container);
    const modified = !internallyEqual(container, before, 'Container');
    if (!sidecar && !initsResize) {
      if (modified) errors.push(forbidden(specPath, 'resources for non-sidecar init containers are immutable'));
      return container;
    }
    const restored = { ...container, resources: withComputeOf(container.resources, before.resources) };
    if (!internallyEqual(restored, before, 'Container')) {
      errors.push(forbidden(at, 'only cpu and memory resources for init or sidecar containers are mutable'));
    }
    if (modified && !sidecar) {
      for (const { restartPolicy } of container.resizePolicy ?? []) {
        if (restartPolicy !== 'RestartContainer') continue;
        errors.push(forbidden(at, 'non-sidecar init containers with a resize policy of RestartContainer cannot be resized'));
      }
    }
    return restored;
  });
  setOrDelete(undone, 'initContainers', undone.initContainers && masked);
  return errors;
}

function validateRemoved(next: core.Container, old: core.Container, path: FieldPath): FieldError[] {
  return (['requests', 'limits'] as const).flatMap((side) =>
    wasRemoved(next.resources?.[side], old.resources?.[side]) ? [forbidden(path.child(side), `resource ${side} cannot be removed`)] : [],
  );
}

/** Of volumes only the size of those in memory changes, if anything. */
function validateVolumes(undone: core.PodSpec, old: core.PodSpec, options: PodValidationOptions): FieldError[] {
  const at = specPath.child('volumes');
  const [after, before] = [undone.volumes ?? [], old.volumes ?? []];
  if (!options.inPlacePodVerticalScalingMemoryBackedVolumesEnabled) {
    if (internallyEqual(after, before, '[Volume')) return [];
    const gate = 'InPlacePodVerticalScalingMemoryBackedVolumes';
    return [forbidden(at, `volumes are immutable on resize when ${gate} feature gate is disabled`)];
  }
  setOrDelete(undone, 'volumes', old.volumes);
  if (after.length !== before.length) return [forbidden(at, 'volumes may not be added or removed on resize')];
  return after.flatMap((volume, index) => validateVolume(volume, before[index] as core.Volume, at.index(index)));
}

function validateVolume(next: core.Volume, old: core.Volume, path: FieldPath): FieldError[] {
  if (next.name !== old.name) return [forbidden(path.child('name'), 'volumes may not be renamed or reordered on resize')];
  const [after, before] = [next.emptyDir?.sizeLimit, old.emptyDir?.sizeLimit];
  const restored = { ...next };
  if (next.emptyDir !== undefined && old.emptyDir !== undefined) {
    restored.emptyDir = { ...next.emptyDir };
    setOrDelete(restored.emptyDir, 'sizeLimit', before);
  }
  if (!internallyEqual(restored, old, 'Volume')) {
    return [forbidden(path, 'only sizeLimit of memory-backed emptyDir volumes is mutable on resize')];
  }
  const at = path.child('emptyDir').child('sizeLimit');
  const isLimit = (size: string | undefined): boolean => size !== undefined && !Quantity.parse(size).isZero;
  if (isLimit(after) !== isLimit(before)) return [forbidden(at, 'adding or removing sizeLimit on an existing volume is not allowed')];
  if (after === undefined || before === undefined || Quantity.parse(after).equals(Quantity.parse(before))) return [];
  return next.emptyDir?.medium === 'Memory' ? [] : [forbidden(at, 'sizeLimit is only mutable for memory-backed emptyDir volumes')];
}
