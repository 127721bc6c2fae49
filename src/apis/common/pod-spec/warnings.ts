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
  readonly at: (first: string, second?: string, third?: string) => FieldPath;
  readonly isTemplate: boolean;
  readonly features: FeatureGates;
}

export function podTemplateWarnings(template: core.PodTemplateSpec, path: FieldPath, features: FeatureGates): string[] {
  const { spec, metadata } = template;
  return warningsOf({
    spec,
    annotations: metadata?.annotations ?? {},
    at: (first, second, third) => path.child(first, second, third),
    isTemplate: true,
    features,
  });
}

export function podWarnings(spec: core.PodSpec, annotations: Readonly<Record<string, string>> = {}, features: FeatureGates): string[] {
  return warningsOf({
    spec,
    annotations,
    at: (first, second, third) => (second === undefined ? FieldPath.root(first) : FieldPath.root(first).child(second, third)),
    isTemplate: false,
    features,
  });
}

function warningsOf(subject: Subject): string[] {
  const { spec, at } = subject;
  const containers = containersWithPath(spec, at('spec'));
  const warnings = schedulingWarnings(subject);
  append(warnings, annotationWarnings(subject), volumeWarnings(subject), overlapWarnings(spec.volumes));
  append(warnings, duplicateWarnings(subject));
  if (spec.overhead !== undefined) append(warnings, byteWarnings(spec.overhead, at('spec', 'overhead')));
  append(warnings, podSeccompWarnings(subject));
  for (const { container, path } of containers) append(warnings, containerWarnings(container, path, subject));
  append(warnings, portWarnings(containers), graceWarnings(subject));
  if (spec.affinity !== undefined) append(warnings, podAffinityWarnings(subject));
  spec.dnsConfig?.nameservers?.forEach((server, index) =>
    append(warnings, warningsForIp(server, at('spec', 'dnsConfig', 'nameservers').index(index))),
  );
  spec.hostAliases?.forEach(({ ip }, index) => append(warnings, warningsForIp(ip, at('spec', 'hostAliases').index(index).child('ip'))));
  return warnings;
}

const noSelector = 'a null labelSelector results in matching no pod';

function schedulingWarnings({ spec, at }: Subject): string[] {
  const warnings: string[] = [];
  for (const key in spec.nodeSelector) {
    const message = deprecatedNodeLabel(key);
    if (message !== undefined) warnings.push(`${at('spec', 'nodeSelector').key(key)}: ${message}`);
  }
  const affinity = spec.affinity?.nodeAffinity;
  if (affinity !== undefined) append(warnings, nodeAffinityWarnings(affinity, at('spec', 'affinity', 'nodeAffinity')));
  spec.topologySpreadConstraints?.forEach(({ topologyKey, labelSelector }, index) => {
    const path = at('spec', 'topologySpreadConstraints').index(index);
    const message = deprecatedNodeLabel(topologyKey);
    if (message !== undefined) warnings.push(`${path.child('topologyKey')}: ${topologyKey} is ${message}`);
    if (labelSelector === undefined) warnings.push(`${path.child('labelSelector')}: ${noSelector}`);
  });
  return warnings;
}

function nodeAffinityWarnings(affinity: core.NodeAffinity, path: FieldPath): string[] {
  const warnings: string[] = [];
  const requiredPath = path.child('requiredDuringSchedulingIgnoredDuringExecution', 'nodeSelectorTerms');
  affinity.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms?.forEach((term, index) =>
    append(warnings, nodeSelectorTermWarnings(term, requiredPath.index(index), false)),
  );
  const preferredPath = path.child('preferredDuringSchedulingIgnoredDuringExecution');
  affinity.preferredDuringSchedulingIgnoredDuringExecution?.forEach(({ preference }, index) =>
    append(warnings, nodeSelectorTermWarnings(preference, preferredPath.index(index).child('preference'), true)),
  );
  return warnings;
}

const deprecatedAnnotations: Readonly<Record<string, string>> = {
  'scheduler.alpha.kubernetes.io/critical-pod': 'non-functional in v1.16+; use the "priorityClassName" field instead',
  'security.alpha.kubernetes.io/sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
  'security.alpha.kubernetes.io/unsafe-sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
};

function annotationWarnings({ annotations, at }: Subject): string[] {
  const warnings: string[] = [];
  for (const key in deprecatedAnnotations) {
    if (annotations[key] === undefined) continue;
    warnings.push(`${at('metadata', 'annotations').key(key)}: ${deprecatedAnnotations[key]}`);
  }
  return warnings;
}

