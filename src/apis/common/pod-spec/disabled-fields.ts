// Upstream: k8s.io/kubernetes/pkg/api/pod/util.go#DropDisabledTemplateFields, #dropDisabledFields
import { removeField } from '../../../machinery/go-distinctions.ts';
import type * as core from '../../../schema/types/core-v1.ts';
import type { FeatureGates } from '../../../server/registry/features.ts';
import { allContainers } from './containers.ts';
import type { AnyContainer } from './containers.ts';
import { hasFileKeyRef, hasRestartRules } from './options.ts';

type PodSpec = core.PodSpec;

/** Removes fields of features that are off, unless the stored template uses them already. For prepareForCreate and prepareForUpdate. */
export function dropDisabledTemplateFields(
  template: core.PodTemplateSpec,
  old: core.PodTemplateSpec | undefined,
  features: FeatureGates,
): void {
  dropDisabledFields(template.spec, old?.spec, features);
  dropInitContainerAnnotations(template.metadata?.annotations);
}

/** A field, or several, that a gate brings. */
interface GatedField {
  readonly gate: string;
  readonly inUse: (spec: PodSpec) => boolean;
  readonly drop: (spec: PodSpec) => void;
}

const securityContexts = (spec: PodSpec): core.SecurityContext[] =>
  [...allContainers(spec)].flatMap(({ securityContext }) => securityContext ?? []);
const mounts = (spec: PodSpec): core.VolumeMount[] => [...allContainers(spec)].flatMap(({ volumeMounts }) => volumeMounts ?? []);
const projections = (spec: PodSpec): core.VolumeProjection[] => (spec.volumes ?? []).flatMap(({ projected }) => projected?.sources ?? []);
const spreads = (spec: PodSpec): core.TopologySpreadConstraint[] => spec.topologySpreadConstraints ?? [];
const probesOf = (spec: PodSpec): core.Probe[] =>
  [...allContainers(spec)].flatMap(({ livenessProbe, readinessProbe, startupProbe }) =>
    [livenessProbe, readinessProbe, startupProbe].filter((probe) => probe !== undefined),
  );
const httpGets = (spec: PodSpec): core.HTTPGetAction[] =>
  [
    ...probesOf(spec),
    ...[...allContainers(spec)].flatMap(({ lifecycle }) => [lifecycle?.postStart, lifecycle?.preStop].filter((each) => each !== undefined)),
  ]
    .map(({ httpGet }) => httpGet)
    .filter((action) => action !== undefined);
const affinityTerms = ({ affinity }: PodSpec): core.PodAffinityTerm[] =>
  [affinity?.podAffinity, affinity?.podAntiAffinity].flatMap((each) => [
    ...(each?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(each?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ podAffinityTerm }) => podAffinityTerm),
  ]);

/** A field of some part of the spec: in use when any part has it. */
function gated<Part extends object, Key extends string & keyof Part>(
  gate: string,
  parts: (spec: PodSpec) => readonly Part[],
  ...keys: readonly Key[]
): GatedField {
  return {
    gate,
    inUse: (spec) => parts(spec).some((part) => keys.some((key) => isUsed(part[key]))),
    drop: (spec) => parts(spec).forEach((part) => keys.forEach((key) => removeField(part, key))),
  };
}

function isUsed(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined;
}

const itself = (spec: PodSpec): readonly PodSpec[] => [spec];
const securityContextOf = ({ securityContext }: PodSpec): readonly core.PodSecurityContext[] =>
  securityContext === undefined ? [] : [securityContext];

