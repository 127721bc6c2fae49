import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { load } from 'js-yaml';

interface Kubeconfig {
  readonly clusters: readonly { readonly cluster: { readonly server: string; readonly 'certificate-authority-data': string } }[];
  readonly users: readonly { readonly user: { readonly 'client-certificate-data': string; readonly 'client-key-data': string } }[];
}

/** As much of a response as the comparisons look at. */
export interface Status {
  readonly code?: number;
  readonly warnings: readonly string[];
  readonly details?: { readonly causes?: readonly { readonly field: string; readonly message: string }[] };
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

export type Call = (method: string, path: string, body?: unknown) => Promise<Status>;

/** Calls the server of a kubeconfig with its client certificate. */
export function connect(path: string): Call {
  const kubeconfig = load(readFileSync(path, 'utf8')) as Kubeconfig;
  const { server, 'certificate-authority-data': ca } = kubeconfig.clusters[0]!.cluster;
  const { 'client-certificate-data': cert, 'client-key-data': key } = kubeconfig.users[0]!.user;
  const decode = (text: string): Buffer => Buffer.from(text, 'base64');
  return (method, target, body) => {
    const { promise, resolve, reject } = Promise.withResolvers<Status>();
    const options = { method, ca: decode(ca), cert: decode(cert), key: decode(key), headers: { 'content-type': 'application/json' } };
    const sent = request(server + target, options, (response) => {
      const chunks: Buffer[] = [];
      const warnings = response.rawHeaders.filter((_, i, all) => i % 2 === 1 && all[i - 1]!.toLowerCase() === 'warning');
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ ...(JSON.parse(Buffer.concat(chunks).toString()) as Status), warnings }));
    });
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    return promise;
  };
}
