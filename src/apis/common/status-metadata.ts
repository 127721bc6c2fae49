// Upstream: k8s.io/apimachinery/pkg/apis/meta/v1/helpers.go#ResetObjectMetaForStatus
import type { ObjectMeta } from '../../machinery/object-meta.ts';
import { setOrDelete } from '../../server/registry/rules.ts';

const kept = ['deletionTimestamp', 'generation', 'selfLink', 'labels', 'annotations', 'finalizers', 'ownerReferences'] as const;

/** For kinds whose status updates change nothing of the metadata. */
export function resetMetadataForStatus(metadata: ObjectMeta, old: ObjectMeta): void {
  for (const field of kept) setOrDelete(metadata, field, old[field]);
}
