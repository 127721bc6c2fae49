// Upstream: k8s.io/apiserver/pkg/endpoints/installer.go#GetResourceKind, k8s.io/apimachinery/pkg/runtime/mapper.go
import type { GroupVersionKind } from '../../../machinery/type-model.ts';
import type { AdmissionAttributes, AdmittedResource } from '../admission.ts';

const scaleKind: GroupVersionKind = { group: 'autoscaling', version: 'v1', kind: 'Scale' };

/** The kind that requests to a resource, or to one of its subresources, are about; undefined when there is no such subresource. */
export function kindAt(resource: AdmittedResource, version: string, subresource: string): GroupVersionKind | undefined {
  const { group, kind, subresourceKinds } = resource;
  if (subresource === '') return { group, version, kind };
  if (subresourceKinds !== undefined) {
    const known = subresourceKinds.get(subresource);
    return known && { group: known.group ?? group, version: known.version ?? version, kind: known.kind };
  }
  // Custom resources have these two, and all versions of one have the same as far as admission knows.
  if (subresource === 'status') return { group, version, kind };
  return subresource === 'scale' ? scaleKind : undefined;
}

/** The kind that a request is about. */
export function requestKind({
  resource,
  version,
  subresource,
}: Pick<AdmissionAttributes, 'resource' | 'version' | 'subresource'>): GroupVersionKind {
  const { group, kind } = resource;
  return kindAt(resource, version, subresource) ?? { group, version, kind };
}

/** The namespace of a request; that of a namespace is itself. */
export function requestNamespace({ resource, namespace, name }: AdmissionAttributes): string {
  return namespace === '' && isNamespace(resource) ? name : namespace;
}

export function isNamespace({ group, kind }: AdmittedResource): boolean {
  return kind === 'Namespace' && group === '';
}
