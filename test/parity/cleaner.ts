import type { Asked, ParityClient } from './client.ts';

const json = { 'content-type': 'application/json' };
const timeoutMs = 5000;

/** Takes away what cases have made, finalizers and all. */
export class Cleaner {
  readonly #client: ParityClient;
  readonly #keep: boolean;

  /** `keep`: what is in a namespace of a case stays, except Services, whose addresses and ports others need */
  constructor(client: ParityClient, keep = false) {
    this.#client = client;
    this.#keep = keep;
  }

  async clean(created: readonly string[], namespace?: string): Promise<void> {
    for (const path of created.toReversed()) {
      const isKept =
        this.#keep && namespace !== undefined && path.includes(`/namespaces/${namespace}/`) && !/\/services\/[^/]+$/.test(path);
      if (!isKept && !isSubresource(path)) await this.#remove(path);
    }
    if (namespace !== undefined && !this.#keep) {
      await this.#ask({ method: 'DELETE', path: `/api/v1/namespaces/${namespace}` });
      await this.#finalize(namespace);
    }
  }

  async #remove(path: string): Promise<void> {
    const body = '{"gracePeriodSeconds":0,"propagationPolicy":"Background"}';
    const response = await this.#ask({ method: 'DELETE', path, headers: json, body });
    if (response.error !== undefined || !('body' in response) || response.status !== 200) return;
    const text = response.body.toString();
    if (/^\/api\/v1\/namespaces\/[^/]+$/.test(path)) await this.#finalize(path.split('/')[4] as string);
    else if (text.includes('"deletionTimestamp"') && text.includes('"finalizers"')) {
      const headers = { 'content-type': 'application/merge-patch+json' };
      await this.#ask({ method: 'PATCH', path, headers, body: '{"metadata":{"finalizers":null}}' });
    }
  }

  async #finalize(name: string): Promise<void> {
    const body = JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name }, spec: { finalizers: [] } });
    await this.#ask({ method: 'PUT', path: `/api/v1/namespaces/${name}/finalize`, headers: json, body });
  }

  #ask(asked: Asked): ReturnType<ParityClient['ask']> {
    return this.#client.ask({ ...asked, timeoutMs });
  }
}

function isSubresource(path: string): boolean {
  const parts = path.split('/').filter((part) => part !== '');
  return parts.includes('namespaces') && parts.length > (parts[0] === 'api' ? 6 : 7);
}
