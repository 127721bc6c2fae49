// Upstream: k8s.io/kubernetes/pkg/api/pod/util.go#GetValidationOptionsFromPodSpecAndMeta
import { FieldPath } from '../../../machinery/field.ts';
import { hasInvalidLabelValue, validateLabelSelector } from '../../../machinery/label-selector.ts';
import { checkEnvVarName, checkLabelValue, checkRelaxedEnvVarName } from '../../../machinery/names.ts';
import { Quantity } from '../../../machinery/quantity.ts';
import type { PodAffinityTerm, PodSpec, PodTemplateSpec } from '../../../schema/types/core-v1.ts';
import type { WriteContext } from '../../../server/registry/context.ts';
import type { FeatureGates } from '../../../server/registry/features.ts';
import { isHugePages, isHugePagesMultiple } from '../resource-names.ts';
import { validateMatchLabelKeys } from './affinity.ts';
import { isDeletionCost } from './annotations.ts';
import { allContainers, isRestartableInitContainer } from './containers.ts';
import { validateLocalNonReservedPath } from './rules.ts';
import { validateHostSysctl } from './security-context.ts';
import { validateLegacyKeys } from './topology.ts';

/** What validation of a pod spec lets pass: by feature gate, or because the stored object already has it. */
export interface PodValidationOptions {
  /** a pod, not a template of one */
  readonly resourceIsPod: boolean;
  readonly allowPrivileged: boolean;
  readonly strictIpCidrValidation: boolean;
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

interface WithAnnotations {
  readonly annotations?: Readonly<Record<string, string>>;
}

/** What validation of pods needs to know of a write. */
export type PodContext = Pick<WriteContext, 'features' | 'capabilities'>;

/** Options for a template that is created, or updated when there is an old one. */
export function podTemplateValidationOptions(
  context: PodContext,
  template: PodTemplateSpec,
  old: PodTemplateSpec | undefined,
): PodValidationOptions {
  return podValidationOptions(context, template.spec, old?.spec, old?.metadata);
}

export function podValidationOptions(
  { features, capabilities }: PodContext,
  spec: PodSpec,
  old: PodSpec | undefined,
  oldMetadata: WithAnnotations | undefined,
): PodValidationOptions {
  const on = (gate: string): boolean => features.enabled(gate);
  /** the gate is on, or the stored object makes use of what it brings */
  const onOrUsed = (gate: string, used: (spec: PodSpec) => boolean): boolean => on(gate) || inOld(used);
  const inOld = (used: (spec: PodSpec) => boolean): boolean => old !== undefined && used(old);
  const oldCost = oldMetadata?.annotations?.['controller.kubernetes.io/pod-deletion-cost'];
  const merges = on('MatchLabelKeysInPodTopologySpreadSelectorMerge');
  const spreads = on('MatchLabelKeysInPodTopologySpread');
  return {
    resourceIsPod: false,
    allowPrivileged: capabilities.allowPrivileged,
    strictIpCidrValidation: on('StrictIPCIDRValidation'),
    allowInvalidPodDeletionCost: !on('PodDeletionCost') || (oldCost !== undefined && !isDeletionCost(oldCost)),
    allowIndivisibleHugePagesValues: inOld(hasIndivisibleHugePages),
    allowInvalidLabelValueInSelector: inOld(hasInvalidAffinitySelector),
    allowInvalidTopologySpreadConstraintLabelSelector: inOld(hasInvalidSpreadSelector),
    allowNamespacedSysctlsForHostNetAndHostIPC: inOld(hasHostSysctl),
    allowNonLocalProjectedTokenPath: inOld(hasNonLocalTokenPath),
    podLevelResourcesEnabled: on('PodLevelResources'),
    allowInvalidLabelValueInRequiredNodeAffinity: inOld(hasInvalidNodeAffinityValue),
    allowSidecarResizePolicy: onOrUsed('InPlacePodVerticalScaling', hasSidecarResizePolicy),
    allowMatchLabelKeysInPodTopologySpread: spreads,
    allowMatchLabelKeysInPodTopologySpreadSelectorMerge: merges,
    inPlacePodLevelResourcesVerticalScalingEnabled: on('InPlacePodLevelResourcesVerticalScaling'),
    inPlacePodVerticalScalingMemoryBackedVolumesEnabled: on('InPlacePodVerticalScalingMemoryBackedVolumes'),
    oldPodViolatesMatchLabelKeysValidation: spreads && merges && inOld(violatesMatchLabelKeys),
    oldPodViolatesLegacyMatchLabelKeysValidation: spreads && !merges && inOld(violatesLegacyMatchLabelKeys),
    allowContainerRestartPolicyRules: onOrUsed('ContainerRestartRules', hasRestartRules),
    allowUserNamespacesWithVolumeDevices: inOld(hasUserNamespaceWithDevices),
    allowRestartAllContainers: onOrUsed('RestartAllContainersOnContainerExits', restartsAllContainers),
    allowImageVolumeWithDigest: on('ImageVolumeWithDigest'),
    allowExistingRestartContainerForNonSidecarInitContainer: inOld(hasRestartContainerOnInitContainer),
    allowSysAdminWhenPrivilegeEscalationFalse: inOld(hasSysAdminWithoutEscalation),
    allowRelaxedEnvironmentVariableValidation: on('RelaxedEnvironmentVariableValidation') || keepsRelaxedName(spec, old),
    allowEnvFilesValidation: onOrUsed('EnvFiles', hasFileKeyRef),
    allowUserNamespacesHostNetworkSupport: onOrUsed(
      'UserNamespacesHostNetworkSupport',
      ({ hostUsers, hostNetwork }) => hostUsers === false && hostNetwork === true,
    ),
    allowOnlyRecursiveSELinuxChangePolicy: onlyRecursiveSelinux(features, old),
    allowTaintTolerationComparisonOperators: onOrUsed('TaintTolerationComparisonOperators', comparesTaints),
    allowEmptyImageVolumeReference: inOld(({ volumes }) => volumes?.some(({ image }) => image?.reference === '') ?? false),
  };
}

const anywhere = FieldPath.root('');

function hasIndivisibleHugePages(spec: PodSpec): boolean {
  const indivisible = (resources: Record<string, string> | undefined): boolean =>
    Object.entries(resources ?? {}).some(([name, text]) => isHugePages(name) && !isHugePagesMultiple(name, Quantity.parse(text)));
  return (
    allContainers(spec).some(({ resources }) => indivisible(resources?.limits) || indivisible(resources?.requests)) ||
    indivisible(spec.overhead)
  );
}

function affinityTerms({ affinity }: PodSpec): PodAffinityTerm[] {
  return [affinity?.podAffinity, affinity?.podAntiAffinity].flatMap((each) => [
    ...(each?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(each?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ podAffinityTerm }) => podAffinityTerm),
  ]);
}

