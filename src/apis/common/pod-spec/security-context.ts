// Upstream: k8s.io/kubernetes/pkg/apis/core/validation/validation.go#ValidateSecurityContext, #validatePodSpecSecurityContext
import { append } from '../../../machinery/append.ts';
import { duplicate, forbidden, invalid, required, tooLong, typedValue } from '../../../machinery/field.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { checkUnixId } from '../../../machinery/names.ts';
import type * as core from '../../../schema/types/core-v1.ts';
import { internalForm, pointers, strings } from '../internal-form.ts';
import type { PodValidationOptions } from './options.ts';
import { problemsOf, validateDescendingPath, validateOneOf } from './rules.ts';
import { validateWindowsOptions } from './windows.ts';

const profileTypes = ['Localhost', 'RuntimeDefault', 'Unconfined'];
const profileShape = [...strings('type'), ...pointers('localhostProfile')];
const securityContextShape = [
  { go: 'Capabilities', json: 'capabilities', shape: pointers('add', 'drop') },
  ...pointers('privileged'),
  { go: 'SELinuxOptions', json: 'seLinuxOptions', shape: strings('user', 'role', 'type', 'level') },
  {
    go: 'WindowsOptions',
    json: 'windowsOptions',
    shape: [
      { go: 'GMSACredentialSpecName', json: 'gmsaCredentialSpecName' },
      { go: 'GMSACredentialSpec', json: 'gmsaCredentialSpec' },
      ...pointers('runAsUserName', 'hostProcess'),
    ],
  },
  ...pointers('runAsUser', 'runAsGroup', 'runAsNonRoot', 'readOnlyRootFilesystem', 'allowPrivilegeEscalation', 'procMount'),
  { go: 'SeccompProfile', json: 'seccompProfile', shape: profileShape },
  { go: 'AppArmorProfile', json: 'appArmorProfile', shape: profileShape },
];

function validateId(id: number | bigint | undefined, path: FieldPath): FieldError[] {
  return id === undefined ? [] : problemsOf(checkUnixId(id), id, path);
}

/** Of a container. */
export function validateSecurityContext(
  context: core.SecurityContext | undefined,
  path: FieldPath,
  hostUsers: boolean,
  options: PodValidationOptions,
): FieldError[] {
  if (context === undefined) return [];
  const { procMount, privileged, allowPrivilegeEscalation, capabilities } = context;
  const errors = [
    ...(privileged === true && !options.allowPrivileged ? [forbidden(path.child('privileged'), 'disallowed by cluster policy')] : []),
    ...validateId(context.runAsUser, path.child('runAsUser')),
    ...validateId(context.runAsGroup, path.child('runAsGroup')),
    ...validateOneOf(procMount, ['Default', 'Unmasked'], path.child('procMount')),
  ];
  if (hostUsers && procMount === 'Unmasked') {
    errors.push(invalid(path.child('procMount'), typedValue(procMount), '`hostUsers` must be false to use `Unmasked`'));
  }
  append(errors, validateSeccompProfile(context.seccompProfile, path.child('seccompProfile')));
  if (allowPrivilegeEscalation === false) {
    const shown = (): unknown => internalForm(context, securityContextShape);
    if (privileged === true) {
      errors.push(invalid(path, shown(), 'cannot set `allowPrivilegeEscalation` to false and `privileged` to true'));
    }
    if (!options.allowSysAdminWhenPrivilegeEscalationFalse) {
      for (const capability of capabilities?.add ?? []) {
        if (capability !== 'CAP_SYS_ADMIN') continue;
        errors.push(invalid(path, shown(), 'cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN'));
      }
    }
  }
  append(
    errors,
    validateWindowsOptions(context.windowsOptions, path.child('windowsOptions')),
    validateAppArmorProfile(context.appArmorProfile, path.child('appArmorProfile')),
  );
  return errors;
}

function validateSeccompProfile(profile: core.SeccompProfile | undefined, path: FieldPath): FieldError[] {
  if (profile === undefined) return [];
  const { type, localhostProfile } = profile;
  const at = path.child('localhostProfile');
  const errors =
    type === ''
      ? [required(path.child('type'), 'type is required when seccompProfile is set')]
      : validateOneOf(type, profileTypes, path.child('type'));
  if (type === 'Localhost') {
    if (localhostProfile === undefined) errors.push(required(at, 'must be set when seccomp type is Localhost'));
    else append(errors, validateDescendingPath(localhostProfile, at));
  } else if (localhostProfile !== undefined) {
    errors.push(invalid(at, internalForm(profile, profileShape), 'can only be set when seccomp type is Localhost'));
  }
  return errors;
}

/** as long as a path may be */
const maxLocalhostProfileLength = 4095;

