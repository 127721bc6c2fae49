// Upstream: k8s.io/kubernetes/pkg/apis/core/validation/validation.go#validateContainers, #validateInitContainers, #validateEphemeralContainers
import { append } from '../../../machinery/append.ts';
import { duplicate, forbidden, invalid, notFound, notSupported, required, tooMany, typedValue } from '../../../machinery/field.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { isDistinct } from '../../../machinery/go-distinctions.ts';
import { checkPortName, checkPortNumber } from '../../../machinery/names.ts';
import type * as core from '../../../schema/types/core-v1.ts';
import { isRestartableInitContainer } from './containers.ts';
import type { AnyContainer } from './containers.ts';
import { validateEnv, validateEnvFrom } from './env.ts';
import { validateDevices, validateMounts } from './mounts.ts';
import type { PodValidationOptions } from './options.ts';
import { validateLifecycle, validateProbes } from './probes.ts';
import { validateContainerResources } from './resources.ts';
import type { ClaimNames } from './resources.ts';
import { problemsOf, validateDnsLabel, validateOneOf, validateRequired } from './rules.ts';
import { validateSecurityContext } from './security-context.ts';
import { validatePullPolicy } from './volume-sources.ts';
import type { ValidVolumes } from './volumes.ts';

/** The pod around a container, as far as rules look at it. */
export interface ContainerSurroundings {
  readonly spec: core.PodSpec;
  readonly volumes: ValidVolumes;
  readonly claimNames: ClaimNames;
  readonly options: PodValidationOptions;
}

const terminationMessagePolicies = ['File', 'FallbackToLogsOnError'];
const protocols = ['SCTP', 'TCP', 'UDP'];

export function validateContainers(path: FieldPath, around: ContainerSurroundings): FieldError[] {
  const containers = around.spec.containers ?? [];
  if (containers.length === 0) return [required(path, '')];
  const errors: FieldError[] = [];
  const names = new Set<string>();
  containers.forEach((container, index) => {
    const at = path.index(index);
    append(errors, validateCommon(container, at, around));
    if (names.has(container.name)) errors.push(duplicate(at.child('name'), container.name));
    names.add(container.name);
    append(errors, validateHooks(container, at, around.spec));
    if (around.options.allowContainerRestartPolicyRules) append(errors, validateRestartPolicy(container, at, around.options));
    else if (container.restartPolicy !== undefined) {
      errors.push(forbidden(at.child('restartPolicy'), 'may not be set for non-init containers'));
    }
  });
  append(errors, validateHostPorts(containers, path));
  return errors;
}

/** Lifecycle and probes: of containers that keep running. */
function validateHooks(container: core.Container, path: FieldPath, spec: core.PodSpec): FieldError[] {
  const around = { gracePeriod: spec.terminationGracePeriodSeconds, os: spec.os };
  const { lifecycle } = container;
  const errors = lifecycle === undefined ? [] : validateLifecycle(lifecycle, path.child('lifecycle'), around);
  append(errors, validateProbes(container, path, around));
  return errors;
}

export function validateInitContainers(path: FieldPath, around: ContainerSurroundings): FieldError[] {
  const { spec, options } = around;
  const errors: FieldError[] = [];
  const names = new Set((spec.containers ?? []).map(({ name }) => name));
  (spec.initContainers ?? []).forEach((container, index) => {
    const at = path.index(index);
    const sidecar = isRestartableInitContainer(container);
    append(errors, validateCommon(container, at, around), validateInitRestartPolicy(container, at, options));
    if (names.has(container.name)) errors.push(duplicate(at.child('name'), container.name));
    else if (container.name !== '') names.add(container.name);
    // One runs after the other, so each is looked at by itself; the path says the first, as upstream's does.
    append(errors, validateHostPorts([container], path));
    if (sidecar) append(errors, validateHooks(container, at, spec));
    else {
      for (const field of ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const) {
        if (container[field] === undefined) continue;
        errors.push(forbidden(at.child(field), 'may not be set for init containers without restartPolicy=Always'));
      }
    }
    append(errors, validateInitResizePolicy(container, sidecar, at, options));
  });
  return errors;
}

function validateInitResizePolicy(
  { resizePolicy = [] }: core.Container,
  sidecar: boolean,
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  const errors: FieldError[] = [];
  const at = path.child('resizePolicy');
  if (!options.allowSidecarResizePolicy && resizePolicy.length > 0) {
    const shown = resizePolicy.map(({ resourceName, restartPolicy }) => ({ ResourceName: resourceName, RestartPolicy: restartPolicy }));
    errors.push(invalid(at, shown, 'must not be set for init containers'));
  }
  if (sidecar || options.allowExistingRestartContainerForNonSidecarInitContainer) return errors;
  resizePolicy.forEach(({ restartPolicy }, index) => {
    if (restartPolicy !== 'RestartContainer') return;
    const detail = "must not be set to 'RestartContainer' for non-sidecar initContainers";
    errors.push(invalid(at.index(index).child('restartPolicy'), typedValue(restartPolicy), detail));
  });
  return errors;
}

