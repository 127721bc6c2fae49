// Upstream: k8s.io/kubernetes/plugin/pkg/admission/limitranger/admission.go
import { requestEntityTooLarge } from '../../machinery/errors.ts';
import type { Container, LimitRange, Pod } from '../../schema/types/core-v1.ts';

const annotation = 'kubernetes.io/limit-ranger';

type Amounts = Record<string, string>;
type Side = 'requests' | 'limits';

/** Characters of names of resources that all ranges together give to containers: beyond it the pod could not be stored. */
const mostText = 1024 * 1024;

/**
 * Gives containers what they leave open, range by range, and writes down what the last one gave. A range that has nothing to give costs as
 * much as it is long, however many containers there are: how many of them have a resource is known.
 */
export class Defaults {
  readonly #pod: Pod;
  readonly #containers: readonly (readonly [noun: string, container: Container])[];
  readonly #having: Readonly<Record<Side, Map<string, number>>> = { requests: new Map(), limits: new Map() };
  #text = 0;

  constructor(pod: Pod) {
    this.#pod = pod;
    this.#containers = [
      ...(pod.spec.containers ?? []).map((container) => ['container', container] as const),
      ...(pod.spec.initContainers ?? []).map((container) => ['init container', container] as const),
    ];
    for (const [, container] of this.#containers) {
      for (const side of ['requests', 'limits'] as const) {
        const having = this.#having[side];
        for (const name of Object.keys(container.resources?.[side] ?? {})) having.set(name, (having.get(name) ?? 0) + 1);
      }
    }
  }

  apply({ spec }: LimitRange): void {
    const requests: Amounts = {};
    const limits: Amounts = {};
    for (const limit of spec.limits ?? []) {
      if (limit.type !== 'Container') continue;
      Object.assign(requests, limit.defaultRequest);
      Object.assign(limits, limit.default);
    }
    const isComplete = [this.#count('requests', requests), this.#count('limits', limits)].every((missing) => missing === 0);
    if (isComplete) return;
    const given = this.#containers.flatMap(([noun, container]) => complete(container, noun, requests, limits));
    this.#pod.metadata.annotations = { ...this.#pod.metadata.annotations, [annotation]: `LimitRanger plugin set: ${given.join('; ')}` };
  }

  /** How many of these amounts containers are to be given; from now on all have them. Upstream fills in whatever it is, and then refuses the annotation. */
  #count(side: Side, amounts: Amounts): number {
    const having = this.#having[side];
    let missing = 0;
    for (const name of Object.keys(amounts)) {
      const without = this.#containers.length - (having.get(name) ?? 0);
      missing += without;
      this.#text += (name.length + 2) * without;
      having.set(name, this.#containers.length);
    }
    if (this.#text > mostText)
      throw requestEntityTooLarge(`limit is ${mostText} characters of resources that limit ranges give to containers`);
    return missing;
  }
}

function complete(container: Container, noun: string, requests: Amounts, limits: Amounts): string[] {
  container.resources ??= {};
  const { resources, name } = container;
  const newLimits = missing(limits, resources.limits);
  const newRequests = missing(requests, resources.requests);
  if (newLimits.length > 0) resources.limits = { ...limits, ...resources.limits };
  if (newRequests.length > 0) resources.requests = { ...requests, ...resources.requests };
  return [
    ...(newRequests.length > 0 ? [`${newRequests.join(', ')} request for ${noun} ${name}`] : []),
    ...(newLimits.length > 0 ? [`${newLimits.join(', ')} limit for ${noun} ${name}`] : []),
  ];
}

function missing(defaults: Amounts, own: Amounts | undefined): string[] {
  return Object.keys(defaults)
    .filter((name) => own?.[name] === undefined)
    .toSorted();
}
