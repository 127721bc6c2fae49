import { request } from 'node:https';
import { readTarget } from '../support/kubeconfig.ts';

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
  const { url, ...credentials } = readTarget(path);
  return (method, target, body) => {
    const { promise, resolve, reject } = Promise.withResolvers<Status>();
    const options = { method, ...credentials, headers: { 'content-type': 'application/json' } };
    const sent = request(url + target, options, (response) => {
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
