// Upstream: k8s.io/apiserver/pkg/util/webhook/webhook.go#LoadKubeconfig, k8s.io/client-go/tools/clientcmd
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Dial } from '../../base/https/dial.ts';
import { readRegularFile } from '../../base/regular-file.ts';
import { readYaml } from '../../machinery/codec/yaml/read.ts';

/** What we are to a server outside. */
export interface UserCredentials {
  readonly client: { readonly certificate: string; readonly key: string } | undefined;
  /** those that say who we are; a token in a file may change */
  headers(): Promise<Readonly<Record<string, string>>>;
}

/** A server outside, and what we are to it. */
export interface RemoteServer extends UserCredentials {
  readonly url: URL;
  /** PEM; undefined: those whom the system trusts */
  readonly authorities: string | undefined;
  /** any certificate will do */
  readonly insecure?: boolean | undefined;
  /** whom its certificate must be for, when that is not the host of the URL */
  readonly serverName?: string | undefined;
  /** how it is reached, when not directly */
  readonly dial?: Dial | undefined;
}

interface Named<T> {
  readonly name: string;
  readonly cluster?: T;
  readonly user?: T;
  readonly context?: T;
}

interface ClusterEntry {
  readonly server?: string;
  readonly 'certificate-authority'?: string;
  readonly 'certificate-authority-data'?: string;
  readonly 'insecure-skip-tls-verify'?: boolean;
  readonly 'tls-server-name'?: string;
}

interface UserEntry {
  readonly 'client-certificate'?: string;
  readonly 'client-certificate-data'?: string;
  readonly 'client-key'?: string;
  readonly 'client-key-data'?: string;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly username?: string;
  readonly password?: string;
}

interface Kubeconfig {
  readonly clusters?: readonly Named<ClusterEntry>[];
  readonly users?: readonly Named<UserEntry>[];
  readonly contexts?: readonly Named<{ readonly cluster?: string; readonly user?: string }>[];
  readonly 'current-context'?: string;
}

/** The server of a kubeconfig's current context. Files in it are relative to it. */
export function loadKubeconfig(file: string): RemoteServer {
  const { clusters = [], users = [], contexts = [], 'current-context': current = '' } = readKubeconfig(file);
  const context = contexts.find(({ name }) => name === current)?.context;
  if (context === undefined && current !== '') {
    throw invalidConfiguration(`[context was not found for specified context: ${current}, cluster has no server defined]`);
  }
  const { cluster: clusterName = '', user: userName = '' } = context ?? {};
  const cluster = clusters.find(({ name }) => name === clusterName)?.cluster;
  const user = users.find(({ name }) => name === userName)?.user ?? {};
  if (cluster === undefined) {
    throw invalidConfiguration('no configuration has been provided, try setting KUBERNETES_MASTER environment variable');
  }
  if (!cluster.server) throw invalidConfiguration(`no server found for cluster ${JSON.stringify(clusterName)}`);
  const url = new URL(cluster.server);
  const { client, headers } = credentialsOf(file, userName, user);
  const { 'certificate-authority-data': data, 'certificate-authority': path, 'insecure-skip-tls-verify': insecure = false } = cluster;
  const authorities = pem(file, data, path, 'certificate-authority', clusterName);
  if (insecure && authorities !== undefined) throw new Error('specifying a root certificates file with the insecure flag is not allowed');
  return {
    url,
    authorities,
    insecure,
    serverName: cluster['tls-server-name'] || undefined,
    client,
    // Credentials are not sent over an unencrypted connection.
    headers: async () => (url.protocol === 'https:' ? headers() : {}),
  };
}

/** The users of a kubeconfig by name, and that of its current context. */
export function loadUsers(file: string): { users: ReadonlyMap<string, UserCredentials>; current: UserCredentials | undefined } {
  const { users = [], contexts = [], 'current-context': current = '' } = readKubeconfig(file);
  const byName = new Map(users.map(({ name, user = {} }) => [name, credentialsOf(file, name, user)]));
  const userName = contexts.find(({ name }) => name === current)?.context?.user;
  return { users: byName, current: userName === undefined ? undefined : byName.get(userName) };
}

function credentialsOf(file: string, name: string, user: UserEntry): UserCredentials {
  const certificate = pem(file, user['client-certificate-data'], user['client-certificate'], 'client-cert', name);
  const key = pem(file, user['client-key-data'], user['client-key'], 'client-key', name);
  return {
    client: certificate !== undefined && key !== undefined ? { certificate, key } : undefined,
    headers: () => credentials(user, (path) => pathOf(file, path)),
  };
}

const pathOf = (file: string, path: string): string => resolve(dirname(file), path);

function pem(file: string, data: string | undefined, path: string | undefined, what: string, owner: string): string | undefined {
  if (data) return Buffer.from(data, 'base64').toString();
  return path ? readPem(pathOf(file, path), what, owner) : undefined;
}

function invalidConfiguration(problem: string, options?: ErrorOptions): Error {
  return new Error(`invalid configuration: ${problem}`, options);
}

function readPem(path: string, what: string, owner: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? `open ${path}: no such file or directory` : message;
    throw invalidConfiguration(`unable to read ${what} ${path} for ${owner} due to ${why}`, { cause: error });
  }
}

function readKubeconfig(file: string): Kubeconfig {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new Error(`stat ${file}: no such file or directory`, { cause: error });
    throw error;
  }
  return (readYaml(text).value ?? {}) as Kubeconfig;
}

async function credentials(user: UserEntry, pathOf: (path: string) => string): Promise<Record<string, string>> {
  const token = user.tokenFile ? String(await readRegularFile(pathOf(user.tokenFile))).trim() : user.token;
  if (token) return { authorization: `Bearer ${token}` };
  if (!user.username) return {};
  return { authorization: `Basic ${Buffer.from(`${user.username}:${user.password ?? ''}`).toString('base64')}` };
}
