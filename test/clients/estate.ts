import { X509Certificate } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { readCertificate } from '../../src/base/x509/certificate.ts';
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
  /** beside what has a place of its own */
  readonly metadata?: object;
  /** of the request */
  readonly headers?: Readonly<Record<string, string>>;
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
  resourcequotas: { root: '/api/v1', kind: 'ResourceQuota', tells: ['status'] },
  persistentvolumeclaims: {
    root: '/api/v1',
    kind: 'PersistentVolumeClaim',
    fields: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
  },
  persistentvolumes: {
    root: '/api/v1',
    kind: 'PersistentVolume',
    ofCluster: true,
    fields: { spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, hostPath: { path: '/tmp/none' } } },
    tells: ['status'],
  },
  certificatesigningrequests: {
    root: '/apis/certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    ofCluster: true,
    tells: ['status'],
  },
  servicecidrs: { root: '/apis/networking.k8s.io/v1', kind: 'ServiceCIDR', ofCluster: true, tells: ['status'] },
  storageversionmigrations: {
    root: '/apis/storagemigration.k8s.io/v1',
    kind: 'StorageVersionMigration',
    ofCluster: true,
    tells: ['status'],
  },
  customresourcedefinitions: {
    root: '/apis/apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    ofCluster: true,
    tells: ['status'],
  },
  validatingadmissionpolicies: {
    root: '/apis/admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    ofCluster: true,
    tells: ['status'],
  },
  runtimeclasses: { root: '/apis/node.k8s.io/v1', kind: 'RuntimeClass', ofCluster: true },
  clusterrolebindings: { root: '/apis/rbac.authorization.k8s.io/v1', kind: 'ClusterRoleBinding', ofCluster: true },
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
      const { status, body } = await this.#server.request('POST', '/api/v1/namespaces', { metadata: { name } });
      // What was done before there were controllers may have made it.
      if (status !== 201 && status !== 409) throw new Error(`namespace ${name}: ${status} ${body}`);
      const account = `/api/v1/namespaces/${name}/serviceaccounts/default`;
      while ((await this.#server.request('GET', account)).status !== 200) await sleep(50);
    }
  }

  async create(
    plural: string,
    name: string,
    { owners = [], finalizers, labels: ownLabels, spec, fields, metadata: more, headers }: Details = {},
  ): Promise<Thing> {
    const { root, kind, fields: usual = {} } = kindOf(plural);
    const apiVersion = root.replace(/^\/apis?\//, '');
    const metadata = {
      name: this.#name(plural, name),
      ...(owners.length > 0 && { ownerReferences: owners.map(reference) }),
      ...(finalizers !== undefined && { finalizers }),
      ...(ownLabels !== undefined && { labels: ownLabels }),
      ...more,
    };
    const usualSpec = (usual as { spec?: object }).spec;
    const body = { apiVersion, kind, metadata, ...usual, ...(spec !== undefined && { spec: { ...usualSpec, ...spec } }), ...fields };
    return (await this.#server.post(this.#path(plural), body, headers)) as Thing;
  }

  async setOwners(plural: string, name: string, owners: readonly Owner[]): Promise<void> {
    await this.patch(plural, name, { metadata: { ownerReferences: owners.map(reference) } });
  }

  async patch(plural: string, name: string, patch: object): Promise<void> {
    await this.#do('PATCH', `${this.#path(plural)}/${this.#name(plural, name)}`, patch);
  }

  async patchStatus(plural: string, name: string, status: object): Promise<void> {
    await this.patchIn(plural, name, 'status', { status });
  }

  async patchIn(plural: string, name: string, subresource: string, patch: object): Promise<void> {
    await this.#do('PATCH', `${this.#path(plural)}/${this.#name(plural, name)}/${subresource}`, patch);
  }

  async post(path: string, object: object): Promise<void> {
    await this.#server.post(path, object);
  }

  /** Whether an object can be created, and is now. */
  async creates(plural: string, name: string): Promise<boolean> {
    return this.create(plural, name).then(
      () => true,
      () => false,
    );
  }

  async exists(path: string): Promise<boolean> {
    return (await this.#server.request('GET', path)).status === 200;
  }

  async delete(plural: string, name: string, propagationPolicy: string, options: object = {}): Promise<void> {
    const body = { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy, ...options };
    await this.#do('DELETE', `${this.#path(plural)}/${this.#name(plural, name)}`, body);
  }

  async deleteNamespace(): Promise<void> {
    await this.#do('DELETE', `/api/v1/namespaces/${this.namespace}`);
  }

  async createNamespace(): Promise<void> {
    await this.post('/api/v1/namespaces', { metadata: { name: this.namespace } });
  }

  /** Until the namespace is gone. */
  async lost(): Promise<void> {
    while (await this.exists(`/api/v1/namespaces/${this.namespace}`)) await sleep(50);
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
  const {
    name,
    namespace,
    finalizers,
    ownerReferences,
    deletionTimestamp,
    managedFields = [],
    annotations,
    labels: marks,
  } = object.metadata;
  const managers = managedFields.map(({ manager, operation, subresource = '' }) => `${manager} ${operation} ${subresource}`).toSorted();
  const told = Object.fromEntries(fields.map((field) => [field, inOrder(readable(object[field]))]));
  // Depends on which of several changes a controller sees first.
  const { 'endpoints.kubernetes.io/last-change-trigger-time': _time, ...noted } = annotations ?? {};
  const seen = { finalizers, ownerReferences, deleted: deletionTimestamp !== undefined, managers, annotations: noted, marks, ...told };
  const shown = { events: 'EVENT', endpointslices: 'SLICE' }[plural] ?? name;
  const authority = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----(\\n)?/g;
  return normalise(`${plural} ${namespace ?? ''}/${shown} ${JSON.stringify(seen)}`).replace(authority, 'AUTHORITY');
}

/** Certificates, tokens and authorities say nothing as they are, and differ from server to server. */
function readable(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { certificate, token, 'ca.crt': authority } = value as Readonly<Record<string, unknown>>;
  return {
    ...value,
    ...(typeof certificate === 'string' && { certificate: describeCertificate(certificate) }),
    ...(typeof token === 'string' && { token: token.startsWith('ZXlK') ? 'TOKEN' : token }),
    ...(typeof authority === 'string' && authority.startsWith('LS0t') && { 'ca.crt': 'AUTHORITY' }),
  };
}

function describeCertificate(encoded: string): object {
  const certificate = new X509Certificate(Buffer.from(encoded, 'base64'));
  const { subject, issuer, subjectAltName, keyUsage, ca, validFromDate, validToDate } = certificate;
  const minutes = Math.round((validToDate.getTime() - validFromDate.getTime()) / 60_000);
  return { subject, issuer, subjectAltName, keyUsage, ca, bytes: withoutTimes(certificate), minutes };
}

/** What is signed, but for what every certificate has for itself: serial number, issuer's key, times, key. */
function withoutTimes({ raw }: X509Certificate): string {
  const { usages, keyUsage, subjectBytes, basicConstraints, alternativeNameBytes } = readCertificate(raw);
  const hex = (bytes: Buffer | undefined): string => bytes?.toString('hex') ?? 'none';
  return JSON.stringify([usages, keyUsage, basicConstraints, hex(subjectBytes), hex(alternativeNameBytes)]);
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
