// Upstream: k8s.io/pod-security-admission/policy/check_*.go#baseline
import type { LifecycleHandler, Probe, SELinuxOptions } from '../../../schema/types/core-v1.ts';
import type { Check, CheckPod } from './check.ts';
import { containersOf, hasOwnUsers, named, namesOf, plural, quoted, setters, sorted, unless } from './check.ts';
import { validSeccompProfile } from './seccomp.ts';

const defaultCapabilities: ReadonlySet<string> = new Set([
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
]);

const appArmorPrefix = 'container.apparmor.security.beta.kubernetes.io/';
const isAllowedAppArmor = (type: string): boolean => type === 'RuntimeDefault' || type === 'Localhost';
const isAllowedAppArmorAnnotation = (value: string): boolean =>
  value === '' || value === 'runtime/default' || value.startsWith('localhost/');

const appArmorProfile: CheckPod = ({ annotations, spec }) => {
  const podProfile = spec.securityContext?.appArmorProfile;
  const podBad = podProfile !== undefined && !isAllowedAppArmor(podProfile.type);
  const bad = containersOf(spec).filter(({ securityContext }) => {
    const profile = securityContext?.appArmorProfile;
    return profile !== undefined && !isAllowedAppArmor(profile.type);
  });
  const forbidden = Object.entries(annotations)
    .filter(([key, value]) => key.startsWith(appArmorPrefix) && !isAllowedAppArmorAnnotation(value))
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .toSorted();
  const types = sorted([
    ...(podBad ? [podProfile.type] : []),
    ...bad.map(({ securityContext }) => securityContext?.appArmorProfile?.type as string),
  ]);
  const values = [...types, ...forbidden];
  if (values.length === 0) return undefined;
  const who = [setters(podBad, namesOf(bad)), ...(forbidden.length > 0 ? [plural(forbidden.length, 'annotation')] : [])];
  return {
    reason: plural(values.length, 'forbidden AppArmor profile'),
    detail: `${who.filter((text) => text !== '').join(' and ')} must not set AppArmor profile type to ${quoted(values)}`,
  };
};

const capabilities: CheckPod = ({ spec }) => {
  const extra = (add: readonly string[] | undefined): string[] => (add ?? []).filter((one) => !defaultCapabilities.has(one));
  const bad = containersOf(spec).filter(({ securityContext }) => extra(securityContext?.capabilities?.add).length > 0);
  if (bad.length === 0) return undefined;
  const added = sorted(bad.flatMap(({ securityContext }) => extra(securityContext?.capabilities?.add)));
  return {
    reason: 'non-default capabilities',
    detail: `${named(namesOf(bad))} must not include ${quoted(added)} in securityContext.capabilities.add`,
  };
};

const hostNamespaces: CheckPod = ({ spec }) => {
  const shared = (['hostNetwork', 'hostPID', 'hostIPC'] as const).filter((field) => spec[field] === true);
  return shared.length === 0 ? undefined : { reason: 'host namespaces', detail: shared.map((field) => `${field}=true`).join(', ') };
};

const hostPathVolumes: CheckPod = ({ spec }) => {
  const bad = (spec.volumes ?? []).filter(({ hostPath }) => hostPath !== undefined).map(({ name }) => name);
  return bad.length === 0 ? undefined : { reason: 'hostPath volumes', detail: named(bad, 'volume') };
};

const hostPorts: CheckPod = ({ spec }) => {
  const portsOf = ({ ports }: { ports?: { hostPort?: number }[] | undefined }): string[] =>
    (ports ?? []).flatMap(({ hostPort }) => (hostPort ? [String(hostPort)] : []));
  const bad = containersOf(spec).filter((container) => portsOf(container).length > 0);
  if (bad.length === 0) return undefined;
  const ports = sorted(bad.flatMap(portsOf));
  return {
    reason: 'hostPort',
    detail: `${named(namesOf(bad))} ${plural(bad.length, 'uses', 'use')} ${plural(ports.length, 'hostPort')} ${ports.join(', ')}`,
  };
};

