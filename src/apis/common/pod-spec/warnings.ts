// Upstream: k8s.io/kubernetes/pkg/api/pod/warnings.go
import { append } from '../../../machinery/append.ts';
import { semanticDeepEqual } from '../../../machinery/deep-equal.ts';
import { FieldPath } from '../../../machinery/field.ts';
import { goQuote } from '../../../machinery/go-format.ts';
import { warningsForIp } from '../../../machinery/ip-validation.ts';
import { Quantity } from '../../../machinery/quantity.ts';
import type * as core from '../../../schema/types/core-v1.ts';
import type { FeatureGates } from '../../../server/registry/features.ts';
import { deprecatedNodeLabel, nodeSelectorTermWarnings } from '../node-label-warnings.ts';
import { appArmorPrefix, seccompContainerPrefix, seccompPodAnnotation, appArmorProfileOf } from './annotations.ts';
import { containersWithPath } from './containers.ts';
import type { AnyContainer } from './containers.ts';
import { portWarnings } from './port-warnings.ts';
import { overlapWarnings } from './volume-warnings.ts';

interface Subject {
  readonly spec: core.PodSpec;
  readonly annotations: Readonly<Record<string, string>>;
  /** where the pod or template is; a pod is at the root */
  readonly at: (...names: readonly [string, ...string[]]) => FieldPath;
  readonly isTemplate: boolean;
  readonly features: FeatureGates;
}

export function podTemplateWarnings(template: core.PodTemplateSpec, path: FieldPath, features: FeatureGates): string[] {
  const { spec, metadata } = template;
  return warningsOf({ spec, annotations: metadata?.annotations ?? {}, at: (...names) => path.child(...names), isTemplate: true, features });
}

export function podWarnings(spec: core.PodSpec, annotations: Readonly<Record<string, string>> = {}, features: FeatureGates): string[] {
  return warningsOf({ spec, annotations, at: (...names) => FieldPath.root(...names), isTemplate: false, features });
}

function warningsOf(subject: Subject): string[] {
  const { spec, at } = subject;
  const containers = [...containersWithPath(spec, at('spec'))];
  return [
    ...schedulingWarnings(subject),
    ...annotationWarnings(subject),
    ...volumeWarnings(subject),
    ...overlapWarnings(spec.volumes),
    ...duplicateWarnings(subject),
    ...['memory', 'ephemeral-storage'].flatMap((name) => fractionWarning(spec.overhead, name, at('spec', 'overhead'))),
    ...podSeccompWarnings(subject),
    ...containers.flatMap(({ container, path }) => containerWarnings(container, path, subject)),
    ...portWarnings(containers),
    ...graceWarnings(subject),
    ...podAffinityWarnings(subject),
    ...(spec.dnsConfig?.nameservers ?? []).flatMap((server, index) =>
      warningsForIp(server, at('spec', 'dnsConfig', 'nameservers').index(index)),
    ),
    ...(spec.hostAliases ?? []).flatMap(({ ip }, index) => warningsForIp(ip, at('spec', 'hostAliases').index(index).child('ip'))),
  ];
}

const noSelector = 'a null labelSelector results in matching no pod';

function schedulingWarnings({ spec, at }: Subject): string[] {
  const warnings: string[] = [];
  for (const key of Object.keys(spec.nodeSelector ?? {})) {
    const message = deprecatedNodeLabel(key);
    if (message !== undefined) warnings.push(`${at('spec', 'nodeSelector').key(key)}: ${message}`);
  }
  const affinity = spec.affinity?.nodeAffinity;
  const affinityPath = at('spec', 'affinity', 'nodeAffinity');
  const requiredPath = affinityPath.child('requiredDuringSchedulingIgnoredDuringExecution', 'nodeSelectorTerms');
  (affinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? []).forEach((term, index) =>
    append(warnings, nodeSelectorTermWarnings(term, requiredPath.index(index), false)),
  );
  const preferredPath = affinityPath.child('preferredDuringSchedulingIgnoredDuringExecution');
  (affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).forEach(({ preference }, index) =>
    append(warnings, nodeSelectorTermWarnings(preference, preferredPath.index(index).child('preference'), true)),
  );
  (spec.topologySpreadConstraints ?? []).forEach(({ topologyKey, labelSelector }, index) => {
    const path = at('spec', 'topologySpreadConstraints').index(index);
    const message = deprecatedNodeLabel(topologyKey);
    if (message !== undefined) warnings.push(`${path.child('topologyKey')}: ${topologyKey} is ${message}`);
    if (labelSelector === undefined) warnings.push(`${path.child('labelSelector')}: ${noSelector}`);
  });
  return warnings;
}