function validateInitRestartPolicy(container: core.Container, path: FieldPath, options: PodValidationOptions): FieldError[] {
  const { restartPolicy, restartPolicyRules: rules = [] } = container;
  if (restartPolicy === undefined) {
    return rules.length === 0 ? [] : [required(path.child('restartPolicy'), 'must specify restartPolicy when restart rules are used')];
  }
  if (!options.allowContainerRestartPolicyRules) return validateOneOf(restartPolicy, ['Always'], path.child('restartPolicy'));
  if (restartPolicy !== 'Always' || options.allowRestartAllContainers) return validateRestartPolicy(container, path, options);
  if (rules.length === 0) return [];
  const detail = 'restartPolicyRules are not allowed for init containers with restart policy Always';
  return [forbidden(path.child('restartPolicyRules'), detail)];
}

const maxRestartRules = 20;
const maxExitCodes = 255;

function validateRestartPolicy(container: core.Container, path: FieldPath, options: PodValidationOptions): FieldError[] {
  const { restartPolicy, restartPolicyRules: rules = [] } = container;
  const errors: FieldError[] = [];
  if (restartPolicy === undefined) {
    if (rules.length === 0) return [];
    errors.push(required(path.child('restartPolicy'), 'must specify restartPolicy when restart rules are used'));
  } else append(errors, validateOneOf(restartPolicy, ['Always', 'Never', 'OnFailure'], path.child('restartPolicy')));
  if (rules.length > maxRestartRules) errors.push(tooMany(path.child('restartPolicyRules'), rules.length, maxRestartRules));
  const actions = options.allowRestartAllContainers ? ['Restart', 'RestartAllContainers'] : ['Restart'];
  rules.forEach(({ action = '', exitCodes }, index) => {
    const at = path.child('restartPolicyRules').index(index);
    append(errors, validateOneOf(action, actions, at.child('action')));
    if (exitCodes === undefined) {
      errors.push(required(at.child('exitCodes'), 'must be specified'));
      return;
    }
    const { operator = '', values = [] } = exitCodes;
    append(errors, validateOneOf(operator, ['In', 'NotIn'], at.child('exitCodes').child('operator')));
    if (values.length > maxExitCodes) errors.push(tooMany(at.child('exitCodes').child('values'), values.length, maxExitCodes));
  });
  return errors;
}

/** Fields that would make an ephemeral container part of the workload, in the order of their declaration. */
const notForEphemeral = [
  'ports',
  'resources',
  'resizePolicy',
  'restartPolicy',
  'restartPolicyRules',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
] as const;

export function validateEphemeralContainers(path: FieldPath, around: ContainerSurroundings): FieldError[] {
  const { spec } = around;
  const errors: FieldError[] = [];
  const targets = new Set([...(spec.containers ?? []), ...(spec.initContainers ?? [])].map(({ name }) => name));
  const names = new Set(targets);
  const detail = 'cannot be set for an Ephemeral Container';
  (spec.ephemeralContainers ?? []).forEach((container, index) => {
    const at = path.index(index);
    const { name, targetContainerName: target } = container;
    append(errors, validateCommon(container, at, around), validateImageWhitespace(container, at));
    if (names.has(name)) errors.push(duplicate(at.child('name'), name));
    names.add(name);
    if (target && !targets.has(target)) errors.push(notFound(at.child('targetContainerName'), target));
    for (const field of notForEphemeral) if (isSet(container, field)) errors.push(forbidden(at.child(field), detail));
    (container.volumeMounts ?? []).forEach(({ subPath, subPathExpr }, mount) => {
      const mountPath = at.child('volumeMounts').index(mount);
      if (subPath) errors.push(forbidden(mountPath.child('subPath'), detail));
      if (subPathExpr) errors.push(forbidden(mountPath.child('subPathExpr'), detail));
    });
  });
  return errors;
}

/** An empty list counts, and so does a pointer to nothing; resources are no pointer. */
function isSet(container: core.EphemeralContainer, field: (typeof notForEphemeral)[number]): boolean {
  if (field !== 'resources') return container[field] !== undefined || isDistinct(container, field);
  const { resources = {} } = container;
  return Object.keys(resources).length > 0 || ['limits', 'requests', 'claims'].some((list) => isDistinct(resources, list));
}

