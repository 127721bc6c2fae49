// Upstream: k8s.io/pod-security-admission/policy/check_*.go#restricted
import type { Check, CheckPod } from './check.ts';
import { containersOf, hasOwnUsers, isWindows, named, namesOf, plural, quoted, setters, sorted, unless } from './check.ts';
import { procMount } from './baseline.ts';
import { requiredSeccompProfile } from './seccomp.ts';

const allowPrivilegeEscalation: CheckPod = ({ spec }) => {
  const bad = containersOf(spec).filter(({ securityContext }) => securityContext?.allowPrivilegeEscalation !== false);
  if (bad.length === 0) return undefined;
  return {
    reason: 'allowPrivilegeEscalation != false',
    detail: `${named(namesOf(bad))} must set securityContext.allowPrivilegeEscalation=false`,
  };
};

const capabilities: CheckPod = ({ spec }) => {
  const containers = containersOf(spec);
  const extra = (add: readonly string[] | undefined): string[] => (add ?? []).filter((one) => one !== 'NET_BIND_SERVICE');
  const keeping = containers.filter(({ securityContext }) => !securityContext?.capabilities?.drop?.includes('ALL'));
  const adding = containers.filter(({ securityContext }) => extra(securityContext?.capabilities?.add).length > 0);
  const details: string[] = [];
  if (keeping.length > 0) details.push(`${named(namesOf(keeping))} must set securityContext.capabilities.drop=["ALL"]`);
  if (adding.length > 0) {
    const added = sorted(adding.flatMap(({ securityContext }) => extra(securityContext?.capabilities?.add)));
    details.push(`${named(namesOf(adding))} must not include ${quoted(added)} in securityContext.capabilities.add`);
  }
  return details.length === 0 ? undefined : { reason: 'unrestricted capabilities', detail: details.join('; ') };
};

const allowedVolumes = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'image',
  'persistentVolumeClaim',
  'projected',
  'secret',
] as const;

const restrictedVolumeTypes = [
  'hostPath',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'gitRepo',
  'nfs',
  'iscsi',
  'glusterfs',
  'rbd',
  'flexVolume',
  'cinder',
  'cephfs',
  'flocker',
  'fc',
  'azureFile',
  'vsphereVolume',
  'quobyte',
  'azureDisk',
  'photonPersistentDisk',
  'portworxVolume',
  'scaleIO',
  'storageos',
] as const;

const restrictedVolumes: CheckPod = ({ spec }) => {
  const bad = (spec.volumes ?? []).filter((volume) => allowedVolumes.every((type) => volume[type] === undefined));
  if (bad.length === 0) return undefined;
  const types = sorted(bad.map((volume) => restrictedVolumeTypes.find((type) => volume[type] !== undefined) ?? 'unknown'));
  const names = bad.map(({ name }) => name);
  return {
    reason: 'restricted volume types',
    detail: `${named(names, 'volume')} ${plural(bad.length, 'uses', 'use')} ${plural(types.length, 'restricted volume type')} ${quoted(types)}`,
  };
};

const runAsNonRoot: CheckPod = ({ spec }) => {
  const ofPod = spec.securityContext?.runAsNonRoot;
  const containers = containersOf(spec);
  const asRoot = containers.filter(({ securityContext }) => securityContext?.runAsNonRoot === false);
  const reason = 'runAsNonRoot != true';
  if (ofPod === false || asRoot.length > 0) {
    return { reason, detail: `${setters(ofPod === false, namesOf(asRoot))} must not set securityContext.runAsNonRoot=false` };
  }
  const open = containers.filter(({ securityContext }) => securityContext?.runAsNonRoot === undefined);
  if (ofPod === true || open.length === 0) return undefined;
  return { reason, detail: `pod or ${named(namesOf(open))} must set securityContext.runAsNonRoot=true` };
};

const runAsUser: CheckPod = ({ spec }) => {
  const pod = spec.securityContext?.runAsUser !== undefined && Number(spec.securityContext.runAsUser) === 0;
  const bad = containersOf(spec).filter(
    ({ securityContext }) => securityContext?.runAsUser !== undefined && Number(securityContext.runAsUser) === 0,
  );
  if (!pod && bad.length === 0) return undefined;
  return { reason: 'runAsUser=0', detail: `${setters(pod, namesOf(bad))} must not set runAsUser=0` };
};

/** In the order in which violations are reported, after those of the baseline. */
export const restrictedChecks: readonly Check[] = [
  {
    id: 'allowPrivilegeEscalation',
    level: 'restricted',
    versions: [
      { from: 8, check: allowPrivilegeEscalation },
      { from: 25, check: unless(isWindows, allowPrivilegeEscalation) },
    ],
  },
  {
    id: 'capabilities_restricted',
    level: 'restricted',
    overrides: 'capabilities_baseline',
    versions: [
      { from: 22, check: capabilities },
      { from: 25, check: unless(isWindows, capabilities) },
    ],
  },
  { id: 'procMount_restricted', level: 'restricted', overrides: 'procMount', versions: [{ from: 35, check: procMount }] },
  { id: 'restrictedVolumes', level: 'restricted', overrides: 'hostPathVolumes', versions: [{ from: 0, check: restrictedVolumes }] },
  {
    id: 'runAsNonRoot',
    level: 'restricted',
    versions: [
      { from: 0, check: runAsNonRoot },
      { from: 35, check: unless(hasOwnUsers, runAsNonRoot) },
    ],
  },
  {
    id: 'runAsUser',
    level: 'restricted',
    versions: [
      { from: 23, check: runAsUser },
      { from: 35, check: unless(hasOwnUsers, runAsUser) },
    ],
  },
  {
    id: 'seccompProfile_restricted',
    level: 'restricted',
    overrides: 'seccompProfile_baseline',
    versions: [
      { from: 19, check: requiredSeccompProfile },
      { from: 25, check: unless(isWindows, requiredSeccompProfile) },
    ],
  },
];
