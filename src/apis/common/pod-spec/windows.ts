// Upstream: k8s.io/kubernetes/pkg/apis/core/validation/validation.go#validateWindowsSecurityContextOptions, #validateWindowsHostProcessPod, #validateWindows, #validateLinux
import { forbidden, invalid, notSupported, required, typedValue } from '../../../machinery/field.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { checkDns1123Subdomain } from '../../../machinery/names.ts';
import type * as core from '../../../schema/types/core-v1.ts';
import { containersWithPath } from './containers.ts';
import type { PodValidationOptions } from './options.ts';

const maxCredentialSpecKib = 64;
const maxDomainLength = 256;
const maxUserLength = 104;
const netBiosName = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/u;
const dnsLabel = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?';
const dnsName = new RegExp(`^${dnsLabel}(?:\\.${dnsLabel})*$`);
// eslint-disable-next-line no-control-regex
const controlCharacters = /[\x00-\x1f\x7f]/;

export function validateWindowsOptions(options: core.WindowsSecurityContextOptions | undefined, path: FieldPath): FieldError[] {
  if (options === undefined) return [];
  const { gmsaCredentialSpecName: specName, gmsaCredentialSpec: spec, runAsUserName } = options;
  const errors: FieldError[] = [];
  if (specName !== undefined) {
    for (const problem of checkDns1123Subdomain(specName)) {
      errors.push(invalid(path.child('gmsaCredentialSpecName'), typedValue(specName), problem));
    }
  }
  if (spec !== undefined) {
    const at = path.child('gmsaCredentialSpec');
    if (spec === '') errors.push(invalid(at, typedValue(spec), 'gmsaCredentialSpec cannot be an empty string'));
    else if (Buffer.byteLength(spec) > maxCredentialSpecKib * 1024) {
      errors.push(invalid(at, typedValue(spec), `gmsaCredentialSpec size must be under ${maxCredentialSpecKib} KiB`));
    }
  }
  if (runAsUserName !== undefined) {
    for (const problem of userNameProblems(runAsUserName)) {
      errors.push(invalid(path.child('runAsUserName'), typedValue(runAsUserName), problem));
    }
  }
  return errors;
}

/** `user` or `DOMAIN\user` */
function userNameProblems(name: string): readonly string[] {
  if (name === '') return ['runAsUserName cannot be an empty string'];
  if (controlCharacters.test(name)) return ['runAsUserName cannot contain control characters'];
  const parts = name.split('\\');
  if (parts.length > 2) return ['runAsUserName cannot contain more than one backslash'];
  const user = parts.at(-1) as string;
  const domain = parts.length === 2 ? (parts[0] as string) : undefined;
  const problems: string[] = [];
  if (domain !== undefined) {
    if (Buffer.byteLength(domain) >= maxDomainLength) {
      problems.push(`runAsUserName's Domain length must be under ${maxDomainLength} characters`);
    }
    if (!netBiosName.test(domain) && !dnsName.test(domain)) {
      problems.push("runAsUserName's Domain doesn't match the NetBios nor the DNS format");
    }
  }
  if (user === '') problems.push("runAsUserName's User cannot be empty");
  else if (Buffer.byteLength(user) > maxUserLength) {
    problems.push(`runAsUserName's User length must not be longer than ${maxUserLength} characters`);
  }
  if (/^[. ]+$/.test(user)) problems.push("runAsUserName's User cannot contain only periods or spaces");
  if (/["/\\:;|=,+*?<>@[\]]/.test(user)) {
    problems.push('runAsUserName\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]');
  }
  return problems;
}

/** All containers are host processes or none is. */
export function validateHostProcess(spec: core.PodSpec, path: FieldPath, { allowPrivileged }: PodValidationOptions): FieldError[] {
  const ofPod = spec.securityContext?.windowsOptions?.hostProcess;
  const errors: FieldError[] = [];
  let containers = 0;
  let hostProcesses = 0;
  for (const { container, path: at } of containersWithPath(spec, path)) {
    const own = container.securityContext?.windowsOptions?.hostProcess;
    containers++;
    if (ofPod !== undefined && own !== undefined && ofPod !== own) {
      const detail = `pod hostProcess value must be identical if both are specified, was ${ofPod}`;
      errors.push(invalid(at.child('securityContext', 'windowsOptions', 'hostProcess'), own, detail));
    }
    if ((own ?? ofPod) === true) hostProcesses++;
  }
  if (hostProcesses === 0) return errors;
  if (hostProcesses !== containers) {
    errors.push(invalid(path, '', 'If pod contains any hostProcess containers then all containers must be HostProcess containers'));
  }
  if (spec.hostNetwork !== true) {
    errors.push(invalid(path.child('hostNetwork'), false, 'hostNetwork must be true if pod contains any hostProcess containers'));
  }
  if (!allowPrivileged) errors.push(forbidden(path, 'hostProcess containers are disallowed by cluster policy'));
  return errors;
}

const podFieldsOfLinux = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'fsGroup',
  'fsGroupChangePolicy',
  'sysctls',
  'runAsUser',
  'runAsGroup',
  'supplementalGroups',
  'supplementalGroupsPolicy',
  'seLinuxChangePolicy',
] as const satisfies readonly (keyof core.PodSecurityContext)[];

const containerFieldsOfLinux = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
] as const satisfies readonly (keyof core.SecurityContext)[];

export function validateOs(spec: core.PodSpec, path: FieldPath): FieldError[] {
  if (spec.os === undefined) return [];
  const { name } = spec.os;
  const at = path.child('os');
  if (name === '') return [required(at.child('name'), '')];
  if (name === 'linux') return validateLinux(spec, path);
  if (name === 'windows') return validateWindows(spec, path);
  return [notSupported(at, typedValue(name), ['linux', 'windows'])];
}

function validateLinux(spec: core.PodSpec, path: FieldPath): FieldError[] {
  const detail = 'windows options cannot be set for a linux pod';
  const errors: FieldError[] = [];
  if (spec.securityContext?.windowsOptions !== undefined) {
    errors.push(forbidden(path.child('securityContext').child('windowsOptions'), detail));
  }
  for (const { container, path: at } of containersWithPath(spec, path)) {
    if (container.securityContext?.windowsOptions === undefined) continue;
    errors.push(forbidden(at.child('securityContext').child('windowsOptions'), detail));
  }
  return errors;
}

function validateWindows(spec: core.PodSpec, path: FieldPath): FieldError[] {
  const refuse = (at: FieldPath): FieldError => forbidden(at, 'cannot be set for a windows pod');
  const errors: FieldError[] = [];
  const ofPod = spec.securityContext;
  for (const field of podFieldsOfLinux) {
    if (ofPod?.[field] === undefined || (field === 'sysctls' && ofPod.sysctls?.length === 0)) continue;
    errors.push(refuse(path.child('securityContext').child(field)));
  }
  if (spec.hostUsers !== undefined) errors.push(refuse(path.child('hostUsers')));
  if (spec.hostPID === true) errors.push(refuse(path.child('hostPID')));
  if (spec.hostIPC === true) errors.push(refuse(path.child('hostIPC')));
  if (spec.shareProcessNamespace !== undefined) errors.push(refuse(path.child('shareProcessNamespace')));
  for (const { container, path: at } of containersWithPath(spec, path)) {
    for (const field of containerFieldsOfLinux) {
      if (container.securityContext?.[field] !== undefined) errors.push(refuse(at.child('securityContext').child(field)));
    }
  }
  return errors;
}
