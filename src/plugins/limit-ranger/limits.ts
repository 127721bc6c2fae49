// Upstream: k8s.io/kubernetes/plugin/pkg/admission/limitranger/admission.go
import { Quantity } from '../../machinery/quantity.ts';
import type { LimitRange, LimitRangeItem, PersistentVolumeClaim, Pod } from '../../schema/types/core-v1.ts';
import type { ResourceAmounts } from '../../apis/common/pod-spec/pod-resources.ts';
import { aggregateContainers, amountsOf } from '../../apis/common/pod-spec/pod-resources.ts';

/** beyond this a quantity times a thousand does not fit into 64 bits */
const maxMilli = (2n ** 63n - 1n) / 1000n;

/** What is asked for, by a container or by a pod. */
interface Asked {
  readonly requests: ResourceAmounts;
  readonly limits: ResourceAmounts;
}

/** Undefined: nothing was found for a while. Others may get their turn there, as there may be many containers and many limits for each. */
export type Problems = Generator<string | undefined>;

export function* podProblems(pod: Pod, { spec }: LimitRange, podLevelResources: boolean): Problems {
  let containers: Asked[] | undefined;
  let whole: Asked | undefined;
  for (const item of spec.limits ?? []) {
    if (item.type === 'Container') {
      containers ??= [...(pod.spec.containers ?? []), ...(pod.spec.initContainers ?? [])].map(({ resources }) => ({
        requests: amountsOf(resources?.requests),
        limits: amountsOf(resources?.limits),
      }));
      const enforced = enforcedBy(item);
      for (const asked of containers) {
        yield* problems(enforced, asked);
        yield;
      }
    }
    if (item.type === 'Pod') {
      whole ??= { requests: ofPod(pod, 'requests', podLevelResources), limits: ofPod(pod, 'limits', podLevelResources) };
      yield* problems(enforcedBy(item), whole);
      yield;
    }
  }
}

/** A limit, read once for all containers. */
interface Enforced {
  readonly type: string;
  readonly min: ResourceAmounts;
  readonly max: ResourceAmounts;
  readonly ratio: ResourceAmounts;
}

function enforcedBy({ type, min, max, maxLimitRequestRatio }: LimitRangeItem): Enforced {
  return { type, min: amountsOf(min), max: amountsOf(max), ratio: amountsOf(maxLimitRequestRatio) };
}

export function* claimProblems({ spec: claim }: PersistentVolumeClaim, { spec }: LimitRange): Problems {
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

function* problems({ type, min, max, ratio }: Enforced, { requests, limits }: Asked): Generator<string> {
  for (const [name, enforced] of min) yield* belowMinimum(type, name, enforced, requests, limits);
  for (const [name, enforced] of max) yield* aboveMaximum(type, name, enforced, requests, limits);
  for (const [name, enforced] of ratio) yield* aboveRatio(type, name, enforced, requests, limits);
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
