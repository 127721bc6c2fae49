/** The API server inside your process. */
import { generateKeyPairSync } from 'node:crypto';
import { systemClock } from './base/clock.ts';
import type { Clock } from './base/clock.ts';
import type { Logger } from './base/log.ts';
import { silentLogger } from './base/log.ts';
import type { KeyPair } from './base/tls/certificate.ts';
import { createAuthority, issueCertificate } from './base/tls/certificate.ts';
import { plainMode } from './cli/authorization.ts';
import { AuthorizerChain } from './server/access/authz/authorizer-chain.ts';
import { createFeatureGates } from './controlplane/feature-gates.ts';
import { renderKubeconfig } from './controlplane/kubeconfig.ts';
import type { ControllerChoice } from './controlplane/controller-names.ts';
import { ControlPlane } from './controlplane/control-plane.ts';
import { withAnonymous } from './server/access/authn/anonymous.ts';
import { unionAuthenticator } from './server/access/authn/authenticator.ts';
import { bearerTokenAuthenticators } from './server/access/authn/bearer-token.ts';
import { readSigningKey } from './server/access/authn/service-account/keys.ts';
import { createTokens } from './server/access/authn/service-account/tokens.ts';
import { CertificatePool, x509Authenticator } from './server/access/authn/x509.ts';
import { createMemoryStorage } from './storage/drivers/memory/memory-storage.ts';
import type { Storage } from './storage/storage.ts';
import type { Tokens } from './server/registry/tokens.ts';

export type { Clock } from './base/clock.ts';
export type { LogFields, Logger } from './base/log.ts';
export type { KeyPair } from './base/tls/certificate.ts';
export type { ControllerChoice, ControllerName } from './controlplane/controller-names.ts';
export type { Storage } from './storage/storage.ts';

export interface ApiServerOptions {
  /** where state is kept: nowhere beyond the process (default), in a folder, or in a store of yours, which you close yourself */
  readonly storage?: 'memory' | { readonly directory: string } | Storage;
  readonly address?: string;
  /** 0 (default) lets the system choose one that is free */
  readonly port?: number;
  /** `Node,RBAC`: kubelets (system:node:NAME of system:nodes) may do what they need for their own node, as in a cluster */
  readonly authorization?: 'RBAC' | 'AlwaysAllow' | 'Node,RBAC';
  /** by name; the others have the defaults of Kubernetes v1.37 */
  readonly features?: Readonly<Record<string, boolean>>;
  /** what to serve or not, by group/version[/resource] (`resource.k8s.io/v1beta1`, core is `/v1`) or level (`api/beta`), as --runtime-config has it */
  readonly apis?: Readonly<Record<string, boolean>>;
  /** which controllers run beside the server, which in Kubernetes are in kube-controller-manager; default none, true for all */
  readonly controllers?: ControllerChoice;
  /** signs the certificates; made anew by default */
  readonly authority?: KeyPair;
  readonly clock?: Clock;
  readonly log?: Logger;
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
  /** A client certificate for a user of these groups. */
  issueClientCertificate(user: string, groups?: readonly string[]): KeyPair;
  /** Puts a store of your own back in time by `change`; resolves when the server has followed. */
  putBack(change: () => void): Promise<void>;
  stop(): Promise<void>;
}

const day = 24 * 3600 * 1000;

/** Starts an API server and resolves when it is ready. */
export async function startApiServer(options: ApiServerOptions = {}): Promise<RunningApiServer> {
  const { address = '127.0.0.1', port = 0, authorization = 'RBAC', clock = systemClock, log = silentLogger } = options;
  // Certificates are checked by TLS, in real time, whatever the server's clock says.
  const validity = { from: new Date(Date.now() - day), to: new Date(Date.now() + 365 * day) };
  const authority = options.authority ?? createAuthority({ commonName: 'wheelhouse-ca' }, validity);
  const names = ['localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc', ...new Set(['127.0.0.1', '::1', address])];
  const serving = issueCertificate(authority, { subject: { commonName: 'kube-apiserver' }, uses: ['server'], names, validity });
  const issueClientCertificate = (commonName: string, organizations: readonly string[] = []): KeyPair =>
    issueCertificate(authority, { subject: { commonName, organizations }, uses: ['client'], validity });

  const pool = new CertificatePool(authority.certificate);
  const certificates = x509Authenticator(
    () => pool,
    () => Date.now(),
  );
  const tokens = serviceAccountTokens(clock);
  const modes = authorization.split(',');
  const features = Object.entries(options.features ?? {}).map(([name, on]) => `${name}=${on}`);
  const { gates } = createFeatureGates(new Map([['', features]]));
  const { storage, owned } = await openStorage(options.storage ?? 'memory', clock);
  try {
    const controlPlane = new ControlPlane({
      storage,
      clock,
      log,
      features: gates,
      apis: new Map(Object.entries(options.apis ?? {})),
      authenticate: withAnonymous(unionAuthenticator([certificates, ...bearerTokenAuthenticators(tokens)])),
      tokens,
      authorizer: (cluster) => new AuthorizerChain(modes.map(plainMode), { cluster, features: gates }),
      rbac: modes.includes('RBAC'),
      admissionPlugins: ({ name, enabledByDefault }) => enabledByDefault || (name === 'NodeRestriction' && modes.includes('Node')),
      controllers: options.controllers ?? false,
      rootAuthority: authority.certificate,
      minRequestTimeoutSeconds: 1800,
      storagePrefix: '/registry',
      serving: {
        address,
        port,
        tls: { cert: serving.certificate, key: serving.key, ca: authority.certificate, requestCert: true, rejectUnauthorized: false },
        maxStreams: 0,
        requestTimeoutMs: 60_000,
        shutdownDelayMs: 0,
        strictTransportSecurity: [],
      },
    });
    const listening = await controlPlane.start();
    const url = `https://${address.includes(':') ? `[${address}]` : address}:${listening.port}`;
    const admin = issueClientCertificate('kubernetes-admin', ['system:masters']);
    let stopped: Promise<void> | undefined;
    const stop = async (): Promise<void> => {
      await controlPlane.stop();
      if (owned) await storage[Symbol.asyncDispose]();
    };
    return {
      url,
      port: listening.port,
      authority,
      admin,
      kubeconfig: renderKubeconfig(url, authority.certificate, admin),
      issueClientCertificate,
      putBack: (change) => controlPlane.putBack(change),
      stop: () => (stopped ??= stop()),
      [Symbol.asyncDispose]: () => (stopped ??= stop()),
    };
  } catch (error) {
    if (owned) await storage[Symbol.asyncDispose]();
    throw error;
  }
}

/** Tokens of service accounts, signed by a key of this server's own. */
function serviceAccountTokens(clock: Clock): Tokens {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const signingKey = readSigningKey(privateKey.export({ type: 'pkcs8', format: 'pem' }) as string);
  const issuers = ['https://kubernetes.default.svc.cluster.local'];
  return createTokens({ clock, issuers, audiences: issuers, keys: [signingKey], signingKey });
}

async function openStorage(
  asked: 'memory' | { readonly directory: string } | Storage,
  clock: Clock,
): Promise<{ storage: Storage; owned: boolean }> {
  if (asked === 'memory') return { storage: createMemoryStorage({ clock }), owned: true };
  if (!('directory' in asked)) return { storage: asked, owned: false };
  const { openEmbeddedStorage } = await import('./storage/drivers/embedded/open.ts');
  return { storage: await openEmbeddedStorage({ directory: asked.directory, clock }), owned: true };
}
