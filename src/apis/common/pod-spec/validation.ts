// Upstream: k8s.io/kubernetes/pkg/apis/core/validation/validation.go#ValidatePodSpec
import { append } from '../../../machinery/append.ts';
import { duplicate, forbidden, invalid, notFound, required, tooLong } from '../../../machinery/field.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { goQuote } from '../../../machinery/go-format.ts';
import { nameIsDnsSubdomain, rangeMessage } from '../../../machinery/names.ts';
import type { ObjectMeta } from '../../../machinery/object-meta.ts';
import { validateLabels } from '../../../machinery/object-meta-validation.ts';
import type * as core from '../../../schema/types/core-v1.ts';
import { validateAffinity } from './affinity.ts';
import { validateContainers, validateEphemeralContainers, validateInitContainers } from './container-rules.ts';
import { allContainers, containersWithPath } from './containers.ts';
import { validateDnsConfig, validateHostAliases } from './dns.ts';
import type { PodValidationOptions } from './options.ts';
import { ClaimNames, validateOverhead, validatePodLevelResources, validateResourceClaims } from './resources.ts';
import { problemsOf, validateDnsLabel, validateDnsSubdomain, validateOneOf, validateQualifiedName } from './rules.ts';
import { validatePodSecurityContext } from './security-context.ts';
import { validateTolerations } from './tolerations.ts';
import { validateTopologySpread } from './topology.ts';
import { validateVolumes } from './volumes.ts';
import { validateHostProcess, validateOs } from './windows.ts';

const maxInt32 = 2 ** 31 - 1;
const maxHostnameLength = 64;
const dnsPolicies = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];
const restartPolicies = ['Always', 'OnFailure', 'Never'];
const preemptionPolicies = ['PreemptLowerPriority', 'Never'];

/** Metadata is that of a pod; a template has none yet. */
export function validatePodSpec(
  spec: core.PodSpec,
  metadata: ObjectMeta | undefined,
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  const { errors: volumeErrors, volumes } = validateVolumes(spec.volumes, metadata?.name, path.child('volumes'), options);
  const claimNames = new ClaimNames(spec.resourceClaims);
  const around = { spec, volumes, claimNames, options };
  const errors: FieldError[] = [];
  if (spec.terminationGracePeriodSeconds === undefined) errors.push(required(path.child('terminationGracePeriodSeconds'), ''));
  append(errors, volumeErrors);
  if (spec.resourceClaims !== undefined)
    append(errors, validateResourceClaims(spec.resourceClaims, metadata, path.child('resourceClaims')));
  append(errors, validateContainers(path.child('containers'), around));
  if (spec.initContainers !== undefined) append(errors, validateInitContainers(path.child('initContainers'), around));
  if (spec.ephemeralContainers !== undefined) append(errors, validateEphemeralContainers(path.child('ephemeralContainers'), around));
  if (options.podLevelResourcesEnabled) append(errors, validatePodLevelResources(spec, claimNames, path.child('resources'), options));
  append(errors, validateHostNetworkPorts(spec, path.child('containers'), options));
  append(errors, validateChoice(spec.restartPolicy, restartPolicies, path.child('restartPolicy')));
  append(errors, validateChoice(spec.dnsPolicy, dnsPolicies, path.child('dnsPolicy')));
  append(errors, validateLabels(spec.nodeSelector, path.child('nodeSelector')));
  append(errors, validatePodSecurityContext(spec, path.child('securityContext'), options));
  append(errors, validateSharedProcesses(spec, path.child('shareProcessNamespace')));
  append(errors, validatePlacing(spec, path, options));
  append(errors, validateHostProcess(spec, path, options), validateHostUsers(spec, path, options));
  append(errors, validateHostnameOverride(spec, path.child('hostnameOverride')), validateNames(spec, path));
  if (spec.tolerations !== undefined) append(errors, validateTolerations(spec.tolerations, path.child('tolerations'), options));
  if (spec.hostAliases !== undefined)
    append(errors, validateHostAliases(spec.hostAliases, path.child('hostAliases'), options.strictIpCidrValidation));
  append(errors, validateClassNames(spec, path));
  if (spec.preemptionPolicy !== undefined)
    append(errors, validateChoice(spec.preemptionPolicy, preemptionPolicies, path.child('preemptionPolicy')));
  if (spec.overhead !== undefined) append(errors, validateOverhead(spec.overhead, path.child('overhead'), options));
  append(errors, validateOs(spec, path), validateSchedulingGroup(spec, path.child('schedulingGroup')));
  append(errors, validateFileKeys(spec, path));
  return errors;
}

