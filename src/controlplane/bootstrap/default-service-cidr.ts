// Upstream: k8s.io/kubernetes/pkg/controlplane/controller/defaultservicecidr
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { ManagedFieldsEntry } from '../../machinery/object-meta.ts';
import type { ServiceCIDR } from '../../schema/types/networking-v1.ts';
import type { ObjectReader } from '../../server/registry/object-reader.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import type { ServerWriter } from '../../server/registry/server-writer.ts';
import type { BootstrapHook } from './bootstrap-hook.ts';
import { periodically } from './periodically.ts';

export interface DefaultServiceCidrOptions {
  readonly reader: ObjectReader;
  readonly writer: ServerWriter;
  /** --service-cluster-ip-range */
  readonly serviceRanges: readonly string[];
  readonly clock: Clock;
  readonly log: Logger;
}

const name = 'kubernetes';
const intervalMs = 10_000;

/** The default ServiceCIDR; `exists` resolves when services can have addresses of it. */
export function defaultServiceCidrHook(options: DefaultServiceCidrOptions): { hook: BootstrapHook; exists: Promise<void> } {
  const { reader, writer, serviceRanges, clock, log } = options;
  const exists = Promise.withResolvers<void>();
  const ensure = (): Promise<void> => ensureServiceCidr(reader, writer, serviceRanges);
  const run = async (signal: AbortSignal): Promise<void> => {
    exists.resolve();
    const failed = (error: unknown): void => log.error('the default ServiceCIDR could not be reconciled', { err: error });
    periodically(ensure, { everyMs: intervalMs, clock, signal, failed });
  };
  return { hook: { name: 'start-kubernetes-service-cidr-controller', begin: ensure, run }, exists: exists.promise };
}

type ServiceCidrObject = ServiceCIDR & KubeObject;

async function ensureServiceCidr(reader: ObjectReader, writer: ServerWriter, cidrs: readonly string[]): Promise<void> {
  await writer.ensure('networking.k8s.io', 'servicecidrs', { metadata: { name }, spec: { cidrs } });
  const resource = reader.resource('networking.k8s.io', 'servicecidrs');
  const context = writer.context('v1', '', name);
  const sameStart = ({ spec }: ServiceCidrObject): boolean => spec.cidrs?.length === 1 && spec.cidrs[0] === cidrs[0];
  const stored = (await reader.require('networking.k8s.io', 'servicecidrs', '', name)) as ServiceCidrObject;
  if (cidrs.length === 2 && sameStart(stored)) {
    await writer.store(resource, context, {
      transform: (existing) => ({ ...structuredClone(existing as ServiceCidrObject), spec: { cidrs } }),
    });
  }
  // A condition set by another server stays, and a range that is not the configured one is not for this server to call ready.
  const matches = JSON.stringify(stored.spec.cidrs) === JSON.stringify(cidrs);
  if (!matches || stored.metadata.deletionTimestamp !== undefined || isReady(stored) !== undefined) return;
  await writer.store(
    resource,
    { ...context, subresource: 'status' },
    {
      subresourceUpdate: {},
      transform: (existing) => markReady(structuredClone(existing as ServiceCidrObject), context.now),
    },
  );
}

function isReady({ status }: ServiceCidrObject): boolean | undefined {
  const condition = status?.conditions?.find(({ type }) => type === 'Ready');
  return condition === undefined || condition.status === 'Unknown' ? undefined : condition.status === 'True';
}

function markReady(cidr: ServiceCidrObject, now: string): ServiceCidrObject {
  const message = 'Kubernetes default Service CIDR is ready';
  const owned: ManagedFieldsEntry = {
    manager: 'kubernetes-service-cidr-controller',
    operation: 'Apply',
    apiVersion: 'networking.k8s.io/v1',
    time: now,
    fieldsType: 'FieldsV1',
    fieldsV1: {
      'f:status': {
        'f:conditions': {
          'k:{"type":"Ready"}': { '.': {}, 'f:lastTransitionTime': {}, 'f:message': {}, 'f:status': {}, 'f:type': {} },
        },
      },
    },
    subresource: 'status',
  };
  return {
    ...cidr,
    metadata: { ...cidr.metadata, managedFields: [owned, ...(cidr.metadata.managedFields ?? [])] },
    status: { conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: now, reason: '', message }] },
  };
}
