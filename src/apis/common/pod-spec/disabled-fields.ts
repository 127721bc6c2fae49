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

/** Parts of a spec that gates are about, each found once. */
class SpecParts {
  readonly spec: PodSpec;
  readonly containers: readonly AnyContainer[];
  #probes: core.Probe[] | undefined;
  #mounts: core.VolumeMount[] | undefined;

  constructor(spec: PodSpec) {
    this.spec = spec;
    this.containers = allContainers(spec);
  }

  get securityContexts(): core.SecurityContext[] {
    return this.containers.flatMap(({ securityContext }) => securityContext ?? []);
  }

  get mounts(): core.VolumeMount[] {
    return (this.#mounts ??= this.containers.flatMap(({ volumeMounts }) => volumeMounts ?? []));
  }

  get probes(): core.Probe[] {
    if (this.#probes !== undefined) return this.#probes;
    const probes: core.Probe[] = [];
    for (const { livenessProbe, readinessProbe, startupProbe } of this.containers) {
      if (livenessProbe !== undefined) probes.push(livenessProbe);
      if (readinessProbe !== undefined) probes.push(readinessProbe);
      if (startupProbe !== undefined) probes.push(startupProbe);
    }
    return (this.#probes = probes);
  }

  get httpGets(): core.HTTPGetAction[] {
    const handlers: (core.Probe | core.LifecycleHandler)[] = [...this.probes];
    for (const { lifecycle } of this.containers) {
      if (lifecycle?.postStart !== undefined) handlers.push(lifecycle.postStart);
      if (lifecycle?.preStop !== undefined) handlers.push(lifecycle.preStop);
    }
    return handlers.flatMap(({ httpGet }) => httpGet ?? []);
  }

  get volumes(): readonly core.Volume[] {
    return this.spec.volumes ?? [];
  }

  get projections(): core.VolumeProjection[] {
    return this.volumes.flatMap(({ projected }) => projected?.sources ?? []);
  }

  get spreads(): core.TopologySpreadConstraint[] {
    return this.spec.topologySpreadConstraints ?? [];
  }

  get affinityTerms(): core.PodAffinityTerm[] {
    const { affinity } = this.spec;
    if (affinity === undefined) return [];
    return [affinity.podAffinity, affinity.podAntiAffinity].flatMap((each) => [
      ...(each?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
      ...(each?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ podAffinityTerm }) => podAffinityTerm),
    ]);
  }
}

/** A field, or several, that a gate brings. */
interface GatedField {
  readonly gate: string;
  readonly inUse: (parts: SpecParts) => boolean;
  readonly drop: (parts: SpecParts) => void;
}

/** A field of some part of the spec: in use when any part has it. */
function gated<Part extends object, Key extends string & keyof Part>(
  gate: string,
  partsOf: (parts: SpecParts) => readonly Part[],
  ...keys: readonly Key[]
): GatedField {
  return {
    gate,
    inUse: (parts) => partsOf(parts).some((part) => keys.some((key) => isUsed(part[key]))),
    drop(parts) {
      for (const part of partsOf(parts)) for (const key of keys) removeField(part, key);
    },
  };
}

function isUsed(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined;
}

const itself = ({ spec }: SpecParts): readonly PodSpec[] => [spec];
const securityContextOf = ({ spec: { securityContext } }: SpecParts): readonly core.PodSecurityContext[] =>
  securityContext === undefined ? [] : [securityContext];
const spreads = (parts: SpecParts): readonly core.TopologySpreadConstraint[] => parts.spreads;
const projections = (parts: SpecParts): readonly core.VolumeProjection[] => parts.projections;
const mounts = (parts: SpecParts): readonly core.VolumeMount[] => parts.mounts;

const gatedFields: readonly GatedField[] = [
  gated('UserNamespacesSupport', itself, 'hostUsers'),
  gated('SupplementalGroupsPolicy', securityContextOf, 'supplementalGroupsPolicy'),
  gated('PodLevelResources', itself, 'resources'),
  {
    gate: 'ProcMountType',
    inUse: ({ securityContexts }) => securityContexts.some(({ procMount }) => procMount !== undefined && procMount !== 'Default'),
    // Once forced to be there, the field is in many stored objects: it becomes the default instead of going away.
    drop: ({ securityContexts }) =>
      securityContexts.forEach((context) => context.procMount !== undefined && (context.procMount = 'Default')),
  },
  gated('NodeInclusionPolicyInPodTopologySpread', spreads, 'nodeAffinityPolicy'),
  gated('NodeInclusionPolicyInPodTopologySpread', spreads, 'nodeTaintsPolicy'),
  gated('MatchLabelKeysInPodTopologySpread', spreads, 'matchLabelKeys'),
  gated<core.PodAffinityTerm, 'matchLabelKeys' | 'mismatchLabelKeys'>(
    'MatchLabelKeysInPodAffinity',
    (parts) => parts.affinityTerms,
    'matchLabelKeys',
    'mismatchLabelKeys',
  ),
  {
    gate: 'DynamicResourceAllocation',
    inUse: ({ spec }) => isUsed(spec.resourceClaims ?? []),
    drop({ spec, containers }) {
      removeField(spec, 'resourceClaims');
      for (const { resources } of containers) if (resources !== undefined) removeField(resources, 'claims');
    },
  },
  gated('ClusterTrustBundleProjection', projections, 'clusterTrustBundle'),
  gated('PodCertificateRequest', projections, 'podCertificate'),
  gated('GenericWorkload', itself, 'schedulingGroup'),
  gated<core.GRPCAction, 'mode'>('GRPCContainerProbeTLS', ({ probes }) => probes.flatMap(({ grpc }) => grpc ?? []), 'mode'),
  gated('EvictionRequestAPI', itself, 'evictionResponders'),
  gated<AnyContainer, 'resizePolicy'>('InPlacePodVerticalScaling', ({ containers }) => containers, 'resizePolicy'),
  { gate: 'ContainerRestartRules', inUse: ({ spec }) => hasRestartRules(spec), drop: ({ spec }) => dropRestartRules(spec) },
  gated('RecursiveReadOnlyMounts', mounts, 'recursiveReadOnly'),
  gated<core.EmptyDirVolumeSource, 'mode'>(
    'EmptyDirVolumeMode',
    ({ volumes }) => volumes.flatMap(({ emptyDir }) => emptyDir ?? []),
    'mode',
  ),
  gated('VolumeBindMountOptions', mounts, 'bindMountOptions'),
  gated('HostnameOverride', itself, 'hostnameOverride'),
  {
    gate: 'EnvFiles',
    inUse: ({ spec }) => hasFileKeyRef(spec),
    drop({ containers }) {
      for (const { env } of containers) for (const { valueFrom } of env ?? []) delete valueFrom?.fileKeyRef;
    },
  },
  gated('SELinuxChangePolicy', securityContextOf, 'seLinuxChangePolicy'),
  {
    gate: 'ContainerStopSignals',
    inUse: ({ containers }) => containers.some(({ lifecycle }) => lifecycle?.stopSignal !== undefined),
    drop: dropStopSignals,
  },
  gated<core.HTTPGetAction, 'protocol'>('H2CContainerProbe', (parts) => parts.httpGets, 'protocol'),
  { gate: 'AtomicWriteVolumeUserFields', ...userFields() },
];

/** Who owns the files of volumes that are written as a whole. Of a volume with several sources, which is refused, only the first counts: its refusal shows the others'. */
function userFields(): Omit<GatedField, 'gate'> {
  type Item = { user?: core.KeyToPath['user'] };
  const defaults = ({ volumes }: SpecParts): { defaultUser?: core.SecretVolumeSource['defaultUser'] }[] =>
    volumes.flatMap(({ secret, configMap, downwardAPI, projected }) => secret ?? configMap ?? downwardAPI ?? projected ?? []);
  const items = ({ volumes }: SpecParts): Item[] =>
    volumes.flatMap(({ secret, configMap, downwardAPI, projected }): Item[] => {
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
    inUse: (parts) => defaults(parts).some(({ defaultUser }) => isUsed(defaultUser)) || items(parts).some(({ user }) => isUsed(user)),
    drop(parts) {
      for (const each of defaults(parts)) delete each.defaultUser;
      for (const each of items(parts)) delete each.user;
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
function dropStopSignals({ containers }: SpecParts): void {
  for (const container of containers) {
    if (container.lifecycle?.stopSignal === undefined) continue;
    delete container.lifecycle.stopSignal;
    if (Object.keys(container.lifecycle).length === 0) delete container.lifecycle;
  }
}

export function dropDisabledFields(spec: PodSpec, old: PodSpec | undefined, features: FeatureGates): void {
  const parts = new SpecParts(spec);
  const before = old && new SpecParts(old);
  for (const { gate, inUse, drop } of gatedFields) {
    if (!features.enabled(gate) && (before === undefined || !inUse(before))) drop(parts);
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
