import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { KeyPair, Validity } from '../base/tls/certificate.ts';
import { createAuthority, issueCertificate } from '../base/tls/certificate.ts';
import { KubeClient } from './kube-client.ts';
import { refuseUnknownApis } from '../controlplane/api-enablement.ts';
import { assemble } from '../controlplane/assemble.ts';
import type { GivenConfig, ServerConfig } from '../controlplane/config.ts';
import { completeConfig, configKeys, refuseUnknown } from '../controlplane/config.ts';
import { createFeatureGates } from '../controlplane/feature-gates.ts';
import { renderKubeconfig } from '../controlplane/kubeconfig.ts';
import { hostPort, servingDefaults } from '../controlplane/serving.ts';
import type { StorageBackend } from '../controlplane/storage.ts';
import { withAuthenticatedGroup } from '../server/access/authn/authenticator.ts';
import type { Snapshot } from '../storage/mvcc/snapshot.ts';
import type { Storage } from '../storage/storage.ts';

/** Everything that flags can say, group by group, and shorter words for what is said most. */
export interface ApiServerOptions extends Omit<GivenConfig, 'storage' | 'authorization'> {
  /** where state is kept: nowhere beyond the process (default), in a folder, in etcd, or in a store of yours, which you close yourself */
  readonly storage?: StorageBackend | GivenConfig['storage'];
  /** `Node,RBAC`: kubelets (system:node:NAME of system:nodes) may do what they need for their own node, as in a cluster */
  readonly authorization?: 'RBAC' | 'AlwaysAllow' | 'Node,RBAC' | GivenConfig['authorization'];
  readonly address?: string;
  /** 0 (default) lets the system choose one that is free */
  readonly port?: number;
  /** by name; the others have the defaults of Kubernetes v1.37 */
  readonly features?: Readonly<Record<string, boolean>>;
  /** what to serve or not, by group/version[/resource] (`resource.k8s.io/v1beta1`, core is `/v1`) or level (`api/beta`), as --runtime-config has it */
  readonly apis?: Readonly<Record<string, boolean>>;
  /** signs the certificates; made anew by default */
  readonly authority?: KeyPair;
}

/** For whom a client speaks. */
export interface ClientUser {
  readonly name: string;
  readonly groups?: readonly string[];
  readonly uid?: string;
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export interface RunningApiServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** to trust when connecting */
  readonly authority: KeyPair;
  /** a client certificate of group system:masters */
  readonly admin: KeyPair;
  /** a kubeconfig for the admin, as text */
  readonly kubeconfig: string;
  /** A client that needs no socket, as the admin or as a user who is taken to be who the name says. */
  client(user?: ClientUser): KubeClient;
  /** Writes the admin's kubeconfig to a file that only its owner can read; resolves with its path. */
  writeKubeconfig(file: string): Promise<string>;
  /** A client certificate for a user of these groups. */
  issueClientCertificate(user: string, groups?: readonly string[]): KeyPair;
  /** Everything that the store holds now, where it is in memory or in a folder. Costs the same whatever that is. */
  snapshot(): Snapshot;
  /**
   * Goes back to a snapshot of the same store; resolves when the server has followed. Watches go on and see it as one write of all that is
   * different; what comes back has a new resourceVersion.
   */
  restore(to: Snapshot): Promise<void>;
  stop(): Promise<void>;
}

const day = 24 * 3600 * 1000;
const optionNames = [...configKeys, 'address', 'apis', 'authority', 'features', 'port'];

/** A server of which there can be copies. */
export interface ForkableServer extends RunningApiServer {
  /**
   * Another server with the same configuration, certificates and keys on a store that is a copy of this one's, on a port of its own. What this
   * one has made of the objects, and has found to be in order when it started, is not made and looked at again.
   */
  forkOn(storage: Storage): Promise<ForkableServer>;
}

/** Who signs certificates, and who the administrator is. */
interface Identity {
  readonly authority: KeyPair;
  readonly validity: Validity;
  readonly admin: KeyPair;
}

const adminUser = { name: 'kubernetes-admin', groups: ['system:masters'] };

/** Starts an API server and resolves when it is ready. */
export async function startServer(options: ApiServerOptions): Promise<ForkableServer> {
  refuseUnknown('', options, optionNames);
  // Certificates are checked by TLS, in real time, whatever the server's clock says.
  const validity = { from: new Date(Date.now() - day), to: new Date(Date.now() + 365 * day) };
  const authority = options.authority ?? createAuthority({ commonName: 'wheelhouse-ca' }, validity);
  const config = completeConfig(configOf(options, authority, validity));
  const admin = issueFor(adminUser.name, adminUser.groups, { authority, validity });
  return run(config, { authority, validity, admin });
}

