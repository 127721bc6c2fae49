// Upstream: k8s.io/kubernetes/pkg/registry/core/node/strategy.go, k8s.io/kubernetes/pkg/apis/core/v1/{conversion,defaults}.go
import { append } from '../../../machinery/append.ts';
import { warningsForCidr } from '../../../machinery/ip-validation.ts';
import type { NodeSpec } from '../../../schema/types/core-v1.ts';
import type { ResourceDefinition } from '../../../server/registry/definition.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import type { FeatureGates } from '../../../server/registry/features.ts';
import type { OutgoingConnections } from '../../common/kubelet.ts';
import { roundResources } from '../../common/pod-spec/defaults.ts';
import { columns } from './columns.ts';
import { proxy } from './proxy.ts';
import { podCidrsPath, validate, validateChange, validateUpdate } from './validation.ts';
import type { NodeObject } from './validation.ts';

export function nodes({ outgoing }: { readonly outgoing: OutgoingConnections }): ResourceDefinition {
  return defineResource<NodeObject>({
    group: '',
    plural: 'nodes',
    strategy: {
      // A kubelet registers its node with a status.
      keepsStatusOnCreate: true,
      defaults({ spec, status }) {
        unifyPodCidrs(spec);
        roundResources(status.capacity);
        roundResources(status.allocatable);
        if (status.capacity !== undefined) status.allocatable ??= { ...status.capacity };
      },
      prepareForCreate(node, { features }) {
        delete node.spec.configSource;
        delete node.status.config;
        dropDisabledFields(node, undefined, features);
      },
      prepareForUpdate(node, old, { features }) {
        if (old.spec.configSource === undefined) delete node.spec.configSource;
        dropDisabledFields(node, old, features);
      },
      validate,
      validatesMetadataOnUpdate: true,
      validateUpdate,
      warningsOnCreate: warnings,
      warningsOnUpdate: warnings,
    },
    status: {
      prepareForUpdate(node, old, { features }) {
        node.spec = old.spec;
        if (old.status.config === undefined) delete node.status.config;
        const { nodeInfo } = node.status;
        if (!features.enabled('KubeletInUserNamespace') && old.status.nodeInfo.runningInUserNamespace === undefined) {
          delete nodeInfo.runningInUserNamespace;
        }
      },
      validateUpdate: validateChange,
    },
    selectableFields: { 'spec.unschedulable': ({ spec }) => String(spec.unschedulable ?? false) },
    unknownFieldLabel: (label) => `field label not supported: ${label}`,
    subresources: { proxy: proxy(outgoing) },
    columns,
  });
}

/** Two names for one field. The older one wins where they differ, since old clients know no other. */
function unifyPodCidrs(spec: NodeSpec): void {
  const { podCIDR = '', podCIDRs = [] } = spec;
  if (podCIDR !== '' && podCIDR !== podCIDRs[0]) spec.podCIDRs = [podCIDR];
  else if (podCIDRs[0] !== undefined) spec.podCIDR = podCIDRs[0];
}

function dropDisabledFields({ spec, status }: NodeObject, old: NodeObject | undefined, features: FeatureGates): void {
  if (!features.enabled('RecursiveReadOnlyMounts') && !features.enabled('UserNamespacesSupport')) delete status.runtimeHandlers;
  if (!features.enabled('SupplementalGroupsPolicy') && old?.status.features?.supplementalGroupsPolicy === undefined) delete status.features;
  if (!features.enabled('NodeDeclaredFeatures') && !old?.status.declaredFeatures?.length) delete status.declaredFeatures;
  if (!features.enabled('InPlacePodVerticalScalingSchedulerPreemption') && old?.spec.podPreemptionPolicy === undefined) {
    delete spec.podPreemptionPolicy;
  }
}

function warnings({ spec }: NodeObject): string[] {
  const found: string[] = [];
  if (spec.configSource !== undefined) found.push('spec.configSource: the feature is removed');
  if (spec.externalID) found.push('spec.externalID: this field is deprecated, and is unused by Kubernetes');
  spec.podCIDRs?.forEach((cidr, index) => append(found, warningsForCidr(cidr, podCidrsPath.index(index))));
  return found;
}