const deprecatedAnnotations: Readonly<Record<string, string>> = {
  'scheduler.alpha.kubernetes.io/critical-pod': 'non-functional in v1.16+; use the "priorityClassName" field instead',
  'security.alpha.kubernetes.io/sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
  'security.alpha.kubernetes.io/unsafe-sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
};

function annotationWarnings({ annotations, at }: Subject): string[] {
  return Object.entries(deprecatedAnnotations)
    .filter(([key]) => annotations[key] !== undefined)
    .map(([key, message]) => `${at('metadata', 'annotations').key(key)}: ${message}`);
}

const deprecatedVolumes: readonly (readonly [source: keyof core.Volume, shown: string, message: string])[] = [
  ['photonPersistentDisk', 'photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['gitRepo', 'gitRepo', ''],
  ['scaleIO', 'scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['flocker', 'flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  ['storageos', 'storageOS', 'deprecated in v1.22, non-functional in v1.25+'],
  ['quobyte', 'quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['ephemeral', 'ephemeral', ''],
  ['cephfs', 'cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['rbd', 'rbd', 'deprecated in v1.28, non-functional in v1.31+'],
];

function volumeWarnings({ spec, at, features }: Subject): string[] {
  return (spec.volumes ?? []).flatMap((volume, index) =>
    deprecatedVolumes.flatMap(([source, shown, message]) => {
      if (volume[source] === undefined) return [];
      const path = at('spec', 'volumes').index(index).child(shown);
      if (source === 'ephemeral') return claimWarnings(volume.ephemeral, path);
      if (source !== 'gitRepo') return [`${path}: ${message}`];
      const gone = features.enabled('GitRepoVolumeDriver') ? '' : ', and disabled by default in v1.33+';
      return [`${path}: deprecated in v1.11${gone}`];
    }),
  );
}

function claimWarnings(ephemeral: core.EphemeralVolumeSource | undefined, path: FieldPath): string[] {
  const resources = ephemeral?.volumeClaimTemplate?.spec.resources;
  const at = path.child('volumeClaimTemplate').child('spec').child('resources');
  return [
    ...fractionWarning(resources?.requests, 'storage', at.child('requests')),
    ...fractionWarning(resources?.limits, 'storage', at.child('limits')),
  ];
}

function fractionWarning(resources: Readonly<Record<string, string>> | undefined, name: string, path: FieldPath): string[] {
  const text = resources?.[name];
  if (text === undefined || Quantity.parse(text).milliValue() % 1000n === 0n) return [];
  return [`${path.key(name)}: fractional byte value ${goQuote(text)} is invalid, must be an integer`];
}

function duplicateWarnings({ spec, at }: Subject): string[] {
  const warnings: string[] = [];
  const addresses = new Set<string>();
  (spec.hostAliases ?? []).forEach(({ ip }, index) => {
    if (addresses.has(ip)) warnings.push(`${at('spec', 'hostAliases').index(index).child('ip')}: duplicate ip ${goQuote(ip)}`);
    addresses.add(ip);
  });
  const names = new Set<string>();
  const secrets = spec.imagePullSecrets ?? [];
  const path = (index: number): FieldPath => at('spec', 'imagePullSecrets').index(index).child('name');
  secrets.forEach(({ name = '' }, index) => {
    if (names.has(name)) warnings.push(`${path(index)}: duplicate name ${goQuote(name)}`);
    names.add(name);
  });
  secrets.forEach(({ name = '' }, index) => {
    if (name === '') warnings.push(`${path(index)}: invalid empty name ""`);
  });
  return warnings;
}

const seccompMessage = 'non-functional in v1.27+; use the "seccompProfile" field instead';

function podSeccompWarnings({ spec, annotations, at }: Subject): string[] {
  if (spec.securityContext?.seccompProfile !== undefined || annotations[seccompPodAnnotation] === undefined) return [];
  return [`${at('metadata', 'annotations').key(seccompPodAnnotation)}: ${seccompMessage}`];
}

function containerWarnings(container: AnyContainer, path: FieldPath, { spec, annotations, at, isTemplate }: Subject): string[] {
  const warnings: string[] = [];
  const seccompKey = seccompContainerPrefix + container.name;
  if (container.securityContext?.seccompProfile === undefined && annotations[seccompKey] !== undefined) {
    warnings.push(`${at('metadata', 'annotations').key(seccompKey)}: ${seccompMessage}`);
  }
  const appArmorKey = appArmorPrefix + container.name;
  const annotation = annotations[appArmorKey];
  // For pods this warning comes where annotations become fields.
  if (isTemplate && annotation !== undefined && container.securityContext?.appArmorProfile === undefined) {
    const ofPod = spec.securityContext?.appArmorProfile;
    if (ofPod === undefined || !semanticDeepEqual(ofPod, appArmorProfileOf(annotation))) {
      const key = at('metadata', 'annotations').key(appArmorKey);
      warnings.push(`${key}: deprecated since v1.30; use the "appArmorProfile" field instead`);
    }
  }
  for (const name of ['memory', 'ephemeral-storage']) {
    append(warnings, fractionWarning(container.resources?.limits, name, path.child('resources', 'limits')));
    append(warnings, fractionWarning(container.resources?.requests, name, path.child('resources', 'requests')));
  }
  return [...warnings, ...envWarnings(container.env ?? [], path.child('env'))];
}

/** Redefinition is fine when the new value makes use of the old one. */
function envWarnings(env: readonly core.EnvVar[], path: FieldPath): string[] {
  const seen = new Set<string>();
  return env.flatMap(({ name, value = '', valueFrom }, index) => {
    const again = seen.has(name);
    seen.add(name);
    const reference = `$(${name})`;
    if (!again || (valueFrom === undefined && value !== reference && value.includes(reference))) return [];
    return [`${path.index(index)}: hides previous definition of ${goQuote(name)}, which may be dropped when using apply`];
  });
}

function graceWarnings({ spec, at }: Subject): string[] {
  const { terminationGracePeriodSeconds: seconds } = spec;
  if (seconds === undefined || seconds >= 0) return [];
  return [`${at('spec', 'terminationGracePeriodSeconds')}: must be >= 0; negative values are invalid and will be treated as 1`];
}

function podAffinityWarnings({ spec, at }: Subject): string[] {
  return (['podAffinity', 'podAntiAffinity'] as const).flatMap((kind) => {
    const affinity = spec.affinity?.[kind];
    const path = at('spec', 'affinity', kind);
    const warn = (selector: unknown, where: FieldPath): string[] => (selector === undefined ? [`${where}: ${noSelector}`] : []);
    return [
      ...(affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []).flatMap(({ labelSelector }, index) =>
        warn(labelSelector, path.child('requiredDuringSchedulingIgnoredDuringExecution').index(index).child('labelSelector')),
      ),
      ...(affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).flatMap(({ podAffinityTerm }, index) =>
        warn(
          podAffinityTerm.labelSelector,
          path.child('preferredDuringSchedulingIgnoredDuringExecution').index(index).child('podAffinityTerm', 'labelSelector'),
        ),
      ),
    ];
  });
}