/** Where and when it may run, and how it finds others. */
function validatePlacing(spec: core.PodSpec, path: FieldPath, options: PodValidationOptions): FieldError[] {
  const errors: FieldError[] = [];
  if (spec.affinity !== undefined) append(errors, validateAffinity(spec.affinity, path.child('affinity'), options));
  append(errors, validateDnsConfig(spec, path.child('dnsConfig'), options.strictIpCidrValidation));
  spec.readinessGates?.forEach(({ conditionType }, index) =>
    append(errors, validateQualifiedName(conditionType, path.child('readinessGates').index(index).child('conditionType'))),
  );
  if (spec.schedulingGates?.length) append(errors, validateSchedulingGates(spec.schedulingGates, path.child('schedulingGates')));
  if (spec.topologySpreadConstraints !== undefined)
    append(errors, validateTopologySpread(spec.topologySpreadConstraints, path.child('topologySpreadConstraints'), options));
  return errors;
}

function validateChoice(value: string | undefined, supported: readonly string[], path: FieldPath): FieldError[] {
  return value ? validateOneOf(value, supported, path) : [required(path, '')];
}

/** On the host's network a port is the same inside and outside; a template may leave it to defaulting. */
function validateHostNetworkPorts(spec: core.PodSpec, path: FieldPath, options: PodValidationOptions): FieldError[] {
  if (spec.hostNetwork !== true) return [];
  return (spec.containers ?? []).flatMap(({ ports = [] }, container) =>
    ports.flatMap(({ hostPort = 0, containerPort }, port) => {
      if (hostPort === containerPort || (hostPort === 0 && !options.resourceIsPod)) return [];
      const at = path.index(container).child('ports').index(port).child('hostPort');
      return [invalid(at, hostPort, 'must match `containerPort` when `hostNetwork` is true')];
    }),
  );
}

function validateSharedProcesses({ shareProcessNamespace, hostPID }: core.PodSpec, path: FieldPath): FieldError[] {
  if (shareProcessNamespace !== true || hostPID !== true) return [];
  return [invalid(path, true, 'ShareProcessNamespace and HostPID cannot both be enabled')];
}

function validateSchedulingGates(gates: readonly core.PodSchedulingGate[], path: FieldPath): FieldError[] {
  const seen = new Set<string>();
  return gates.flatMap(({ name }, index) => {
    const errors = validateQualifiedName(name, path.index(index));
    if (seen.has(name)) errors.push(duplicate(path.index(index), name));
    seen.add(name);
    return errors;
  });
}

function validateHostUsers(spec: core.PodSpec, path: FieldPath, options: PodValidationOptions): FieldError[] {
  if (spec.hostUsers !== false) return [];
  const detail = 'when `hostUsers` is false';
  const errors: FieldError[] = [];
  if (spec.hostNetwork === true && !options.allowUserNamespacesHostNetworkSupport)
    errors.push(forbidden(path.child('hostNetwork'), detail));
  // Upstream capitalizes these two.
  if (spec.hostPID === true) errors.push(forbidden(path.child('HostPID'), detail));
  if (spec.hostIPC === true) errors.push(forbidden(path.child('HostIPC'), detail));
  if (!options.allowUserNamespacesWithVolumeDevices) {
    for (const { container, path: at } of containersWithPath(spec, path)) {
      if (container.volumeDevices?.length) errors.push(forbidden(at.child('volumeDevices'), detail));
    }
  }
  return errors;
}

