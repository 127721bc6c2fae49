// Upstream: k8s.io/kubernetes/pkg/registry/core/pod/strategy.go#PrepareForCreate, #PrepareForUpdate
import { semanticDeepEqual } from '../../../machinery/deep-equal.ts';
import { FieldPath } from '../../../machinery/field.ts';
import type { LabelSelector } from '../../../machinery/label-selector.ts';
import { equalValues } from '../../../patch/apply/equal.ts';
import type { AppArmorProfile, PodAffinityTerm, PodSpec } from '../../../schema/types/core-v1.ts';
import type { WriteContext } from '../../../server/registry/context.ts';
import { appArmorPrefix, appArmorProfileOf } from '../../common/pod-spec/annotations.ts';
import { allContainers } from '../../common/pod-spec/containers.ts';
import { dropDisabledFields, dropInitContainerAnnotations } from '../../common/pod-spec/disabled-fields.ts';
import { setPodCondition } from '../../common/pod-conditions.ts';
import { defaultPodLevelResources } from './pod-level-defaults.ts';
import type { PodObject } from './pod-object.ts';
import { qosClassOf } from '../../common/pod-spec/qos.ts';

export function prepareForCreate(pod: PodObject, context: WriteContext): void {
  const { metadata, spec } = pod;
  const { features } = context;
  pod.status = { phase: 'Pending' };
  dropDisabledFields(spec, undefined, features);
  dropInitContainerAnnotations(metadata.annotations);
  if (spec.schedulingGates?.length) {
    const message = 'Scheduling is blocked due to non-empty scheduling gates';
    setPodCondition(pod.status, { type: 'PodScheduled', status: 'False', reason: 'SchedulingGated', message }, context.now);
  }
  mergeLabelKeys(pod, context);
  adoptAppArmorAnnotations(pod, context);
  defaultPodLevelResources(spec, features);
  pod.status.qosClass = qosClassOf(spec, features);
}

export function prepareForUpdate(pod: PodObject, old: PodObject, { features }: WriteContext): void {
  // Most updates leave the spec alone. One that is the same object as the old one need not be compared again, and nothing changes it from here on.
  if (equalValues(pod.spec, old.spec, true)) pod.spec = old.spec;
  else {
    keepPodLevelResources(pod.spec, old.spec, features.enabled('PodLevelResourcesFixDefaulting'));
    dropDisabledFields(pod.spec, old.spec, features);
  }
  dropInitContainerAnnotations(pod.metadata.annotations);
  updateGeneration(pod, old);
}

/** A client that knows nothing of pod-level resources does not mean to remove them. */
export function keepPodLevelResources(spec: PodSpec, old: PodSpec, enabled: boolean): void {
  if (enabled && spec.resources === undefined && old.resources !== undefined) spec.resources = old.resources;
}

export function updateGeneration(pod: PodObject, old: PodObject): void {
  if (!semanticDeepEqual(pod.spec, old.spec)) pod.metadata.generation = Number(old.metadata.generation ?? 0) + 1;
}

/** Keys of labels become requirements with this pod's values, so that schedulers need to know one form only. */
function mergeLabelKeys({ metadata, spec }: PodObject, { features }: WriteContext): void {
  const labels = metadata.labels ?? {};
  if (features.enabled('MatchLabelKeysInPodAffinity')) {
    for (const { labelSelector, matchLabelKeys, mismatchLabelKeys } of affinityTerms(spec)) {
      if (labelSelector === undefined) continue;
      merge(labelSelector, matchLabelKeys, 'In', labels);
      merge(labelSelector, mismatchLabelKeys, 'NotIn', labels);
    }
  }
  if (features.enabled('MatchLabelKeysInPodTopologySpread') && features.enabled('MatchLabelKeysInPodTopologySpreadSelectorMerge')) {
    for (const { labelSelector, matchLabelKeys } of spec.topologySpreadConstraints ?? []) {
      if (labelSelector !== undefined) merge(labelSelector, matchLabelKeys, 'In', labels);
    }
  }
}

function affinityTerms({ affinity }: PodSpec): PodAffinityTerm[] {
  return [affinity?.podAffinity, affinity?.podAntiAffinity].flatMap((each) => [
    ...(each?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ podAffinityTerm }) => podAffinityTerm),
    ...(each?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
  ]);
}

type WritableSelector = { -readonly [K in keyof LabelSelector]: LabelSelector[K] };

function merge(
  selector: WritableSelector,
  keys: readonly string[] | undefined,
  operator: 'In' | 'NotIn',
  labels: Readonly<Record<string, string>>,
): void {
  for (const key of keys ?? []) {
    const value = labels[key];
    if (value !== undefined) selector.matchExpressions = [...(selector.matchExpressions ?? []), { key, operator, values: [value] }];
  }
}

/** Profiles that are written as annotations become fields; a client that writes only annotations gets a warning. */
function adoptAppArmorAnnotations({ metadata, spec }: PodObject, context: WriteContext): void {
  if (spec.os?.name === 'windows' || metadata.annotations === undefined) return;
  for (const container of allContainers(spec)) {
    const key = appArmorPrefix + container.name;
    const annotation = metadata.annotations[key];
    if (annotation === undefined || container.securityContext?.appArmorProfile !== undefined) continue;
    const profile: AppArmorProfile | undefined = appArmorProfileOf(annotation);
    if (profile !== undefined) {
      if (semanticDeepEqual(profile, spec.securityContext?.appArmorProfile)) continue;
      container.securityContext = { ...container.securityContext, appArmorProfile: profile };
    }
    const path = FieldPath.root('metadata', 'annotations').key(key);
    context.warn(`${path}: deprecated since v1.30; use the "appArmorProfile" field instead`);
  }
}
