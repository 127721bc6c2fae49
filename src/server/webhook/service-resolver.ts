// Upstream: k8s.io/apiserver/pkg/util/proxy/proxy.go#ResolveCluster
import { notFound, serviceUnavailable } from '../../machinery/errors.ts';
import type { Service } from '../../schema/types/core-v1.ts';
import type { ObjectReader } from '../registry/object-reader.ts';
import type { KubeObject } from '../registry/definition.ts';

export interface ServiceAddress {
  readonly host: string;
  readonly port: number;
}

/** Where a port of a service is to be reached; throws when nowhere. */
export type ServiceResolver = (namespace: string, name: string, port: number) => Promise<ServiceAddress>;

const clusterTypes: ReadonlySet<string> = new Set(['ClusterIP', 'NodePort', 'LoadBalancer']);

/** Where a port of a service is reached: at the address that the cluster gave it. */
export async function resolveService(reader: ObjectReader, namespace: string, name: string, port: number): Promise<ServiceAddress> {
  const service = await reader.get<Service & KubeObject>('', 'services', namespace, name);
  if (service === undefined) throw notFound({ group: '', resource: 'service' }, name);
  const { type = '', clusterIP = '', externalName = '', ports = [] } = service.spec;
  if (type === 'ExternalName') return { host: externalName, port };
  if (!clusterTypes.has(type)) throw new Error(`unsupported service type ${JSON.stringify(type)}`);
  if (type === 'ClusterIP' && clusterIP === 'None') throw new Error('cannot route to service with ClusterIP "None"');
  if (!ports.some((one) => one.port === port)) {
    throw serviceUnavailable(`no service port ${port} found for service ${JSON.stringify(name)}`);
  }
  return { host: clusterIP, port };
}
