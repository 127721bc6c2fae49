import { setTimeout as sleep } from 'node:timers/promises';
import type { ObjectMeta, OwnerReference } from '../../src/machinery/object-meta.ts';
import type { ApiServerProcess } from '../servers/api-server-process.ts';
import { normalise } from './normalise.ts';

export interface Thing {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly [field: string]: unknown;
}

export interface Owner {
  readonly object: Pick<Thing, 'apiVersion' | 'kind' | 'metadata'>;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

interface Details {
  readonly owners?: readonly Owner[];
  readonly finalizers?: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly spec?: object;
  readonly fields?: object;
}

interface Kind {
  readonly root: string;
  readonly kind: string;
  readonly ofCluster?: boolean;
  readonly fields?: object;
  /** what controllers maintain in it beside metadata */
  readonly tells?: readonly string[];
}

const labels = { app: 'x' };
const containers = [{ name: 'c', image: 'example.com/x' }];
const template = { metadata: { labels }, spec: { containers } };

const kinds: Readonly<Record<string, Kind>> = {
  configmaps: { root: '/api/v1', kind: 'ConfigMap' },
  secrets: { root: '/api/v1', kind: 'Secret' },
  serviceaccounts: { root: '/api/v1', kind: 'ServiceAccount' },
  services: { root: '/api/v1', kind: 'Service', fields: { spec: { ports: [{ port: 80 }], clusterIP: 'None' } } },
  endpoints: { root: '/api/v1', kind: 'Endpoints', tells: ['subsets'] },
  endpointslices: { root: '/apis/discovery.k8s.io/v1', kind: 'EndpointSlice', tells: ['addressType', 'endpoints', 'ports'] },
  poddisruptionbudgets: { root: '/apis/policy/v1', kind: 'PodDisruptionBudget', tells: ['status'] },
  nodes: { root: '/api/v1', kind: 'Node', ofCluster: true },
  pods: { root: '/api/v1', kind: 'Pod', fields: { spec: { containers } }, tells: ['status'] },
  deployments: { root: '/apis/apps/v1', kind: 'Deployment', fields: { spec: { selector: { matchLabels: labels }, template } } },
  replicasets: { root: '/apis/apps/v1', kind: 'ReplicaSet', fields: { spec: { selector: { matchLabels: labels }, template } } },
  jobs: { root: '/apis/batch/v1', kind: 'Job', fields: { spec: { template: { spec: { containers, restartPolicy: 'Never' } } } } },
  roles: { root: '/apis/rbac.authorization.k8s.io/v1', kind: 'Role' },
  clusterroles: { root: '/apis/rbac.authorization.k8s.io/v1', kind: 'ClusterRole', ofCluster: true },
  things: { root: '/apis/example.com/v1', kind: 'Thing' },
  wholes: { root: '/apis/example.com/v1', kind: 'Whole', ofCluster: true },
};

/** A namespace, and objects of the cluster whose names begin with it, that one scenario has to itself. */
export class Estate {
  readonly namespace: string;
  readonly #server: ApiServerProcess;
  #elsewhere: Estate | undefined;

  constructor(server: ApiServerProcess, namespace: string) {
    this.#server = server;
    this.namespace = namespace;
  }

  /** The name that an object of the cluster has. */
  clusterName(name: string): string {
    return `${this.namespace}-at-${name}`;
  }