const hostProbes: CheckPod = ({ spec }) => {
  const hostsOf = (handler: Probe | LifecycleHandler | undefined): string[] =>
    [handler?.httpGet?.host, handler?.tcpSocket?.host].flatMap((host) => (host ? [host] : []));
  const found = containersOf(spec).flatMap(({ name, livenessProbe, readinessProbe, startupProbe, lifecycle }) => {
    const hosts = [livenessProbe, readinessProbe, startupProbe, lifecycle?.postStart, lifecycle?.preStop].flatMap(hostsOf);
    return hosts.length === 0 ? [] : [{ name, hosts }];
  });
  if (found.length === 0) return undefined;
  const names = sorted(found.map(({ name }) => name));
  const hosts = sorted(found.flatMap((one) => one.hosts));
  return {
    reason: 'probe or lifecycle host',
    detail: `${named(names)} ${plural(names.length, 'uses', 'use')} ${plural(hosts.length, 'probe or lifecycle host')} ${quoted(hosts)}`,
  };
};

const privileged: CheckPod = ({ spec }) => {
  const bad = containersOf(spec).filter(({ securityContext }) => securityContext?.privileged === true);
  return bad.length === 0
    ? undefined
    : { reason: 'privileged', detail: `${named(namesOf(bad))} must not set securityContext.privileged=true` };
};

export const procMount: CheckPod = ({ spec }) => {
  const bad = containersOf(spec).filter(({ securityContext }) => (securityContext?.procMount ?? 'Default') !== 'Default');
  if (bad.length === 0) return undefined;
  const types = sorted(bad.map(({ securityContext }) => securityContext?.procMount as string));
  return { reason: 'procMount', detail: `${named(namesOf(bad))} must not set securityContext.procMount to ${quoted(types)}` };
};

function seLinuxOptions(allowedTypes: readonly string[]): CheckPod {
  const isBad = (options: SELinuxOptions | undefined): options is SELinuxOptions =>
    options !== undefined && (!allowedTypes.includes(options.type ?? '') || Boolean(options.user) || Boolean(options.role));
  return ({ spec }) => {
    const ofPod = spec.securityContext?.seLinuxOptions;
    const bad = containersOf(spec).filter(({ securityContext }) => isBad(securityContext?.seLinuxOptions));
    if (!isBad(ofPod) && bad.length === 0) return undefined;
    const all = [...(isBad(ofPod) ? [ofPod] : []), ...bad.map(({ securityContext }) => securityContext?.seLinuxOptions as SELinuxOptions)];
    const types = sorted(all.flatMap(({ type = '' }) => (allowedTypes.includes(type) ? [] : [type])));
    const data = [
      ...(types.length > 0 ? [`${plural(types.length, 'type')} ${quoted(types)}`] : []),
      ...(all.some(({ user }) => user) ? ['user may not be set'] : []),
      ...(all.some(({ role }) => role) ? ['role may not be set'] : []),
    ];
    return {
      reason: 'seLinuxOptions',
      detail: `${setters(isBad(ofPod), namesOf(bad))} set forbidden securityContext.seLinuxOptions: ${data.join('; ')}`,
    };
  };
}

const seccompAnnotation = 'seccomp.security.alpha.kubernetes.io/pod';
const seccompContainerPrefix = 'container.seccomp.security.alpha.kubernetes.io/';
const isAllowedSeccompAnnotation = (value: string): boolean =>
  value === 'runtime/default' || value === 'docker/default' || value.startsWith('localhost/');

/** Before 1.19 profiles were annotations. */
const seccompAnnotations: CheckPod = ({ annotations, spec }) => {
  const keys = [seccompAnnotation, ...namesOf(containersOf(spec)).map((name) => seccompContainerPrefix + name)];
  const forbidden = sorted(
    keys.flatMap((key) => {
      const value = annotations[key];
      return value === undefined || isAllowedSeccompAnnotation(value) ? [] : [`${key}=${JSON.stringify(value)}`];
    }),
  );
  if (forbidden.length === 0) return undefined;
  return { reason: 'seccompProfile', detail: `forbidden ${plural(forbidden.length, 'annotation')} ${forbidden.join(', ')}` };
};