/** Of pods, not of templates: there a blank image once stood for one to be filled in. */
export function validateImageWhitespace({ image = '' }: AnyContainer, path: FieldPath): FieldError[] {
  return image.trim() === image ? [] : [invalid(path.child('image'), image, 'must not have leading or trailing whitespace')];
}

function validateCommon(container: AnyContainer, path: FieldPath, around: ContainerSurroundings): FieldError[] {
  const { spec, volumes, claimNames, options } = around;
  const {
    name,
    terminationMessagePolicy = '',
    ports,
    env,
    envFrom,
    resizePolicy,
    volumeMounts,
    volumeDevices,
    securityContext,
  } = container;
  const errors: FieldError[] = name === '' ? [required(path.child('name'), '')] : validateDnsLabel(name, path.child('name'));
  append(errors, validateRequired(container.image, path.child('image')));
  const policyPath = path.child('terminationMessagePolicy');
  if (terminationMessagePolicy === '') errors.push(required(policyPath, ''));
  else append(errors, validateOneOf(terminationMessagePolicy, terminationMessagePolicies, policyPath));
  // There may be thousands of containers with next to nothing in them.
  if (ports !== undefined) append(errors, validatePorts(ports, path.child('ports')));
  if (env !== undefined) append(errors, validateEnv(env, path.child('env'), options));
  if (envFrom !== undefined) append(errors, validateEnvFrom(envFrom, path.child('envFrom'), options));
  if (volumeMounts !== undefined) append(errors, validateMounts(container, volumes, path.child('volumeMounts')));
  if (volumeDevices !== undefined) append(errors, validateDevices(container, volumes, path.child('volumeDevices')));
  append(errors, validatePullPolicy(container.imagePullPolicy ?? '', path.child('imagePullPolicy')));
  append(errors, validateContainerResources(container.resources, claimNames, path.child('resources'), options));
  if (resizePolicy !== undefined) append(errors, validateResizePolicy(resizePolicy, path.child('resizePolicy'), spec.restartPolicy));
  if (securityContext === undefined) return errors;
  append(errors, validateSecurityContext(securityContext, path.child('securityContext'), spec.hostUsers ?? true, options));
  return errors;
}

function validatePorts(ports: readonly core.ContainerPort[], path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  ports.forEach(({ name = '', containerPort, hostPort = 0, protocol = '' }, index) => {
    const at = path.index(index);
    if (name !== '') {
      const problems = checkPortName(name);
      if (problems.length > 0) append(errors, problemsOf(problems, name, at.child('name')));
      else if (names.has(name)) errors.push(duplicate(at.child('name'), name));
      else names.add(name);
    }
    if (containerPort === 0) errors.push(required(at.child('containerPort'), ''));
    else append(errors, problemsOf(checkPortNumber(containerPort), containerPort, at.child('containerPort')));
    if (hostPort !== 0) append(errors, problemsOf(checkPortNumber(hostPort), hostPort, at.child('hostPort')));
    append(errors, protocol === '' ? [required(at.child('protocol'), '')] : validateOneOf(protocol, protocols, at.child('protocol')));
  });
  return errors;
}

function validateHostPorts(containers: readonly core.Container[], path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const taken = new Set<string>();
  containers.forEach(({ ports = [] }, index) => {
    ports.forEach(({ hostPort = 0, hostIP = '', protocol = '' }, port) => {
      if (hostPort === 0) return;
      const binding = `${protocol}/${hostIP}/${hostPort}`;
      if (taken.has(binding)) errors.push(duplicate(path.index(index).child('ports').index(port).child('hostPort'), binding));
      taken.add(binding);
    });
  });
  return errors;
}

function validateResizePolicy(
  policies: readonly core.ContainerResizePolicy[],
  path: FieldPath,
  podRestartPolicy: string | undefined,
): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  policies.forEach(({ resourceName, restartPolicy }, index) => {
    if (seen.has(resourceName)) errors.push(duplicate(path.index(index), typedValue(resourceName)));
    seen.add(resourceName);
    for (const [value, supported] of [
      [resourceName, ['cpu', 'memory']],
      [restartPolicy, ['NotRequired', 'RestartContainer']],
    ] as const) {
      if (value === '') errors.push(required(path, ''));
      else if (!(supported as readonly string[]).includes(value)) errors.push(notSupported(path, typedValue(value), supported));
    }
    if (podRestartPolicy === 'Never' && restartPolicy !== 'NotRequired') {
      errors.push(invalid(path, typedValue(restartPolicy), "must be 'NotRequired' when pod `restartPolicy` is 'Never'"));
    }
  });
  return errors;
}
