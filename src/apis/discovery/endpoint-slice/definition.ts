// Upstream: k8s.io/kubernetes/pkg/registry/discovery/endpointslice/strategy.go
import { semanticDeepEqual } from '../../../machinery/deep-equal.ts';
import { FieldPath } from '../../../machinery/field.ts';
import { warningsForIp } from '../../../machinery/ip-validation.ts';
import { nameIsDnsSubdomain } from '../../../machinery/names.ts';
import type { EndpointSlice } from '../../../schema/types/discovery-v1.ts';
import type { FeatureGates } from '../../../server/registry/features.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import { columns } from './columns.ts';
import { validate, validateUpdate } from './validation.ts';

type Slice = EndpointSlice & KubeObject;

const managedBy = 'endpointslice.kubernetes.io/managed-by';
const controllers: readonly string[] = ['endpointslice-controller.k8s.io', 'endpointslicemirroring-controller.k8s.io'];
const hostnameLabel = 'kubernetes.io/hostname';

export const endpointSlices = defineResource<Slice>({
  group: 'discovery.k8s.io',
  plural: 'endpointslices',
  strategy: {
    defaults({ ports }) {
      for (const port of ports ?? []) {
        port.name ??= '';
        port.protocol ??= 'TCP';
      }
    },
    prepareForCreate(slice, { features }) {
      slice.metadata.generation = 1;
      dropDisabledFields(slice, undefined, features);
      dropTopology(slice, undefined);
    },
    prepareForUpdate(slice, old, { features }) {
      if (changed(slice, old)) slice.metadata.generation = (old.metadata.generation ?? 0) + 1;
      dropDisabledFields(slice, old, features);
      dropTopology(slice, old);
    },
    validate,
    validatesMetadataOnUpdate: true,
    validateUpdate,
    warningsOnCreate: (slice) => [
      ...(slice.addressType === 'FQDN' ? ['spec.addressType: FQDN endpoints are deprecated'] : []),
      ...addressWarnings(slice),
    ],
    warningsOnUpdate: addressWarnings,
  },
  columns,
});

/** Labels tell which service a slice belongs to, so they count too. */
function changed(slice: Slice, old: Slice): boolean {
  return (
    !semanticDeepEqual(slice.metadata.labels, old.metadata.labels) ||
    (['addressType', 'endpoints', 'ports'] as const).some((field) => !semanticDeepEqual(slice[field], old[field]))
  );
}

function dropDisabledFields({ endpoints }: Slice, old: Slice | undefined, features: FeatureGates): void {
  if (features.enabled('PreferSameTrafficDistribution')) return;
  if (old?.endpoints?.some(({ hints }) => hints?.forNodes !== undefined)) return;
  for (const { hints } of endpoints ?? []) delete hints?.forNodes;
}

/** The old way to name node and zone cannot be written any more; a node that was known that way moves to its own field. */
function dropTopology({ endpoints }: Slice, old: Slice | undefined): void {
  if (old !== undefined && semanticDeepEqual(old.endpoints, endpoints)) return;
  const known = new Set(old?.endpoints?.map(({ deprecatedTopology }) => deprecatedTopology?.[hostnameLabel]).filter(Boolean));
  for (const endpoint of endpoints ?? []) {
    const node = endpoint.deprecatedTopology?.[hostnameLabel];
    if (endpoint.nodeName === undefined && node !== undefined && known.has(node) && nameIsDnsSubdomain(node, false).length === 0) {
      endpoint.nodeName = node;
    }
    delete endpoint.deprecatedTopology;
  }
}

function addressWarnings({ metadata, endpoints }: Slice): readonly string[] {
  if (controllers.includes(metadata.labels?.[managedBy] ?? '')) return [];
  return (endpoints ?? []).flatMap(({ addresses }, index) =>
    (addresses ?? []).flatMap((address, at) =>
      warningsForIp(address, FieldPath.root('endpoints').index(index).child('addresses').index(at)),
    ),
  );
}
