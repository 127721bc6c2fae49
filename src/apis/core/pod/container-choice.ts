// Upstream: k8s.io/kubernetes/pkg/registry/core/pod/strategy.go#validateContainer
import { badRequest } from '../../../machinery/errors.ts';
import { allContainers } from '../../common/pod-spec/containers.ts';
import type { PodObject } from './pod-object.ts';

/** The container that a request is about; the only container needs no name. */
export function chooseContainer({ metadata, spec }: PodObject, asked: string): string {
  const name = metadata.name ?? '';
  const names = allContainers(spec).map((each) => each.name);
  if (asked !== '') {
    if (!names.includes(asked)) throw badRequest(`container ${asked} is not valid for pod ${name}`);
    return asked;
  }
  const [only, ...others] = spec.containers ?? [];
  if (only !== undefined && others.length === 0) return only.name;
  const choices = only === undefined ? '' : `, choose one of: [${names.join(' ')}]`;
  throw badRequest(`a container name must be specified for pod ${name}${choices}`);
}
