// Upstream: k8s.io/kubernetes/plugin/pkg/admission/limitranger/admission.go
import { once } from '../../base/once.ts';
import type { LimitRange, LimitRangeItem, PersistentVolumeClaim, Pod } from '../../schema/types/core-v1.ts';
import type { ResourceAmounts } from '../../apis/common/pod-spec/pod-resources.ts';
import { aggregateContainers, amountsOf } from '../../apis/common/pod-spec/pod-resources.ts';
import type { Asked, Limit } from './amounts-asked.ts';
import { AmountsAsked, comparable, isAbove, ratioAllowed } from './amounts-asked.ts';

/** The problems of an object with a range, each once, in the order of containers. */
export type ProblemsWith = (range: LimitRange) => readonly string[];

/** More are not named. */
const mostProblems = 10_000;

export function podProblems(pod: Pod, podLevelResources: boolean): ProblemsWith {
  const containers = once(() => new AmountsAsked([...(pod.spec.containers ?? []), ...(pod.spec.initContainers ?? [])].map(askedBy)));
  const whole = once(
    () => new AmountsAsked([{ requests: ofPod(pod, 'requests', podLevelResources), limits: ofPod(pod, 'limits', podLevelResources) }]),
  );
  return ({ spec }) =>
    distinct(
      (spec.limits ?? []).flatMap((item) => {
        if (item.type === 'Container') return problemsOf(item, containers());
        return item.type === 'Pod' ? problemsOf(item, whole()) : [];
      }),
    );
}

export function claimProblems({ spec: claim }: PersistentVolumeClaim): ProblemsWith {
  const requests = amountsOf(claim.resources?.requests);
  return ({ spec }) =>
    distinct(
      (spec.limits ?? []).flatMap((item) => {
        if (item.type !== 'PersistentVolumeClaim') return [];
        // what a claim says of limits does not count
        const asked = { requests, limits: new Map() };
        return limitsOf(item).flatMap((limit) => (limit.kind === 'ratio' ? [] : (problemOf(item.type, limit, asked, 'requests') ?? [])));
      }),
    );
}

function problemsOf(item: LimitRangeItem, asked: AmountsAsked): string[] {
  const found: { readonly index: number; readonly problem: string }[] = [];
  for (const limit of limitsOf(item)) {
    if (found.length >= mostProblems) break;
    if (!asked.breaks(limit)) continue;
    for (const [index, one] of asked.naming(limit.name)) {
      const problem = problemOf(item.type, limit, one);
      if (problem !== undefined) found.push({ index, problem });
    }
  }
  return found.toSorted((one, other) => one.index - other.index).map(({ problem }) => problem);
}

function limitsOf({ min, max, maxLimitRequestRatio }: LimitRangeItem): Limit[] {
  const limits = (kind: Limit['kind'], amounts: LimitRangeItem['min']): Limit[] =>
    Array.from(amountsOf(amounts), ([name, enforced]) => ({ kind, name, enforced }));
  return [...limits('min', min), ...limits('max', max), ...limits('ratio', maxLimitRequestRatio)];
}

function problemOf(type: string, limit: Limit, asked: Asked, most: 'limits' | 'requests' = 'limits'): string | undefined {
  switch (limit.kind) {
    case 'min':
      return belowMinimum(type, limit, asked);
    case 'max':
      return most === 'limits' ? aboveMaximum(type, limit, asked) : aboveMaximumRequest(type, limit, asked);
    case 'ratio':
      return aboveRatio(type, limit, asked);
  }
}

function belowMinimum(type: string, { name, enforced }: Limit, { requests, limits }: Asked): string | undefined {
  const [request, limit] = [requests.get(name), limits.get(name)];
  const [asked, most, least] = comparable(request, limit, enforced);
  const minimum = (): string => `minimum ${name} usage per ${type} is ${enforced}`;
  if (request === undefined) return `${minimum()}.  No request is specified`;
  if (asked < least) return `${minimum()}, but request is ${request}`;
  return limit !== undefined && most < least ? `${minimum()}, but limit is ${limit}` : undefined;
}

function aboveMaximum(type: string, { name, enforced }: Limit, { requests, limits }: Asked): string | undefined {
  const [request, limit] = [requests.get(name), limits.get(name)];
  const [asked, most, allowed] = comparable(request, limit, enforced);
  const maximum = (): string => `maximum ${name} usage per ${type} is ${enforced}`;
  if (limit === undefined) return `${maximum()}.  No limit is specified`;
  if (most > allowed) return `${maximum()}, but limit is ${limit}`;
  return request !== undefined && asked > allowed ? `${maximum()}, but request is ${request}` : undefined;
}

function aboveMaximumRequest(type: string, { name, enforced }: Limit, { requests }: Asked): string | undefined {
  const request = requests.get(name);
  const [asked, , allowed] = comparable(request, undefined, enforced);
  const maximum = (): string => `maximum ${name} usage per ${type} is ${enforced}`;
  if (request === undefined) return `${maximum()}.  No request is specified`;
  return asked > allowed ? `${maximum()}, but request is ${request}` : undefined;
}

function aboveRatio(type: string, { name, enforced }: Limit, { requests, limits }: Asked): string | undefined {
  const [asked, most] = comparable(requests.get(name), limits.get(name), enforced);
  const ratio = (): string => `${name} max limit to request ratio per ${type} is ${enforced}`;
  if (asked === 0n) return `${ratio()}, but no request is specified or request is 0`;
  if (most === 0n) return `${ratio()}, but no limit is specified or limit is 0`;
  const observed = Number(most) / Number(asked);
  return isAbove(observed, ratioAllowed(enforced)) ? `${ratio()}, but provided ratio is ${observed.toFixed(6)}` : undefined;
}

function askedBy({ resources }: { readonly resources?: { requests?: Record<string, string>; limits?: Record<string, string> } }): Asked {
  return { requests: amountsOf(resources?.requests), limits: amountsOf(resources?.limits) };
}

/** What the pod says for itself goes before what its containers add up to. */
function ofPod({ spec }: Pod, side: 'requests' | 'limits', podLevelResources: boolean): ResourceAmounts {
  const total = aggregateContainers(spec, side);
  if (!podLevelResources) return total;
  for (const [name, quantity] of amountsOf(spec.resources?.[side])) if (name === 'cpu' || name === 'memory') total.set(name, quantity);
  return total;
}

function distinct(problems: readonly string[]): string[] {
  return [...new Set(problems)].slice(0, mostProblems);
}