function validateAppArmorProfile(profile: core.AppArmorProfile | undefined, path: FieldPath): FieldError[] {
  if (profile === undefined) return [];
  const { type, localhostProfile } = profile;
  const at = path.child('localhostProfile');
  switch (type) {
    case 'Localhost': {
      if (localhostProfile === undefined) return [required(at, 'must be set when AppArmor type is Localhost')];
      const errors: FieldError[] = [];
      if (localhostProfile.trim() !== localhostProfile) {
        errors.push(invalid(at, localhostProfile, 'must not be padded with whitespace'));
      } else if (localhostProfile === '') errors.push(required(at, 'must be set when AppArmor type is Localhost'));
      if (Buffer.byteLength(localhostProfile) > maxLocalhostProfileLength) errors.push(tooLong(at, maxLocalhostProfileLength));
      return errors;
    }
    case 'RuntimeDefault':
    case 'Unconfined':
      if (localhostProfile === undefined) return [];
      return [invalid(at, typedValue(localhostProfile), 'can only be set when AppArmor type is Localhost')];
    case '':
      return [required(path.child('type'), 'type is required when appArmorProfile is set')];
    default:
      return validateOneOf(type, profileTypes, path.child('type'));
  }
}

/** Of the pod. */
export function validatePodSecurityContext(spec: core.PodSpec, path: FieldPath, options: PodValidationOptions): FieldError[] {
  const context = spec.securityContext;
  if (context === undefined) return [];
  const selinuxPolicies = options.allowOnlyRecursiveSELinuxChangePolicy ? ['Recursive'] : ['MountOption', 'Recursive'];
  return [
    ...validateId(context.fsGroup, path.child('fsGroup')),
    ...validateId(context.runAsUser, path.child('runAsUser')),
    ...validateId(context.runAsGroup, path.child('runAsGroup')),
    ...(context.supplementalGroups ?? []).flatMap((group, index) => validateId(group, path.child('supplementalGroups').index(index))),
    ...validateSysctls(context.sysctls ?? [], spec, path.child('sysctls'), options),
    ...validateOneOf(context.fsGroupChangePolicy, ['Always', 'OnRootMismatch'], path.child('fsGroupChangePolicy')),
    ...validateSeccompProfile(context.seccompProfile, path.child('seccompProfile')),
    ...validateWindowsOptions(context.windowsOptions, path.child('windowsOptions')),
    ...validateAppArmorProfile(context.appArmorProfile, path.child('appArmorProfile')),
    ...validateOneOf(context.supplementalGroupsPolicy, ['Merge', 'Strict'], path.child('supplementalGroupsPolicy')),
    ...validateOneOf(context.seLinuxChangePolicy, selinuxPolicies, path.child('seLinuxChangePolicy')),
  ];
}

const sysctlSegment = '[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const sysctlText = `^(${sysctlSegment}[\\./])*${sysctlSegment}$`;
const sysctlPattern = new RegExp(sysctlText);
const maxSysctlLength = 253;

function validateSysctls(
  sysctls: readonly core.Sysctl[],
  spec: core.PodSpec,
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  sysctls.forEach(({ name }, index) => {
    const at = path.index(index).child('name');
    if (name === '') errors.push(required(at, ''));
    else if (name.length > maxSysctlLength || !sysctlPattern.test(name)) {
      errors.push(invalid(at, name, `must have at most ${maxSysctlLength} characters and match regex ${sysctlText}`));
    } else if (seen.has(name)) errors.push(duplicate(at, name));
    if (!options.allowNamespacedSysctlsForHostNetAndHostIPC) append(errors, validateHostSysctl(name, spec, at));
    seen.add(name);
  });
  return errors;
}

const ipcSysctls: ReadonlySet<string> = new Set(
  ['sem', 'shmall', 'shmmax', 'shmmni', 'shm_rmid_forced', 'shm', 'msgmax', 'msgmnb', 'msgmni', 'msg'].map((name) => `kernel.${name}`),
);

/** A parameter of a namespace that the pod shares with its host cannot be set. */
export function validateHostSysctl(sysctl: string, spec: core.PodSpec, path: FieldPath): FieldError[] {
  const name = normalizeSysctl(sysctl).split('*', 1)[0] as string;
  if (spec.hostNetwork === true && name.startsWith('net.'))
    return [invalid(path, sysctl, "may not be specified when 'hostNetwork' is true")];
  if (spec.hostIPC === true && (ipcSysctls.has(name) || name.startsWith('fs.mqueue.'))) {
    return [invalid(path, sysctl, "may not be specified when 'hostIPC' is true")];
  }
  return [];
}

/** `net/ipv4/x.y` with slashes as separators means `net.ipv4.x/y`. */
function normalizeSysctl(name: string): string {
  if (/^[^/]*\./.test(name) || !name.includes('/')) return name;
  return name.replace(/[./]/g, (separator) => (separator === '.' ? '/' : '.'));
}