const sysctlSteps: readonly (readonly [from: number, names: readonly string[]])[] = [
  [
    0,
    [
      'kernel.shm_rmid_forced',
      'net.ipv4.ip_local_port_range',
      'net.ipv4.tcp_syncookies',
      'net.ipv4.ping_group_range',
      'net.ipv4.ip_unprivileged_port_start',
    ],
  ],
  [27, ['net.ipv4.ip_local_reserved_ports']],
  [29, ['net.ipv4.tcp_keepalive_time', 'net.ipv4.tcp_fin_timeout', 'net.ipv4.tcp_keepalive_intvl', 'net.ipv4.tcp_keepalive_probes']],
  [32, ['net.ipv4.tcp_rmem', 'net.ipv4.tcp_wmem']],
  [37, ['net.ipv4.tcp_slow_start_after_idle', 'net.ipv4.tcp_notsent_lowat']],
];

/** What an older version allows, newer ones allow too. */
function sysctls(minor: number): CheckPod {
  const allowed = new Set(sysctlSteps.flatMap(([from, names]) => (from <= minor ? names : [])));
  return ({ spec }) => {
    const bad = (spec.securityContext?.sysctls ?? []).filter(({ name }) => !allowed.has(name));
    return bad.length === 0 ? undefined : { reason: 'forbidden sysctls', detail: bad.map(({ name }) => name).join(', ') };
  };
}

const windowsHostProcess: CheckPod = ({ spec }) => {
  const pod = spec.securityContext?.windowsOptions?.hostProcess === true;
  const bad = containersOf(spec).filter(({ securityContext }) => securityContext?.windowsOptions?.hostProcess === true);
  if (!pod && bad.length === 0) return undefined;
  return {
    reason: 'hostProcess',
    detail: `${setters(pod, namesOf(bad))} must not set securityContext.windowsOptions.hostProcess=true`,
  };
};

const seLinuxTypes = ['', 'container_t', 'container_init_t', 'container_kvm_t'];

/** In the order in which violations are reported. */
export const baselineChecks: readonly Check[] = [
  { id: 'appArmorProfile', level: 'baseline', versions: [{ from: 0, check: appArmorProfile }] },
  { id: 'capabilities_baseline', level: 'baseline', versions: [{ from: 0, check: capabilities }] },
  { id: 'hostNamespaces', level: 'baseline', versions: [{ from: 0, check: hostNamespaces }] },
  { id: 'hostPathVolumes', level: 'baseline', versions: [{ from: 0, check: hostPathVolumes }] },
  { id: 'hostPorts', level: 'baseline', versions: [{ from: 0, check: hostPorts }] },
  { id: 'hostProbesAndHostLifecycle', level: 'baseline', versions: [{ from: 34, check: hostProbes }] },
  { id: 'privileged', level: 'baseline', versions: [{ from: 0, check: privileged }] },
  {
    id: 'procMount',
    level: 'baseline',
    versions: [
      { from: 0, check: procMount },
      { from: 35, check: unless(hasOwnUsers, procMount) },
    ],
  },
  {
    id: 'seLinuxOptions',
    level: 'baseline',
    versions: [
      { from: 0, check: seLinuxOptions(seLinuxTypes) },
      { from: 31, check: seLinuxOptions([...seLinuxTypes, 'container_engine_t']) },
    ],
  },
  {
    id: 'seccompProfile_baseline',
    level: 'baseline',
    versions: [
      { from: 0, check: seccompAnnotations },
      { from: 19, check: validSeccompProfile },
    ],
  },
  { id: 'sysctls', level: 'baseline', versions: sysctlSteps.map(([from]) => ({ from, check: sysctls(from) })) },
  { id: 'windowsHostProcess', level: 'baseline', versions: [{ from: 0, check: windowsHostProcess }] },
];