/** A volume that is valid has one source. `shown`: if not by the name of the field. */
const deprecatedVolumes: Readonly<Record<string, { readonly message: string; readonly shown?: string }>> = {
  photonPersistentDisk: { message: 'deprecated in v1.11, non-functional in v1.16+' },
  scaleIO: { message: 'deprecated in v1.16, non-functional in v1.22+' },
  flocker: { message: 'deprecated in v1.22, non-functional in v1.25+' },
  storageos: { message: 'deprecated in v1.22, non-functional in v1.25+', shown: 'storageOS' },
  quobyte: { message: 'deprecated in v1.22, non-functional in v1.25+' },
  glusterfs: { message: 'deprecated in v1.25, non-functional in v1.26+' },
  cephfs: { message: 'deprecated in v1.28, non-functional in v1.31+' },
  rbd: { message: 'deprecated in v1.28, non-functional in v1.31+' },
};

function volumeWarnings({ spec, at, features }: Subject): string[] {
  const warnings: string[] = [];
  spec.volumes?.forEach((volume, index) => {
    const path = (source: string): FieldPath => at('spec', 'volumes').index(index).child(source);
    for (const source in volume) {
      const deprecated = deprecatedVolumes[source];
      if (deprecated !== undefined) warnings.push(`${path(deprecated.shown ?? source)}: ${deprecated.message}`);
      else if (source === 'ephemeral') append(warnings, claimWarnings(volume.ephemeral, path(source)));
      else if (source === 'gitRepo') {
        const gone = features.enabled('GitRepoVolumeDriver') ? '' : ', and disabled by default in v1.33+';
        warnings.push(`${path(source)}: deprecated in v1.11${gone}`);
      }
    }
  });
  return warnings;
}

function claimWarnings(ephemeral: core.EphemeralVolumeSource | undefined, path: FieldPath): string[] {
  const resources = ephemeral?.volumeClaimTemplate?.spec.resources;
  const at = path.child('volumeClaimTemplate').child('spec').child('resources');
  return [
    ...fractionWarning(resources?.requests, 'storage', at.child('requests')),
    ...fractionWarning(resources?.limits, 'storage', at.child('limits')),
  ];
}

function byteWarnings(resources: Readonly<Record<string, string>>, path: FieldPath): string[] {
  const warnings = fractionWarning(resources, 'memory', path);
  append(warnings, fractionWarning(resources, 'ephemeral-storage', path));
  return warnings;
}

function fractionWarning(resources: Readonly<Record<string, string>> | undefined, name: string, path: FieldPath): string[] {
  const text = resources?.[name];
  if (text === undefined || Quantity.parse(text).milliValue() % 1000n === 0n) return [];
  return [`${path.key(name)}: fractional byte value ${goQuote(text)} is invalid, must be an integer`];
}

function duplicateWarnings({ spec, at }: Subject): string[] {
  const warnings: string[] = [];
  const { hostAliases, imagePullSecrets } = spec;
  if (hostAliases === undefined && imagePullSecrets === undefined) return warnings;
  const addresses = new Set<string>();
  hostAliases?.forEach(({ ip }, index) => {
    if (addresses.has(ip)) warnings.push(`${at('spec', 'hostAliases').index(index).child('ip')}: duplicate ip ${goQuote(ip)}`);
    addresses.add(ip);
  });
  const names = new Set<string>();
  const path = (index: number): FieldPath => at('spec', 'imagePullSecrets').index(index).child('name');
  imagePullSecrets?.forEach(({ name = '' }, index) => {
    if (names.has(name)) warnings.push(`${path(index)}: duplicate name ${goQuote(name)}`);
    names.add(name);
  });
  imagePullSecrets?.forEach(({ name = '' }, index) => {
    if (name === '') warnings.push(`${path(index)}: invalid empty name ""`);
  });
  return warnings;
}

const seccompMessage = 'non-functional in v1.27+; use the "seccompProfile" field instead';

function podSeccompWarnings({ spec, annotations, at }: Subject): string[] {
  if (spec.securityContext?.seccompProfile !== undefined || annotations[seccompPodAnnotation] === undefined) return [];
  return [`${at('metadata', 'annotations').key(seccompPodAnnotation)}: ${seccompMessage}`];
}

const byteResources = ['memory', 'ephemeral-storage'];

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
  const { limits, requests } = container.resources ?? {};
  for (const name of byteResources) {
    if (limits?.[name] !== undefined) append(warnings, fractionWarning(limits, name, path.child('resources', 'limits')));
    if (requests?.[name] !== undefined) append(warnings, fractionWarning(requests, name, path.child('resources', 'requests')));
  }
  if (container.env !== undefined) append(warnings, envWarnings(container.env, path.child('env')));
  return warnings;
}

/** Redefinition is fine when the new value makes use of the old one. */
function envWarnings(env: readonly core.EnvVar[], path: FieldPath): string[] {
  const seen = new Set<string>();
  const warnings: string[] = [];
  env.forEach(({ name, value = '', valueFrom }, index) => {
    if (!seen.has(name)) return void seen.add(name);
    const reference = `$(${name})`;
    if (valueFrom === undefined && value !== reference && value.includes(reference)) return;
    warnings.push(`${path.index(index)}: hides previous definition of ${goQuote(name)}, which may be dropped when using apply`);
  });
  return warnings;
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
