// Upstream: k8s.io/kubernetes/plugin/pkg/admission/alwayspullimages/admission.go
import { ApiError, failure } from '../../machinery/errors.ts';
import { FieldPath, aggregateMessages, notSupported } from '../../machinery/field.ts';
import type { FieldError } from '../../machinery/field.ts';
import type { Pod, PodSpec } from '../../schema/types/core-v1.ts';
import { forbid } from '../../server/admission/forbid.ts';
import { definePlugin } from '../../server/admission/plugin.ts';
import type { AttributesOf } from '../../server/admission/requests-for.ts';
import { admitting, requestsFor } from '../../server/admission/requests-for.ts';

const fields = ['initContainers', 'containers', 'ephemeralContainers'] as const;
const pods = requestsFor<Pod>('', 'pods');
const always = 'Always';

/** A pod cannot use an image that only another pod had the right to pull: every start asks the registry again. */
export const alwaysPullImages = definePlugin({
  name: 'AlwaysPullImages',
  enabledByDefault: false,
  create: () =>
    admitting(pods.on(['CREATE', 'UPDATE'], bringsImages), {
      mutate({ object: { spec } }) {
        for (const field of fields) for (const container of spec[field] ?? []) container.imagePullPolicy = always;
        for (const { image } of spec.volumes ?? []) if (image !== undefined) image.pullPolicy = always;
      },
      validate(attributes) {
        const refusals = [...wrongPolicies(attributes.object.spec)].map((error) => forbid(attributes, String(error)).message);
        // Kept for compatibility: several errors as one have no reason, even when it is only one.
        if (refusals.length > 0) throw new ApiError(failure(500, '', aggregateMessages(refusals)));
      },
    }),
});

/** An update that runs nothing new leaves the pod as it was. */
function bringsImages({ object, old }: AttributesOf<Pod, 'CREATE' | 'UPDATE'>): boolean {
  if (old === undefined) return true;
  const known = new Set(imagesOf(old));
  return imagesOf(object).some((image) => !known.has(image));
}

function imagesOf({ spec }: Pod): string[] {
  return fields.flatMap((field) => (spec[field] ?? []).map(({ image = '' }) => image));
}

function* wrongPolicies(spec: PodSpec): Iterable<FieldError> {
  for (const field of fields) {
    for (const [index, { imagePullPolicy = '' }] of (spec[field] ?? []).entries()) {
      if (imagePullPolicy === always) continue;
      yield notSupported(FieldPath.root('spec', field).index(index).child('imagePullPolicy'), imagePullPolicy, [always]);
    }
  }
  for (const [index, { image }] of (spec.volumes ?? []).entries()) {
    if (image === undefined || image.pullPolicy === always) continue;
    yield notSupported(FieldPath.root('spec', 'volumes').index(index).child('image').child('pullPolicy'), image.pullPolicy ?? '', [always]);
  }
}
