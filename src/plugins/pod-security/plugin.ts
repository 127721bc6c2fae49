// Upstream: k8s.io/kubernetes/plugin/pkg/admission/security/podsecurity/admission.go, k8s.io/pod-security-admission/admission/admission.go
import { deepEqual } from '../../machinery/deep-equal.ts';
import { internalError, invalid } from '../../machinery/errors.ts';
import { aggregateMessage } from '../../machinery/field.ts';
import type { Pod } from '../../schema/types/core-v1.ts';
import type { AdmissionAttributes } from '../../server/admission/admission.ts';
import { forbid } from '../../server/admission/forbid.ts';
import type { PluginContext } from '../../server/admission/plugin.ts';
import { definePlugin } from '../../server/admission/plugin.ts';
import { requestsFor } from '../../server/admission/requests-for.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import type { PodUnderCheck } from './checks/check.ts';
import type { PodSecurityConfiguration } from './configuration.ts';
import { readConfiguration } from './configuration.ts';
import { describe, violations } from './evaluate.ts';
import { warnAboutExisting } from './existing-pods.ts';
import { PodSecurityMetrics } from './metrics.ts';
import type { LevelVersion } from './checks/level.ts';
import { compareLevels, isFullyPrivileged, isSameLevel, labelledModes, policyOf, showLevel } from './checks/level.ts';
import { isSignificantUpdate, podOf, podResources } from './pod-spec.ts';

/** Pods keep to the level of security that labels of their namespace ask for; controllers of pods that would not are warned about. */
export const podSecurity = definePlugin({
  name: 'PodSecurity',
  enabledByDefault: true,
  create(context) {
    const configuration = readConfiguration(context.configuration);
    const metrics = new PodSecurityMetrics(context.metrics);
    return {
      handles: ({ operation, resource }) =>
        (operation === 'CREATE' || operation === 'UPDATE') && (isNamespace(resource) || podResources.has(keyOf(resource))),
      async validate(attributes) {
        if (isNamespace(attributes.resource)) await validateNamespace(attributes, configuration, context);
        else await validatePod(attributes, configuration, context, metrics);
      },
    };
  },
});

/** subresources that change nothing that a level restricts */
const ignoredSubresources: ReadonlySet<string> = new Set([
  'exec',
  'attach',
  'binding',
  'eviction',
  'log',
  'portforward',
  'proxy',
  'status',
]);

const isPodUpdate = requestsFor<Pod>('', 'pods', '', 'ephemeralcontainers', 'resize').on(['UPDATE']);

async function validatePod(
  attributes: AdmissionAttributes,
  configuration: PodSecurityConfiguration,
  { reader }: PluginContext,
  metrics: PodSecurityMetrics,
): Promise<void> {
  const { resource, subresource, namespace, user, object } = attributes;
  const { exemptions, defaults } = configuration;
  const isPod = keyOf(resource) === '/pods';
  if (isPod ? ignoredSubresources.has(subresource) : subresource !== '') return;
  const exempt = (by: string): void => {
    metrics.exempted(attributes);
    annotate(attributes, 'exempt', by);
  };
  if (exemptions.namespaces.includes(namespace)) return exempt('namespace');
  if (exemptions.usernames.includes(user.name)) return exempt('user');
  const found = await reader.get<KubeObject>('', 'namespaces', '', namespace);
  if (found === undefined) {
    const problem = `failed to lookup namespace ${JSON.stringify(namespace)}`;
    const missing = `namespaces ${JSON.stringify(namespace)} not found`;
    metrics.failed(true, attributes);
    annotate(attributes, 'error', isPod ? missing : `${problem}: ${missing}`);
    if (isPod) throw internalError(problem);
    return;
  }
  const { policy, errors } = policyOf(found.metadata.labels, defaults);
  if (errors.length === 0 && isFullyPrivileged(policy)) {
    if (!isPod) return;
    metrics.evaluated('allow', policy.enforce, 'enforce', attributes);
    annotate(attributes, 'enforce-policy', 'privileged:latest');
    return;
  }
  const pod = object && podOf(keyOf(resource), object);
  if (pod === undefined) return;
  if (isPodUpdate(attributes) && !isSignificantUpdate(attributes.object, attributes.old)) return;
  const { runtimeClassName } = pod.spec;
  if (runtimeClassName !== undefined && exemptions.runtimeClasses.includes(runtimeClassName)) {
    return exempt('runtimeClass');
  }
  if (!isPod && errors.length === 0 && policy.warn.level === 'privileged' && policy.audit.level === 'privileged') return;
  if (errors.length > 0) {
    metrics.failed(false, attributes);
    annotate(attributes, 'error', `Failed to parse policy: ${aggregateMessage(errors)}`);
  }
  const audited = violations(policy.audit, pod);
  if (audited.length > 0) {
    metrics.evaluated('deny', policy.audit, 'audit', attributes);
    annotate(attributes, 'audit-violations', wouldViolate(policy.audit, audited));
  }
  if (isPod) enforce(attributes, policy.enforce, pod, metrics);
  const warnings = violations(policy.warn, pod);
  if (warnings.length === 0) return;
  metrics.evaluated('deny', policy.warn, 'warn', attributes);
  attributes.warn(wouldViolate(policy.warn, warnings));
}

