import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';

/** A server, and the client certificate to ask it with. */
export interface Target {
  readonly url: string;
  readonly ca: string | Buffer;
  readonly cert: string | Buffer;
  readonly key: string | Buffer;
}

interface Kubeconfig {
  readonly clusters: readonly { readonly cluster: { readonly server: string; readonly 'certificate-authority-data': string } }[];
  readonly users: readonly { readonly user: { readonly 'client-certificate-data': string; readonly 'client-key-data': string } }[];
}

/** The first cluster and the first user of a kubeconfig. */
export function readTarget(file: string): Target {
  const { clusters, users } = load(readFileSync(file, 'utf8')) as Kubeconfig;
  const [cluster, user] = [clusters[0]?.cluster, users[0]?.user];
  if (cluster === undefined || user === undefined) throw new Error(`${file}: no cluster or no user in it`);
  const decode = (text: string): Buffer => Buffer.from(text, 'base64');
  return {
    url: cluster.server,
    ca: decode(cluster['certificate-authority-data']),
    cert: decode(user['client-certificate-data']),
    key: decode(user['client-key-data']),
  };
}
