// Upstream: apiserver/pkg/util/webhook/webhook.go (LoadKubeconfig), client-go/tools/clientcmd
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { readYaml } from '../../machinery/codec/yaml/read.ts';

/** A server outside, and what we are to it. */
export interface RemoteServer {
  readonly url: URL;
  /** PEM; undefined: those whom the system trusts */
  readonly authorities: string | undefined;
  readonly client: { readonly certificate: string; readonly key: string } | undefined;
  /** those that say who we are; a token in a file may change */
  headers(): Promise<Readonly<Record<string, string>>>;
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
  const pathOf = (path: string): string => resolve(dirname(file), path);
  const pem = (data: string | undefined, path: string | undefined, what: string, owner: string): string | undefined =>
    data ? Buffer.from(data, 'base64').toString() : path ? readPem(pathOf(path), what, owner) : undefined;
  const url = new URL(cluster.server);
  const authorities = pem(cluster['certificate-authority-data'], cluster['certificate-authority'], 'certificate-authority', clusterName);
  const certificate = pem(user['client-certificate-data'], user['client-certificate'], 'client-cert', userName);
  const key = pem(user['client-key-data'], user['client-key'], 'client-key', userName);
  return {
    url,
    authorities,
    client: certificate !== undefined && key !== undefined ? { certificate, key } : undefined,
    // Who we are is nobody's business where everybody can listen.
    headers: async () => (url.protocol === 'https:' ? credentials(user, pathOf) : {}),
  };
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
  const token = user.tokenFile ? (await readFile(pathOf(user.tokenFile), 'utf8')).trim() : user.token;
  if (token) return { authorization: `Bearer ${token}` };
  if (!user.username) return {};
  return { authorization: `Basic ${Buffer.from(`${user.username}:${user.password ?? ''}`).toString('base64')}` };
}
