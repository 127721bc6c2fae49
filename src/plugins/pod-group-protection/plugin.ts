// Upstream: k8s.io/kubernetes/plugin/pkg/admission/scheduling/podgroupprotection/admission.go
import { definePlugin } from '../../server/admission/plugin.ts';
import { isForResource } from '../common/request-matching.ts';

const finalizer = 'scheduling.k8s.io/podgroup-protection';

/** A group stays until its pods are gone: a controller takes the finalizer away then. */
export const podGroupProtection = definePlugin({
  name: 'PodGroupProtection',
  enabledByDefault: true,
  create: ({ features }) => ({
    handles: (attributes) =>
      attributes.operation === 'CREATE' &&
      isForResource(attributes, 'scheduling.k8s.io', 'podgroups') &&
      features.enabled('GenericWorkload'),
    mutate({ object }) {
      if (object === undefined || object.metadata.finalizers?.includes(finalizer)) return;
      object.metadata.finalizers = [...(object.metadata.finalizers ?? []), finalizer];
    },
  }),
});
