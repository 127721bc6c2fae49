// Upstream: k8s.io/kubernetes/pkg/quota/v1/evaluator/core/pods.go
import { Quantity } from '../../../machinery/quantity.ts';
import type { Container, Pod, PodAffinityTerm, PodSpec, ScopedResourceSelectorRequirement } from '../../../schema/types/core-v1.ts';
import type { ResourceAmounts } from '../pod-spec/pod-resources.ts';
import { amountsOf, podAmounts } from '../pod-spec/pod-resources.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { requestsFor } from '../../../server/admission/requests-for.ts';
import type { Evaluator } from './evaluators.ts';

const podResources: ReadonlySet<string> = new Set([
  'count/pods',
  'pods',
  ...['cpu', 'memory', 'ephemeral-storage'].flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
]);
/** of these, every container must say how much when a quota asks */
const mustBeKnown: ReadonlySet<string> = new Set(['cpu', 'memory'].flatMap((name) => [name, `requests.${name}`, `limits.${name}`]));
const one = Quantity.of(1);
const pods = requestsFor<Pod>('', 'pods');
const isNew = pods.on(['CREATE']);
const isUpdate = pods.on(['UPDATE']);
const isResize = requestsFor<Pod>('', 'pods', 'resize').on(['UPDATE']);

export function podEvaluator(podLevelResources: boolean): Evaluator<Pod & KubeObject> {
  return {
    handles: (attributes) =>
      isNew(attributes) ||
      isResize(attributes) ||
      (isUpdate(attributes) && isTerminating(attributes.object) !== isTerminating(attributes.old)),
    evaluates: (resource) => podResources.has(resource) || /^(requests\.)?hugepages-/.test(resource) || isExtendedRequest(resource),
    usage(pod, now) {
      const used: ResourceAmounts = new Map([['count/pods', one]]);
      if (!isCounted(pod, now)) return used;
      const amounts = (side: 'requests' | 'limits'): ResourceAmounts => podAmounts(pod.spec, side, podLevelResources);
      for (const [name, quantity] of computeUsage(amounts('requests'), amounts('limits'))) used.set(name, quantity);
      return used;
    },
    matchesScope,
    missing({ spec }) {
      if (podLevelResources && (spec.resources?.requests !== undefined || spec.resources?.limits !== undefined)) return () => undefined;
      return missingAmounts([...(spec.containers ?? []), ...(spec.initContainers ?? [])]);
    },
  };
}

/** A pod may have thousands of containers, and its namespace hundreds of quotas: what containers say is looked at once. */
function missingAmounts(containers: readonly Container[]): (resources: ReadonlySet<string>) => string | undefined {
  const silent = new Map<string, readonly string[]>();
  let known: readonly { readonly name: string; readonly usage: ResourceAmounts }[] | undefined;
  const silentAbout = (resource: string): readonly string[] => {
    known ??= containers.map(({ name, resources: own }) => ({
      name,
      usage: computeUsage(amountsOf(own?.requests), amountsOf(own?.limits)),
    }));
    const names = known.filter(({ usage }) => !usage.has(resource)).map(({ name }) => name);
    return [...new Set(names)].toSorted();
  };
  return (resources) => {
    const required = [...resources].filter((name) => mustBeKnown.has(name)).toSorted();
    for (const name of required) if (!silent.has(name)) silent.set(name, silentAbout(name));
    const open = required.flatMap((name) => {
      const names = silent.get(name) ?? [];
      return names.length === 0 ? [] : [`${name} for: ${names.join(',')}`];
    });
    return open.length === 0 ? undefined : `must specify ${open.join('; ')}`;
  };
}

function computeUsage(requests: ResourceAmounts, limits: ResourceAmounts): ResourceAmounts {
  const used: ResourceAmounts = new Map([['pods', one]]);
  for (const name of ['cpu', 'memory', 'ephemeral-storage']) {
    const [request, limit] = [requests.get(name), limits.get(name)];
    if (request !== undefined) used.set(name, request).set(`requests.${name}`, request);
    if (limit !== undefined) used.set(`limits.${name}`, limit);
  }
  for (const [name, request] of requests) {
    if (name.startsWith('hugepages-')) used.set(name, request).set(`requests.${name}`, request);
    else if (isExtended(name)) used.set(`requests.${name}`, request);
  }
  return used;
}

/** Neither finished nor overdue to be deleted. */
function isCounted({ metadata, status }: Pod, now: number): boolean {
  if (status?.phase === 'Failed' || status?.phase === 'Succeeded') return false;
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadata;
  if (!deletionTimestamp || deletionGracePeriodSeconds === undefined) return true;
  return now <= Date.parse(deletionTimestamp) + Number(deletionGracePeriodSeconds) * 1000;
}

function matchesScope({ scopeName, operator, values = [] }: ScopedResourceSelectorRequirement, pod: Pod): boolean {
  switch (scopeName) {
    case 'Terminating':
      return isTerminating(pod);
    case 'NotTerminating':
      return !isTerminating(pod);
    case 'BestEffort':
      return pod.status?.qosClass === 'BestEffort';
    case 'NotBestEffort':
      return pod.status?.qosClass !== 'BestEffort';
    case 'PriorityClass': {
      const name = pod.spec.priorityClassName ?? '';
      if (operator === 'Exists') return name !== '';
      if (operator === 'DoesNotExist') return name === '';
      return (name !== '' && values.includes(name)) === (operator === 'In');
    }
    case 'CrossNamespacePodAffinity':
      return usesOtherNamespaces(pod.spec);
    default:
      return false;
  }
}

function isTerminating({ spec }: Pod): boolean {
  return spec.activeDeadlineSeconds !== undefined && Number(spec.activeDeadlineSeconds) >= 0;
}

function usesOtherNamespaces({ affinity }: PodSpec): boolean {
  const crosses = ({ namespaces, namespaceSelector }: PodAffinityTerm): boolean =>
    Boolean(namespaces?.length) || namespaceSelector !== undefined;
  return [affinity?.podAffinity, affinity?.podAntiAffinity].some(
    (one) =>
      one?.requiredDuringSchedulingIgnoredDuringExecution?.some(crosses) === true ||
      one?.preferredDuringSchedulingIgnoredDuringExecution?.some(({ podAffinityTerm }) => crosses(podAffinityTerm)) === true,
  );
}

function isExtended(name: string): boolean {
  return name.includes('/') && !name.includes('kubernetes.io/') && !name.startsWith('requests.');
}

function isExtendedRequest(resource: string): boolean {
  return (
    resource.startsWith('requests.') &&
    (isExtended(resource.slice('requests.'.length)) || resource.startsWith('requests.deviceclass.resource.kubernetes.io/'))
  );
}