function hasInvalidAffinitySelector(spec: PodSpec): boolean {
  return affinityTerms(spec).some(
    ({ labelSelector, namespaceSelector }) => hasInvalidLabelValue(labelSelector) || hasInvalidLabelValue(namespaceSelector),
  );
}

function hasInvalidNodeAffinityValue({ affinity }: PodSpec): boolean {
  const terms = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  return terms.some(({ matchExpressions }) =>
    matchExpressions?.some(({ values }) => values?.some((value) => checkLabelValue(value).length > 0)),
  );
}

function hasInvalidSpreadSelector({ topologySpreadConstraints }: PodSpec): boolean {
  return (topologySpreadConstraints ?? []).some(
    ({ labelSelector }) => labelSelector !== undefined && validateLabelSelector(labelSelector, anywhere).length > 0,
  );
}

function violatesMatchLabelKeys({ topologySpreadConstraints }: PodSpec): boolean {
  return (topologySpreadConstraints ?? []).some(
    ({ matchLabelKeys, labelSelector }) => validateMatchLabelKeys(matchLabelKeys, undefined, labelSelector, anywhere).length > 0,
  );
}

function violatesLegacyMatchLabelKeys({ topologySpreadConstraints }: PodSpec): boolean {
  return (topologySpreadConstraints ?? []).some((constraint) => validateLegacyKeys(constraint, anywhere).length > 0);
}