  /** Another namespace of the same scenario. */
  get elsewhere(): Estate {
    return (this.#elsewhere ??= new Estate(this.#server, `${this.namespace}-elsewhere`));
  }

  /** Resolves when pods can be created, which takes controllers that fill namespaces. */
  async found(): Promise<void> {
    for (const name of [this.namespace, this.elsewhere.namespace]) {
      await this.#server.post('/api/v1/namespaces', { metadata: { name } });
      const account = `/api/v1/namespaces/${name}/serviceaccounts/default`;
      while ((await this.#server.request('GET', account)).status !== 200) await sleep(50);
    }
  }

  async create(plural: string, name: string, { owners = [], finalizers, labels: ownLabels, spec, fields }: Details = {}): Promise<Thing> {
    const { root, kind, fields: usual = {} } = kindOf(plural);
    const apiVersion = root.replace(/^\/apis?\//, '');
    const metadata = {
      name: this.#name(plural, name),
      ...(owners.length > 0 && { ownerReferences: owners.map(reference) }),
      ...(finalizers !== undefined && { finalizers }),
      ...(ownLabels !== undefined && { labels: ownLabels }),
    };
    const usualSpec = (usual as { spec?: object }).spec;
    const body = { apiVersion, kind, metadata, ...usual, ...(spec !== undefined && { spec: { ...usualSpec, ...spec } }), ...fields };
    return (await this.#server.post(this.#path(plural), body)) as Thing;
  }

  async setOwners(plural: string, name: string, owners: readonly Owner[]): Promise<void> {
    await this.patch(plural, name, { metadata: { ownerReferences: owners.map(reference) } });
  }

  async patch(plural: string, name: string, patch: object): Promise<void> {
    await this.#do('PATCH', `${this.#path(plural)}/${this.#name(plural, name)}`, patch);
  }

  async patchStatus(plural: string, name: string, status: object): Promise<void> {
    await this.#do('PATCH', `${this.#path(plural)}/${this.#name(plural, name)}/status`, { status });
  }

  async delete(plural: string, name: string, propagationPolicy: string, options: object = {}): Promise<void> {
    const body = { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy, ...options };
    await this.#do('DELETE', `${this.#path(plural)}/${this.#name(plural, name)}`, body);
  }

  async deleteNamespace(): Promise<void> {
    await this.#do('DELETE', `/api/v1/namespaces/${this.namespace}`);
  }

  async patchNamespace(patch: object): Promise<void> {
    await this.#do('PATCH', `/api/v1/namespaces/${this.namespace}`, patch);
  }

  /** What controllers maintain, a line for each object; the same for every server that does the same. */
  async describe(): Promise<string[]> {
    const namespaces = [this.namespace, this.elsewhere.namespace];
    const lines: string[] = [];
    for (const name of namespaces) {
      const { status, body } = await this.#server.request('GET', `/api/v1/namespaces/${name}`);
      if (status === 200) lines.push(lineOf('namespaces', JSON.parse(body) as Thing, ['spec', 'status']));
    }
    for (const plural of [...Object.keys(kinds), 'events']) {
      const kind: Kind = plural === 'events' ? { root: '/api/v1', kind: 'Event' } : kindOf(plural);
      const { root, ofCluster = false, tells = [] } = kind;
      const { body } = await this.#server.request('GET', `${root}/${plural}`);
      for (const item of (JSON.parse(body) as { items: Thing[] }).items) {
        const { namespace = '', name = '' } = item.metadata;
        if (ofCluster ? !name.startsWith(this.clusterName('')) : !namespaces.includes(namespace)) continue;
        if (plural === 'events' && untold.includes((item['involvedObject'] as { kind?: string }).kind ?? '')) continue;
        const ofEvents = ['reason', 'message', 'type', 'count', 'source', 'reportingComponent', 'involvedObject'];
        lines.push(lineOf(plural, item, ['data', 'rules', ...ofEvents, ...tells]));
      }
    }
    return lines.toSorted();
  }

  #name(plural: string, name: string): string {
    return kindOf(plural).ofCluster ? this.clusterName(name) : name;
  }

  #path(plural: string): string {
    const { root, ofCluster } = kindOf(plural);
    return ofCluster ? `${root}/${plural}` : `${root}/namespaces/${this.namespace}/${plural}`;
  }

  async #do(method: string, path: string, body?: object): Promise<void> {
    const answer = await this.#server.request(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.body}`);
  }
}

/** Kinds whose events only upstream's controllers write. */
const untold: readonly string[] = ['PodDisruptionBudget', 'Endpoints', 'Service'];

function kindOf(plural: string): Kind {
  const kind = kinds[plural];
  if (kind === undefined) throw new Error(`no kind for ${plural}`);
  return kind;
}

function reference({ object, ...rest }: Owner): OwnerReference {
  const { apiVersion, kind, metadata } = object;
  return { apiVersion, kind, name: metadata.name ?? '', uid: metadata.uid ?? '', ...rest };
}

function lineOf(plural: string, object: Thing, fields: readonly string[]): string {
  const { name, namespace, finalizers, ownerReferences, deletionTimestamp, managedFields = [], annotations } = object.metadata;
  const managers = managedFields.map(({ manager, operation, subresource = '' }) => `${manager} ${operation} ${subresource}`).toSorted();
  const told = Object.fromEntries(fields.map((field) => [field, inOrder(object[field])]));
  // Depends on which of several changes a controller sees first.
  const { 'endpoints.kubernetes.io/last-change-trigger-time': _time, ...noted } = annotations ?? {};
  const seen = { finalizers, ownerReferences, deleted: deletionTimestamp !== undefined, managers, annotations: noted, ...told };
  const shown = { events: 'EVENT', endpointslices: 'SLICE' }[plural] ?? name;
  const authority = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----(\\n)?/g;
  return normalise(`${plural} ${namespace ?? ''}/${shown} ${JSON.stringify(seen)}`).replace(authority, 'AUTHORITY');
}

/** Lists whose order upstream leaves to chance. */
function inOrder(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  const sorted = (entry: unknown): unknown =>
    typeof entry === 'object' && entry !== null
      ? Object.fromEntries(
          Object.entries(entry).map(([key, part]) => [key, key.endsWith('ddresses') || key === 'ports' ? inOrder(part) : part]),
        )
      : entry;
  const text = (entry: unknown): string => normalise(JSON.stringify(entry));
  return value.map(sorted).toSorted((left, right) => (text(left) < text(right) ? -1 : 1));
}
