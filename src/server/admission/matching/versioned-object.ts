// Upstream: k8s.io/apiserver/pkg/admission/conversion.go
import { deepCopy } from '../../../machinery/deep-copy.ts';
import { apiVersionOf } from '../../../machinery/type-model.ts';
import type { KubeObject } from '../../registry/definition.ts';
import type { Resource } from '../../registry/resource.ts';
import { fromStorage, toStorage } from '../../registry/resource.ts';
import type { AdmissionAttributes, AdmittedResource } from '../admission.ts';
import type { Match } from './match-criteria.ts';

/** An object of the request at the version it was matched in, with kind and apiVersion. Only to be read: it may share parts with upstream. */
export function versionedObject<T extends KubeObject | undefined>(object: T, { resource, version, kind }: Match): T {
  if (object === undefined) return object;
  const to = resource.versions.get(version);
  const isOwnKind = kind.kind === resource.kind;
  const converted =
    to === undefined || !isOwnKind || !isStored(resource) || to === resource.storage
      ? object
      : fromStorage(resource, to, deepCopy(object as KubeObject));
  return { ...converted, kind: kind.kind, apiVersion: apiVersionOf(kind) } as T;
}

/** The way back of an object that was changed, which is its caller's own, to how admission hands on what a request is about. */
export function storageObject(object: KubeObject, { resource, version, kind }: Match, attributes: AdmissionAttributes): KubeObject {
  const { versionedKind } = attributes;
  const from = resource.versions.get(version);
  if (from === undefined || kind.kind !== resource.kind || !isStored(resource)) return object;
  // Custom resources are stored by those who write them: each version is a resource of its own.
  return from.profile.isTyped
    ? toStorage(resource, from, object, attributes.object)
    : { ...object, kind: versionedKind.kind, apiVersion: versionedKind.apiVersion };
}

function isStored(resource: AdmittedResource): resource is Resource {
  return 'storage' in resource;
}