function hasHostSysctl(spec: PodSpec): boolean {
  return (spec.securityContext?.sysctls ?? []).some(({ name }) => validateHostSysctl(name, spec, anywhere).length > 0);
}

function hasNonLocalTokenPath({ volumes }: PodSpec): boolean {
  return (volumes ?? []).some(({ projected }) =>
    projected?.sources?.some(
      ({ serviceAccountToken: token }) => token !== undefined && validateLocalNonReservedPath(token.path, anywhere).length > 0,
    ),
  );
}

function hasSidecarResizePolicy({ initContainers }: PodSpec): boolean {
  return (initContainers ?? []).some((container) => isRestartableInitContainer(container) && container.resizePolicy?.length);
}

function hasRestartContainerOnInitContainer({ initContainers }: PodSpec): boolean {
  return (initContainers ?? []).some(
    (container) =>
      !isRestartableInitContainer(container) && container.resizePolicy?.some(({ restartPolicy }) => restartPolicy === 'RestartContainer'),
  );
}

/** Restart policies of containers other than sidecars, or rules of init containers. */
export function hasRestartRules({ containers, initContainers }: PodSpec): boolean {
  if (containers?.some(({ restartPolicy }) => restartPolicy !== undefined)) return true;
  return (initContainers ?? []).some(
    (container) =>
      (container.restartPolicy !== undefined && !isRestartableInitContainer(container)) || container.restartPolicyRules?.length,
  );
}

/** Rules of sidecars came with the action that restarts all. */
function restartsAllContainers({ containers, initContainers }: PodSpec): boolean {
  const all = [...(containers ?? []), ...(initContainers ?? [])];
  if (all.some(({ restartPolicyRules }) => restartPolicyRules?.some(({ action }) => action === 'RestartAllContainers'))) return true;
  return (initContainers ?? []).some((container) => isRestartableInitContainer(container) && container.restartPolicyRules?.length);
}

function hasUserNamespaceWithDevices(spec: PodSpec): boolean {
  return spec.hostUsers === false && allContainers(spec).some(({ volumeDevices }) => (volumeDevices?.length ?? 0) > 0);
}

function hasSysAdminWithoutEscalation(spec: PodSpec): boolean {
  return allContainers(spec).some(
    ({ securityContext: context }) =>
      context !== undefined && context.allowPrivilegeEscalation !== true && (context.capabilities?.add?.includes('CAP_SYS_ADMIN') ?? false),
  );
}

export function hasFileKeyRef(spec: PodSpec): boolean {
  return allContainers(spec).some(({ env }) => env?.some(({ valueFrom }) => valueFrom?.fileKeyRef !== undefined) ?? false);
}

function envNames(spec: PodSpec): Set<string> {
  const names = new Set<string>();
  for (const { env, envFrom } of allContainers(spec)) {
    for (const { name } of env ?? []) names.add(name);
    for (const { prefix = '' } of envFrom ?? []) names.add(prefix);
  }
  return names;
}

/** A name that only the relaxed rule takes was there before. */
function keepsRelaxedName(spec: PodSpec, old: PodSpec | undefined): boolean {
  if (old === undefined) return false;
  const before = envNames(old);
  return [...envNames(spec)].some(
    (name) => before.has(name) && checkEnvVarName(name).length > 0 && checkRelaxedEnvVarName(name).length === 0,
  );
}

function comparesTaints({ tolerations }: PodSpec): boolean {
  return (tolerations ?? []).some(({ operator }) => operator === 'Lt' || operator === 'Gt');
}

/** Until the mount option is generally on, only one policy is taken, unless the stored object has any. */
function onlyRecursiveSelinux(features: FeatureGates, old: PodSpec | undefined): boolean {
  return !features.enabled('SELinuxMount') && old?.securityContext?.seLinuxChangePolicy === undefined;
}