/** Leaves a trace in the audit log. */
function annotate(attributes: AdmissionAttributes, key: string, value: string): void {
  attributes.annotate(`pod-security.kubernetes.io/${key}`, value);
}

function wouldViolate(level: LevelVersion, found: ReturnType<typeof violations>): string {
  return `would violate PodSecurity ${JSON.stringify(showLevel(level))}: ${describe(found)}`;
}

function enforce(attributes: AdmissionAttributes, level: LevelVersion, pod: PodUnderCheck, metrics: PodSecurityMetrics): void {
  annotate(attributes, 'enforce-policy', showLevel(level));
  const found = violations(level, pod);
  metrics.evaluated(found.length > 0 ? 'deny' : 'allow', level, 'enforce', attributes);
  if (found.length > 0) throw forbid(attributes, `violates PodSecurity ${JSON.stringify(showLevel(level))}: ${describe(found)}`);
}

async function validateNamespace(
  attributes: AdmissionAttributes,
  { defaults, exemptions }: PodSecurityConfiguration,
  { reader, clock }: PluginContext,
): Promise<void> {
  const { subresource, operation, object, old, resource, name } = attributes;
  if (subresource !== '' || object === undefined) return;
  const { policy, errors } = policyOf(object.metadata.labels, defaults);
  const before = operation === 'UPDATE' ? policyOf(old?.metadata.labels, defaults) : undefined;
  const refuses = errors.length > 0 && (before === undefined || !deepEqual(errors.map(String), before.errors.map(String)));
  if (refuses) throw invalid(resource, name, errors);
  const exempt = exemptions.namespaces.includes(name);
  const warnExempt = (): void => {
    const modes = labelledModes(object.metadata.labels, policy);
    if (modes.length === 0 || deepEqual(policy, defaults)) return;
    const shown = modes.map((mode) => `${mode}=${showLevel(policy[mode])}`).join(', ');
    attributes.warn(`namespace ${JSON.stringify(name)} is exempt from Pod Security, and the policy (${shown}) will be ignored`);
  };
  if (before === undefined) {
    if (exempt) warnExempt();
    return;
  }
  const [next, last] = [policy.enforce, before.policy.enforce];
  if (isSameLevel(next, last) || next.level === 'privileged') return;
  if (next.minor === last.minor && compareLevels(next.level, last.level) < 1) return;
  if (exempt) {
    warnExempt();
    return;
  }
  const pods = await reader.list<Pod & KubeObject>('', 'pods', name);
  for (const text of await warnAboutExisting(pods, name, next, exemptions.runtimeClasses, clock)) attributes.warn(text);
}

function isNamespace({ group, kind }: AdmissionAttributes['resource']): boolean {
  return group === '' && kind === 'Namespace';
}

function keyOf({ group, names }: AdmissionAttributes['resource']): string {
  return `${group}/${names.plural}`;
}
