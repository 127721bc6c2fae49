// Upstream: k8s.io/kubernetes/pkg/apis/autoscaling/v1/conversion.go
// Metrics and their statuses.
import { Quantity } from '../../../machinery/quantity.ts';
import type * as v1 from '../../../schema/types/autoscaling-v1.ts';
import type * as v2 from '../../../schema/types/autoscaling-v2.ts';

type Members = Record<string, unknown>;
/** A member of v1, the same in v2 and, where v1 cannot leave it out, what it says then. */
type Pair = readonly [v1: string, v2: string, absent?: string | undefined];
type Pairs = Readonly<Record<string, readonly Pair[]>>;

const described = ['kind', 'name', 'apiVersion'].map((name): Pair => [`target.${name}`, `describedObject.${name}`]);
const metricName: Pair = ['metricName', 'metric.name'];
const selector: Pair = ['selector', 'metric.selector'];

/** By source, in the order of v1's types: what is converted to v1 becomes the text of an annotation. Of a status v1 always has a value. */
function pairsOf(part: 'target' | 'current', absent?: string): Pairs {
  const usage: readonly Pair[] = [
    ['name', 'name'],
    [`${part}AverageUtilization`, `${part}.averageUtilization`],
    [`${part}AverageValue`, `${part}.averageValue`, absent],
  ];
  return {
    object: [...described, metricName, [`${part}Value`, `${part}.value`, '0'], selector, ['averageValue', `${part}.averageValue`]],
    pods: [metricName, [`${part}AverageValue`, `${part}.averageValue`, '0'], selector],
    resource: usage,
    containerResource: [...usage, ['container', 'container']],
    external: [
      metricName,
      ['metricSelector', 'metric.selector'],
      [`${part}Value`, `${part}.value`, absent],
      [`${part}AverageValue`, `${part}.averageValue`],
    ],
  };
}
const specPairs = pairsOf('target');
const statusPairs = pairsOf('current', '0');

export const metricToV1 = (metric: v2.MetricSpec): v1.MetricSpec => toV1<v1.MetricSpec>(metric, specPairs);
export const statusToV1 = (status: v2.MetricStatus): v1.MetricStatus => toV1<v1.MetricStatus>(status, statusPairs);
export const statusFromV1 = (status: v1.MetricStatus): v2.MetricStatus => fromV1<v2.MetricStatus>(status, statusPairs);

export function metricFromV1(old: v1.MetricSpec): v2.MetricSpec {
  const metric = fromV1<v2.MetricSpec>(old, specPairs);
  const { object, pods, resource, containerResource, external } = metric;
  for (const { target } of [pods, resource, containerResource].filter((source) => source !== undefined)) {
    target.type = target.averageUtilization === undefined ? 'AverageValue' : 'Utilization';
  }
  if (external) external.target.type = external.target.value === undefined ? 'AverageValue' : 'Value';
  if (object) {
    const { target } = object;
    target.type = target.averageValue === undefined ? 'Value' : 'AverageValue';
    // v1 cannot leave the value out and says 0, which no target may be.
    if (target.averageValue !== undefined && Quantity.parse(target.value ?? '0').isZero) delete target.value;
  }
  return metric;
}

const toV1 = <T>(metric: object, pairs: Pairs): T => converted(metric, pairs, ([old, young, absent]) => [young, old, absent]) as T;
const fromV1 = <T>(metric: object, pairs: Pairs): T => converted(metric, pairs, ([old, young]) => [old, young]) as T;

/** `direction` says from where to where. */
function converted(metric: object, pairs: Pairs, direction: (pair: Pair) => Pair): unknown {
  const given = metric as Readonly<Record<string, Members | undefined>>;
  const result: Members = { type: given['type'] };
  for (const [source, members] of Object.entries(pairs)) {
    const from = given[source];
    if (!from) continue;
    const to: Members = (result[source] = {});
    for (const [fromPath, toPath, absent] of members.map(direction)) put(to, toPath.split('.'), read(from, fromPath.split('.')) ?? absent);
  }
  return result;
}

function read(object: Members, path: readonly string[]): unknown {
  return path.reduce<unknown>((owner, name) => (owner as Members | undefined)?.[name], object);
}

/** Members on the way are there even if there is nothing to put into them. */
function put(object: Members, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length > 0) put((object[name] ??= {}) as Members, rest, value);
  else if (value !== undefined) object[name] = value;
}
