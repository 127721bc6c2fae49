// Upstream: k8s.io/kubernetes/plugin/pkg/admission/limitranger/admission.go
import { Quantity } from '../../machinery/quantity.ts';
import type { LimitRange, LimitRangeItem, PersistentVolumeClaim, Pod } from '../../schema/types/core-v1.ts';
import type { ResourceAmounts } from '../../apis/common/pod-spec/pod-resources.ts';
import { aggregateContainers, amountsOf } from '../../apis/common/pod-spec/pod-resources.ts';

/** beyond this a quantity times a thousand does not fit into 64 bits */
const maxMilli = (2n ** 63n - 1n) / 1000n;

export function* podProblems(pod: Pod, { spec }: LimitRange, podLevelResources: boolean): Generator<string> {
  for (const limit of spec.limits ?? []) {
    if (limit.type === 'Container') {
      for (const { resources } of [...(pod.spec.containers ?? []), ...(pod.spec.initContainers ?? [])]) {
        yield* problems(limit, amountsOf(resources?.requests), amountsOf(resources?.limits));
      }
    }
    if (limit.type === 'Pod') yield* problems(limit, ofPod(pod, 'requests', podLevelResources), ofPod(pod, 'limits', podLevelResources));
  }
}

export function* claimProblems({ spec: claim }: PersistentVolumeClaim, { spec }: LimitRange): Generator<string> {
  const requests = amountsOf(claim.resources?.requests);
  for (const limit of spec.limits ?? []) {
    if (limit.type !== 'PersistentVolumeClaim') continue;
    for (const [name, enforced] of amountsOf(limit.min)) yield* belowMinimum(limit.type, name, enforced, requests, amountsOf(undefined));
    for (const [name, enforced] of amountsOf(limit.max)) {
      const request = requests.get(name);
      const maximum = `maximum ${name} usage per ${limit.type} is ${enforced}`;
      if (request === undefined) yield `${maximum}.  No request is specified`;
      else if (isGreater(request, enforced)) yield `${maximum}, but request is ${request}`;
    }
  }
}

function* problems(limit: LimitRangeItem, requests: ResourceAmounts, limits: ResourceAmounts): Generator<string> {
  for (const [name, enforced] of amountsOf(limit.min)) yield* belowMinimum(limit.type, name, enforced, requests, limits);
  for (const [name, enforced] of amountsOf(limit.max)) yield* aboveMaximum(limit.type, name, enforced, requests, limits);
  for (const [name, enforced] of amountsOf(limit.maxLimitRequestRatio)) yield* aboveRatio(limit.type, name, enforced, requests, limits);
}

function* belowMinimum(
  type: string,
  name: string,
  enforced: Quantity,
  requests: ResourceAmounts,
  limits: ResourceAmounts,
): Generator<string> {
  const [request, limit] = [requests.get(name), limits.get(name)];
  const minimum = `minimum ${name} usage per ${type} is ${enforced}`;
  if (request === undefined) yield `${minimum}.  No request is specified`;
  else if (isGreater(enforced, request)) yield `${minimum}, but request is ${request}`;
  else if (limit !== undefined && isGreater(enforced, limit)) yield `${minimum}, but limit is ${limit}`;
}

function* aboveMaximum(
  type: string,
  name: string,
  enforced: Quantity,
  requests: ResourceAmounts,
  limits: ResourceAmounts,
): Generator<string> {
  const [request, limit] = [requests.get(name), limits.get(name)];
  const maximum = `maximum ${name} usage per ${type} is ${enforced}`;
  if (limit === undefined) yield `${maximum}.  No limit is specified`;
  else if (isGreater(limit, enforced)) yield `${maximum}, but limit is ${limit}`;
  else if (request !== undefined && isGreater(request, enforced)) yield `${maximum}, but request is ${request}`;
}

function* aboveRatio(
  type: string,
  name: string,
  enforced: Quantity,
  requests: ResourceAmounts,
  limits: ResourceAmounts,
): Generator<string> {
  const [request, limit] = [requests.get(name), limits.get(name)];
  const ratio = `${name} max limit to request ratio per ${type} is ${enforced}`;
  if (request === undefined || request.isZero) {
    yield `${ratio}, but no request is specified or request is 0`;
    return;
  }
  if (limit === undefined || limit.isZero) {
    yield `${ratio}, but no limit is specified or limit is 0`;
    return;
  }
  const [above, below] = comparable(limit, request);
  const observed = Number(above) / Number(below);
  const fine = enforced.value() <= maxMilli;
  const allowed = fine ? Number(enforced.milliValue()) : Number(enforced.value());
  if ((fine ? observed * 1000 : observed) > allowed) yield `${ratio}, but provided ratio is ${observed.toFixed(6)}`;
}

function isGreater(left: Quantity, right: Quantity): boolean {
  const [a, b] = comparable(left, right);
  return a > b;
}

/** In thousandths where both fit, else rounded up to whole units, as upstream compares. */
function comparable(left: Quantity, right: Quantity): [bigint, bigint] {
  if (left.value() <= maxMilli && right.value() <= maxMilli) return [left.milliValue(), right.milliValue()];
  return [left.value(), right.value()];
}

/** What the pod says for itself goes before what its containers add up to. */
function ofPod({ spec }: Pod, side: 'requests' | 'limits', podLevelResources: boolean): ResourceAmounts {
  const total = aggregateContainers(spec, side);
  if (!podLevelResources) return total;
  for (const [name, quantity] of amountsOf(spec.resources?.[side])) if (name === 'cpu' || name === 'memory') total.set(name, quantity);
  return total;
}