function issueFor(commonName: string, organizations: readonly string[], { authority, validity }: Omit<Identity, 'admin'>): KeyPair {
  return issueCertificate(authority, { subject: { commonName, organizations }, uses: ['client'], validity });
}

async function run(config: ServerConfig, identity: Identity): Promise<ForkableServer> {
  const controlPlane = await assemble(config);
  const { port } = await controlPlane.start();
  const { authority, admin } = identity;
  const url = `https://${hostPort(config.serving.address, port)}`;
  const kubeconfig = renderKubeconfig(url, authority.certificate, admin);
  let stopped: Promise<void> | undefined;
  const stopping = new AbortController();
  const stop = (): Promise<void> => {
    stopping.abort();
    return (stopped ??= controlPlane.stop());
  };
  return {
    url,
    port,
    authority,
    admin,
    kubeconfig,
    client: ({ name, groups = [], uid = '', extra = {} } = adminUser) =>
      new KubeClient({
        handler: controlPlane.handlerFor(withAuthenticatedGroup({ name, groups, uid, extra })),
        clock: config.clock,
        log: config.log,
        stopping: stopping.signal,
      }),
    writeKubeconfig: async (file) => {
      await writeFile(file, kubeconfig, { mode: 0o600 });
      return resolve(file);
    },
    issueClientCertificate: (user, groups = []) => issueFor(user, groups, identity),
    snapshot: () => controlPlane.snapshots.take(),
    restore: async (to) => void (await controlPlane.snapshots.restore(to)),
    stop,
    [Symbol.asyncDispose]: stop,
    forkOn: (storage) => {
      const { origin } = controlPlane;
      return run(
        { ...config, storage: { ...config.storage, backend: storage }, serving: { ...config.serving, port: 0 }, origin },
        identity,
      );
    },
  };
}

/** Options as groups, with certificates and keys of this server's own where none were given. */
function configOf(options: ApiServerOptions, authority: KeyPair, validity: Validity): GivenConfig {
  const { storage, authorization, address, port, features, apis, authority: _, ...groups } = options;
  const serving = { ...groups.serving, address: address ?? groups.serving?.address, port: port ?? groups.serving?.port };
  if (serving.certificate === undefined) {
    const names = ['localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc', '127.0.0.1', '::1'];
    const own = serving.address ?? servingDefaults.address;
    const request = {
      subject: { commonName: 'kube-apiserver' },
      uses: ['server'],
      names: [...new Set([...names, own])],
      validity,
    } as const;
    serving.certificate = issueCertificate(authority, request);
  }
  const authentication = { ...groups.authentication, clientAuthorities: groups.authentication?.clientAuthorities ?? authority.certificate };
  if (authentication.serviceAccounts?.signingKey === undefined && authentication.serviceAccounts?.keys === undefined) {
    const signingKey = tokenKey();
    authentication.serviceAccounts = { ...authentication.serviceAccounts, signingKey, keys: [signingKey] };
  }
  const resources = { ...groups.resources };
  if (features !== undefined) {
    resources.features = createFeatureGates(new Map([['', Object.entries(features).map(([name, on]) => `${name}=${on}`)]])).gates;
  }
  if (apis !== undefined) {
    refuseUnknownApis(Object.keys(apis));
    resources.apis = new Map(Object.entries(apis));
  }
  const modes = typeof authorization === 'string' ? authorization.split(',') : authorization?.modes;
  const admission = { ...groups.admission };
  if (modes?.includes('Node')) admission.enable = [...(admission.enable ?? []), 'NodeRestriction'];
  return {
    ...groups,
    admission,
    ...(storage !== undefined && { storage: isGroup(storage) ? storage : { backend: storage } }),
    ...(authorization !== undefined && { authorization: typeof authorization === 'string' ? { modes } : authorization }),
    serving,
    authentication,
    resources,
    certificateSigning: { authority, ...groups.certificateSigning },
  };
}

/** The keys of the group tell it from a store or a place for one; a mistaken key is one of neither, and is refused as a key of the group. */
function isGroup(storage: NonNullable<ApiServerOptions['storage']>): storage is NonNullable<GivenConfig['storage']> {
  if (typeof storage !== 'object' || 'transact' in storage || 'directory' in storage || 'etcd' in storage) return false;
  return true;
}

/** Tokens of service accounts are signed by a key of this server's own. */
function tokenKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
}
