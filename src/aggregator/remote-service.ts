import type { APIService } from '../schema/types/apiregistration-v1.ts';
import type { KubeObject } from '../server/registry/definition.ts';

export type ApiServiceObject = APIService & KubeObject;

/** A group version that a server behind a service of the cluster serves, and how to reach and trust it. */
export interface RemoteService {
  /** of the APIService, `v1alpha1.wardle.example.com` */
  readonly apiService: string;
  readonly group: string;
  readonly version: string;
  readonly groupPriority: number;
  readonly versionPriority: number;
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
  /** PEM of the authorities that its certificate may be from; undefined: those that the system trusts */
  readonly authorities: string | undefined;
  readonly insecure: boolean;
}

const defaultPort = 443;

/** undefined: the group version is served by this server itself. */
export function remoteServiceOf({ metadata, spec }: ApiServiceObject): RemoteService | undefined {
  const { service, caBundle } = spec;
  if (!service) return undefined;
  return {
    apiService: metadata.name ?? '',
    group: spec.group ?? '',
    version: spec.version ?? '',
    groupPriority: spec.groupPriorityMinimum,
    versionPriority: spec.versionPriority,
    namespace: service.namespace ?? '',
    name: service.name ?? '',
    port: service.port ?? defaultPort,
    authorities: caBundle ? Buffer.from(caBundle, 'base64').toString() : undefined,
    insecure: spec.insecureSkipTLSVerify ?? false,
  };
}

export function isAvailable({ status }: ApiServiceObject): boolean {
  return status?.conditions?.some((condition) => condition.type === 'Available' && condition.status === 'True') ?? false;
}

/** `/apis/wardle.example.com/v1alpha1` */
export function pathOf({ apiService, group, version }: RemoteService): string {
  return apiService === 'v1.' ? `/api/${version}` : `/apis/${group}/${version}`;
}
