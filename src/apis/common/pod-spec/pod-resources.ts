// Upstream: k8s.io/component-helpers/resource/helpers.go
import { Quantity } from '../../../machinery/quantity.ts';
import type { Container, PodSpec } from '../../../schema/types/core-v1.ts';
import { isHugePages } from '../resource-names.ts';
import { isRestartableInitContainer } from './containers.ts';

export type ResourceAmounts = Map<string, Quantity>;

/** What a pod as a whole may ask for. */
export function isPodLevelResource(name: string): boolean {
  return name === 'cpu' || name === 'memory' || isHugePages(name);
}

export const podLevelResourceNames: readonly string[] = ['cpu', 'hugepages-', 'memory'];

export function amountsOf(resources: Readonly<Record<string, string>> | undefined): ResourceAmounts {
  const amounts: ResourceAmounts = new Map();
  for (const name in resources) amounts.set(name, Quantity.parse(resources[name] as string));
  return amounts;
}

/** What the containers need together: those that run side by side add up, those that run one after the other count by the largest. */
export function aggregateContainers(spec: PodSpec, side: 'requests' | 'limits'): ResourceAmounts {
  const of = ({ resources }: Container): ResourceAmounts => amountsOf(resources?.[side]);
  const total: ResourceAmounts = new Map();
  for (const container of spec.containers ?? []) addTo(total, of(container));
  const sidecars: ResourceAmounts = new Map();
  const largest: ResourceAmounts = new Map();
  for (const container of spec.initContainers ?? []) {
    const own = of(container);
    if (isRestartableInitContainer(container)) {
      addTo(total, own);
      addTo(sidecars, own);
      raiseTo(largest, sidecars);
    } else {
      addTo(own, sidecars);
      raiseTo(largest, own);
    }
  }
  raiseTo(total, largest);
  return total;
}

/** What the pod's containers, or the pod itself, ask for, and what its runtime adds. */
export function podAmounts(spec: PodSpec, side: 'requests' | 'limits', podLevelResources: boolean): ResourceAmounts {
  const total = aggregateContainers(spec, side);
  if (podLevelResources) {
    for (const [name, quantity] of amountsOf(spec.resources?.[side])) if (isPodLevelResource(name)) total.set(name, quantity);
  }
  for (const [name, quantity] of amountsOf(spec.overhead)) {
    const own = total.get(name);
    if (side === 'requests') total.set(name, own?.add(quantity) ?? quantity);
    else if (own !== undefined && !own.isZero) total.set(name, own.add(quantity));
  }
  return total;
}

function addTo(total: ResourceAmounts, more: ReadonlyMap<string, Quantity>): void {
  for (const [name, quantity] of more) total.set(name, total.get(name)?.add(quantity) ?? quantity);
}

function raiseTo(total: ResourceAmounts, other: ReadonlyMap<string, Quantity>): void {
  for (const [name, quantity] of other) {
    const present = total.get(name);
    if (present === undefined || quantity.compare(present) > 0) total.set(name, quantity);
  }
}