const gatedFields: readonly GatedField[] = [
  gated('UserNamespacesSupport', itself, 'hostUsers'),
  gated('SupplementalGroupsPolicy', securityContextOf, 'supplementalGroupsPolicy'),
  gated('PodLevelResources', itself, 'resources'),
  {
    gate: 'ProcMountType',
    inUse: (spec) => securityContexts(spec).some(({ procMount }) => procMount !== undefined && procMount !== 'Default'),
    // Once forced to be there, the field is in many stored objects: it becomes the default instead of going away.
    drop: (spec) => securityContexts(spec).forEach((context) => context.procMount !== undefined && (context.procMount = 'Default')),
  },
  gated('NodeInclusionPolicyInPodTopologySpread', spreads, 'nodeAffinityPolicy'),
  gated('NodeInclusionPolicyInPodTopologySpread', spreads, 'nodeTaintsPolicy'),
  gated('MatchLabelKeysInPodTopologySpread', spreads, 'matchLabelKeys'),
  gated('MatchLabelKeysInPodAffinity', affinityTerms, 'matchLabelKeys', 'mismatchLabelKeys'),
  {
    gate: 'DynamicResourceAllocation',
    inUse: ({ resourceClaims }) => isUsed(resourceClaims ?? []),
    drop(spec) {
      removeField(spec, 'resourceClaims');
      for (const { resources } of allContainers(spec)) if (resources !== undefined) removeField(resources, 'claims');
    },
  },
  gated('ClusterTrustBundleProjection', projections, 'clusterTrustBundle'),
  gated('PodCertificateRequest', projections, 'podCertificate'),
  gated('GenericWorkload', itself, 'schedulingGroup'),
  gated<core.GRPCAction, 'mode'>('GRPCContainerProbeTLS', (spec) => probesOf(spec).flatMap(({ grpc }) => grpc ?? []), 'mode'),
  gated('EvictionRequestAPI', itself, 'evictionResponders'),
  gated<AnyContainer, 'resizePolicy'>('InPlacePodVerticalScaling', (spec) => [...allContainers(spec)], 'resizePolicy'),
  { gate: 'ContainerRestartRules', inUse: hasRestartRules, drop: dropRestartRules },
  gated('RecursiveReadOnlyMounts', mounts, 'recursiveReadOnly'),
  gated<core.EmptyDirVolumeSource, 'mode'>(
    'EmptyDirVolumeMode',
    (spec) => (spec.volumes ?? []).flatMap(({ emptyDir }) => emptyDir ?? []),
    'mode',
  ),
  gated('VolumeBindMountOptions', mounts, 'bindMountOptions'),
  gated('HostnameOverride', itself, 'hostnameOverride'),
  {
    gate: 'EnvFiles',
    inUse: hasFileKeyRef,
    drop(spec) {
      for (const { env } of allContainers(spec)) for (const { valueFrom } of env ?? []) delete valueFrom?.fileKeyRef;
    },
  },
  gated('SELinuxChangePolicy', securityContextOf, 'seLinuxChangePolicy'),
  {
    gate: 'ContainerStopSignals',
    inUse: (spec) => allContainers(spec).some(({ lifecycle }) => lifecycle?.stopSignal !== undefined),
    drop: dropStopSignals,
  },
  gated('H2CContainerProbe', httpGets, 'protocol'),
  { gate: 'AtomicWriteVolumeUserFields', ...userFields() },
];

/** Who owns the files of volumes that are written as a whole. Of a volume with several sources, which is refused, only the first counts: its refusal shows the others'. */
function userFields(): Omit<GatedField, 'gate'> {
  type Item = { user?: core.KeyToPath['user'] };
  const defaults = (spec: PodSpec): { defaultUser?: core.SecretVolumeSource['defaultUser'] }[] =>
    (spec.volumes ?? []).flatMap(({ secret, configMap, downwardAPI, projected }) => secret ?? configMap ?? downwardAPI ?? projected ?? []);
  const items = (spec: PodSpec): Item[] =>
    (spec.volumes ?? []).flatMap(({ secret, configMap, downwardAPI, projected }): Item[] => {
      const first = secret ?? configMap ?? downwardAPI;
      if (first !== undefined) return first.items ?? [];
      return (projected?.sources ?? []).flatMap((source): Item[] => {
        const files = source.secret ?? source.downwardAPI ?? source.configMap;
        if (files !== undefined) return files.items ?? [];
        const file = source.serviceAccountToken ?? source.clusterTrustBundle ?? source.podCertificate;
        return file === undefined ? [] : [file];
      });
    });
  return {
    inUse: (spec) => defaults(spec).some(({ defaultUser }) => isUsed(defaultUser)) || items(spec).some(({ user }) => isUsed(user)),
    drop(spec) {
      for (const each of defaults(spec)) delete each.defaultUser;
      for (const each of items(spec)) delete each.user;
    },
  };
}

function dropRestartRules({ containers, initContainers, ephemeralContainers }: PodSpec): void {
  for (const container of initContainers ?? []) {
    if (container.restartPolicy !== 'Always') delete container.restartPolicy;
    removeField(container, 'restartPolicyRules');
  }
  for (const container of [...(containers ?? []), ...(ephemeralContainers ?? [])]) {
    delete container.restartPolicy;
    removeField(container, 'restartPolicyRules');
  }
}

/** A lifecycle that consisted of the signal goes with it. */
function dropStopSignals(spec: PodSpec): void {
  for (const container of allContainers(spec)) {
    if (container.lifecycle?.stopSignal === undefined) continue;
    delete container.lifecycle.stopSignal;
    if (Object.keys(container.lifecycle).length === 0) delete container.lifecycle;
  }
}

export function dropDisabledFields(spec: PodSpec, old: PodSpec | undefined, features: FeatureGates): void {
  for (const { gate, inUse, drop } of gatedFields) {
    if (!features.enabled(gate) && (old === undefined || !inUse(old))) drop(spec);
  }
}

const initContainerAnnotations = [
  'pod.beta.kubernetes.io/init-containers',
  'pod.alpha.kubernetes.io/init-containers',
  'pod.beta.kubernetes.io/init-container-statuses',
  'pod.alpha.kubernetes.io/init-container-statuses',
];

/** Where init containers were once written; not read any more. */
export function dropInitContainerAnnotations(annotations: Record<string, string> | undefined): void {
  if (annotations !== undefined) for (const name of initContainerAnnotations) delete annotations[name];
}
