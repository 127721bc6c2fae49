// Upstream: k8s.io/kubernetes/plugin/pkg/admission/limitranger/admission.go
import { requestEntityTooLarge } from '../../machinery/errors.ts';
import type { Container, LimitRange, Pod } from '../../schema/types/core-v1.ts';

const annotation = 'kubernetes.io/limit-ranger';

type Amounts = Record<string, string>;

/** Gives containers what they leave open, and writes down what was given. */
export function applyDefaults(pod: Pod, { spec }: LimitRange): void {
  const requests: Amounts = {};
  const limits: Amounts = {};
  for (const limit of spec.limits ?? []) {
    if (limit.type !== 'Container') continue;
    Object.assign(requests, limit.defaultRequest);
    Object.assign(limits, limit.default);
  }
  checkAmount(pod, [...Object.keys(requests), ...Object.keys(limits)]);
  const given = [
    ...(pod.spec.containers ?? []).flatMap((container) => complete(container, 'container', requests, limits)),
    ...(pod.spec.initContainers ?? []).flatMap((container) => complete(container, 'init container', requests, limits)),
  ];
  if (given.length === 0) return;
  pod.metadata.annotations = { ...pod.metadata.annotations, [annotation]: `LimitRanger plugin set: ${given.join('; ')}` };
}

/** The annotation names each of them for each container, and may have a quarter of that. */
const mostText = 1024 * 1024;

/** Upstream fills in whatever it is, and then refuses the annotation. */
function checkAmount({ spec }: Pod, names: readonly string[]): void {
  const containers = (spec.containers?.length ?? 0) + (spec.initContainers?.length ?? 0);
  const text = names.reduce((sum, { length }) => sum + length + 2, 0) * containers;
  if (text > mostText) throw requestEntityTooLarge(`limit is ${mostText} characters of resources that limit ranges give to containers`);
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
