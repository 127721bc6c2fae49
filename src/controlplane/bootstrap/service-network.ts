// Upstream: k8s.io/kubernetes/pkg/controlplane/controller/{defaultservicecidr,kubernetesservice}
import { formatIp, isIpv4, parseCidr, parseIp } from '../../machinery/ip.ts';
import type { Cidr } from '../../machinery/ip.ts';
import type { ManagedFieldsEntry } from '../../machinery/object-meta.ts';
import type { ServiceCIDR } from '../../schema/types/networking-v1.ts';
import type { PostStartHook } from '../../server/api-server.ts';
import type { ObjectReader } from '../../server/registry/object-reader.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import type { ServerWriter } from '../../server/registry/server-writer.ts';

export interface ServiceNetworkOptions {
  readonly reader: ObjectReader;
  readonly writer: ServerWriter;
  /** --service-cluster-ip-range */
  readonly serviceRanges: readonly string[];
  /** where others reach this server, when they can; its port is known once it listens */
  readonly advertised: Promise<AdvertisedAddress>;
}

export interface AdvertisedAddress {
  /** undefined: nobody but this machine can reach it, so the kubernetes service has no endpoints */
  readonly address: string | undefined;
  readonly port: number;
}

const name = 'kubernetes';
const namespace = 'default';
const servicePort = 443;

/** The default ServiceCIDR, and the `kubernetes` Service through which pods find this server. */
export function serviceNetworkHooks(options: ServiceNetworkOptions): PostStartHook[] {
  const { reader, writer, serviceRanges } = options;
  const cidr = Promise.withResolvers<void>();
  return [
    {
      name: 'start-kubernetes-service-cidr-controller',
      run: async () => {
        await ensureServiceCidr(reader, writer, serviceRanges).then(cidr.resolve, cidr.reject);
        await cidr.promise;
      },
    },
    {
      name: 'bootstrap-controller',
      run: async () => {
        await cidr.promise;
        const { address, port } = await options.advertised;
        await writer.ensure('', 'services', kubernetesService(serviceRanges[0] as string, port));
        if (address === undefined) return;
        await Promise.all([
          writer.put('', 'endpoints', endpoints(address, port)),
          writer.put('discovery.k8s.io', 'endpointslices', endpointSlice(address, port)),
        ]);
      },
    },
  ];
}

type ServiceCidrObject = ServiceCIDR & KubeObject;

async function ensureServiceCidr(reader: ObjectReader, writer: ServerWriter, cidrs: readonly string[]): Promise<void> {
  await writer.ensure('networking.k8s.io', 'servicecidrs', { metadata: { name }, spec: { cidrs } });
  const { store } = reader.resource('networking.k8s.io', 'servicecidrs');
  const context = writer.context('v1', '', name);
  const sameStart = ({ spec }: ServiceCidrObject): boolean => spec.cidrs?.length === 1 && spec.cidrs[0] === cidrs[0];
  const stored = (await reader.require('networking.k8s.io', 'servicecidrs', '', name)) as ServiceCidrObject;
  if (cidrs.length === 2 && sameStart(stored)) {
    await store.update(name, context, {
      transform: (existing) => ({ ...structuredClone(existing as ServiceCidrObject), spec: { cidrs } }),
    });
  }
  // Somebody else's answer stays, and a range that is not the configured one is not for this server to call ready.
  const matches = JSON.stringify(stored.spec.cidrs) === JSON.stringify(cidrs);
  if (!matches || stored.metadata.deletionTimestamp !== undefined || isReady(stored) !== undefined) return;
  await store.update(
    name,
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

/** The first address of the range. */
export function serviceAddress(range: string): string {
  return formatIp((parseCidr(range) as Cidr).network + 1n);
}

function kubernetesService(range: string, targetPort: number): KubeObject {
  return {
    metadata: { name, namespace, labels: { provider: 'kubernetes', component: 'apiserver' } },
    spec: {
      ports: [{ name: 'https', protocol: 'TCP', port: servicePort, targetPort }],
      clusterIP: serviceAddress(range),
      type: 'ClusterIP',
      sessionAffinity: 'None',
      ipFamilyPolicy: 'SingleStack',
    },
  };
}

function endpoints(ip: string, port: number): KubeObject {
  return {
    // This server writes the slice itself.
    metadata: { name, namespace, labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } },
    subsets: [{ addresses: [{ ip }], ports: [{ name: 'https', port, protocol: 'TCP' }] }],
  };
}

function endpointSlice(address: string, port: number): KubeObject {
  const ip = parseIp(address);
  return {
    metadata: { name, namespace, labels: { 'kubernetes.io/service-name': name } },
    addressType: ip !== undefined && isIpv4(ip) ? 'IPv4' : 'IPv6',
    endpoints: [{ addresses: [address], conditions: { ready: true } }],
    ports: [{ name: 'https', port, protocol: 'TCP' }],
  };
}