function validateHostnameOverride(spec: core.PodSpec, path: FieldPath): FieldError[] {
  const { hostnameOverride } = spec;
  if (hostnameOverride === undefined) return [];
  const errors: FieldError[] = [];
  if (spec.setHostnameAsFQDN === true) errors.push(forbidden(path, 'may not be specified when setHostnameAsFQDN is true'));
  if (spec.hostNetwork === true) errors.push(forbidden(path, 'may not be specified when hostNetwork is true'));
  if (Buffer.byteLength(hostnameOverride) > maxHostnameLength) errors.push(tooLong(path, maxHostnameLength));
  return [...errors, ...validateDnsSubdomain(hostnameOverride, path)];
}

function validateNames(spec: core.PodSpec, path: FieldPath): FieldError[] {
  const { serviceAccountName = '', serviceAccount = '', nodeName = '', activeDeadlineSeconds: deadline, hostname, subdomain } = spec;
  const errors: FieldError[] = [];
  if (serviceAccountName !== '') {
    append(errors, problemsOf(nameIsDnsSubdomain(serviceAccountName, false), serviceAccountName, path.child('serviceAccountName')));
  }
  if (serviceAccount !== serviceAccountName) {
    const detail = `must be the same as serviceAccountName: ${goQuote(serviceAccountName)}`;
    errors.push(invalid(path.child('deprecatedServiceAccount'), serviceAccount, detail));
  }
  if (nodeName !== '') append(errors, problemsOf(nameIsDnsSubdomain(nodeName, false), nodeName, path.child('nodeName')));
  if (deadline !== undefined && (deadline < 1 || deadline > maxInt32)) {
    errors.push(invalid(path.child('activeDeadlineSeconds'), deadline, rangeMessage(1, maxInt32)));
  }
  if (hostname) append(errors, validateDnsLabel(hostname, path.child('hostname')));
  if (subdomain) append(errors, validateDnsLabel(subdomain, path.child('subdomain')));
  return errors;
}

function validateClassNames({ priorityClassName, runtimeClassName }: core.PodSpec, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (priorityClassName) {
    append(errors, problemsOf(nameIsDnsSubdomain(priorityClassName, false), priorityClassName, path.child('priorityClassName')));
  }
  if (runtimeClassName !== undefined) {
    append(errors, problemsOf(nameIsDnsSubdomain(runtimeClassName, false), runtimeClassName, path.child('runtimeClassName')));
  }
  return errors;
}

function validateSchedulingGroup({ schedulingGroup, evictionResponders }: core.PodSpec, path: FieldPath): FieldError[] {
  if (schedulingGroup === undefined) return [];
  const { podGroupName } = schedulingGroup;
  const at = path.child('podGroupName');
  const errors =
    podGroupName === undefined
      ? [invalid(at, null, 'must specify one of: `podGroupName`')]
      : problemsOf(nameIsDnsSubdomain(podGroupName, false), podGroupName, at);
  if (evictionResponders?.length) {
    errors.push(forbidden(path, 'may not be set when evictionResponders is set').withOrigin('dependentForbidden'));
  }
  return errors;
}

/** Variables are read from files of emptyDir volumes only. */
function validateFileKeys(spec: core.PodSpec, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (!allContainers(spec).some(({ env }) => env?.some(({ valueFrom }) => valueFrom?.fileKeyRef !== undefined))) return errors;
  let volumes: Map<string, core.Volume> | undefined;
  for (const { container, path: at } of containersWithPath(spec, path)) {
    (container.env ?? []).forEach(({ valueFrom }, index) => {
      const name = valueFrom?.fileKeyRef?.volumeName;
      if (name === undefined) return;
      volumes ??= new Map((spec.volumes ?? []).map((each) => [each.name, each]));
      const volume = volumes.get(name);
      const namePath = at.child('env').index(index).child('valueFrom').child('fileKeyRef').child('volumeName');
      if (volume === undefined) errors.push(notFound(namePath, name));
      else if (volume.emptyDir === undefined) errors.push(invalid(namePath, name, 'referenced volume must be of type emptyDir'));
    });
  }
  return errors;
}
