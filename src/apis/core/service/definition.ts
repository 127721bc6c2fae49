// Upstream: k8s.io/kubernetes/pkg/registry/core/service/strategy.go, k8s.io/kubernetes/pkg/registry/core/service/storage/storage.go
import { nameIsDns1035Label, nameIsDnsLabel } from '../../../machinery/names.ts';
import type { ResourceDefinition } from '../../../server/registry/definition.ts';
import { defineResource } from '../../../server/registry/definition.ts';
import type { FeatureGates } from '../../../server/registry/features.ts';
import type { OutgoingConnections } from '../../common/kubelet.ts';
import type { IpFamily } from '../../common/service-network/cluster-ip-pool.ts';
import { NodePortPool } from '../../common/service-network/node-port-pool.ts';
import type { PortRange } from '../../common/service-network/port-bitmap.ts';
import type { MetricsRegistry } from '../../../base/metrics.ts';
import { addressMetrics, nodePortMetrics } from '../../common/service-network/allocator-metrics.ts';
import { ServiceAllocation } from '../../common/service-network/allocation.ts';
import { serviceColumns } from './columns.ts';
import { defaultService } from './defaults.ts';
import { proxy } from './proxy.ts';
import { dropFieldsOfOldType } from '../../common/service-network/linked-fields.ts';
import type { ServiceObject } from '../../common/service-network/service-object.ts';
import { validateService, validateServiceStatus, validateServiceUpdate } from './validation.ts';
import { serviceStatusWarnings, serviceWarnings } from './warnings.ts';

export interface ServiceOptions {
  /** --service-cluster-ip-range */
  readonly ranges: readonly string[];
  readonly nodePorts: PortRange;
  readonly storagePrefix: string;
}

interface Options {
  readonly metrics: MetricsRegistry;
  readonly features: FeatureGates;
  readonly services: ServiceOptions;
  readonly outgoing: OutgoingConnections;
}

export function services({ metrics, features, services: { ranges, nodePorts, storagePrefix }, outgoing }: Options): ResourceDefinition {
  const families = ranges.map((range): IpFamily => (range.includes(':') ? 'IPv6' : 'IPv4'));
  const allocation = new ServiceAllocation(
    families,
    new NodePortPool(nodePorts, storagePrefix, nodePortMetrics(metrics)),
    addressMetrics(metrics),
  );
  return defineResource<ServiceObject>({
    group: '',
    plural: 'services',
    strategy: {
      allowCreateOnUpdate: true,
      returnDeletedObject: true,
      validateName: features.enabled('RelaxedServiceNameValidation') ? nameIsDnsLabel : nameIsDns1035Label,
      defaults: defaultService,
      prepareForCreate(service) {
        service.status = { loadBalancer: {} };
      },
      prepareForUpdate: dropFieldsOfOldType,
      validate: (service, { features }) => validateService(service, undefined, features),
      validateUpdate: (service, old, { features }) => validateServiceUpdate(service, old, features),
      warningsOnCreate: serviceWarnings,
      warningsOnUpdate: serviceWarnings,
      canonicalize({ spec }) {
        // Once defaulted by mistake for this type; upstream leaves it out whenever it is read.
        if (spec.type === 'ExternalName') delete spec.internalTrafficPolicy;
      },
      beginCreate: (service, context) => allocation.beginCreate(service, context),
      beginUpdate: (service, old, context) => allocation.beginUpdate(service, old, context),
      beginDelete: (service, context) => allocation.beginDelete(service, context),
    },
    status: {
      validateUpdate: (service, old, { features }) => validateServiceStatus(service, old, features),
      warningsOnUpdate: serviceStatusWarnings,
    },
    subresources: { proxy: proxy(outgoing, families[0]) },
    selectableFields: {
      'spec.clusterIP': ({ spec }) => spec.clusterIP ?? '',
      'spec.type': ({ spec }) => spec.type ?? '',
    },
    unknownFieldLabel: (label) => `field label not supported: ${label}`,
    columns: serviceColumns,
  });
}
