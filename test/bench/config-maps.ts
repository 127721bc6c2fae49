import type { Client } from './client.ts';

const json = 'application/json';

/** The requests that the phases make, on ConfigMaps of about 1 KB. */
export const configMaps = {
  collection: (namespace: string): string => `/api/v1/namespaces/${namespace}/configmaps`,

  createNamespace(client: Client, name: string): Promise<number> {
    return client.request('POST', '/api/v1/namespaces', { type: json, bytes: JSON.stringify({ metadata: { name } }) });
  },

  create(client: Client, namespace: string, name: string): Promise<number> {
    return client.request('POST', this.collection(namespace), { type: json, bytes: body(namespace, name, 'first') });
  },

  get(client: Client, namespace: string, name: string): Promise<number> {
    return client.request('GET', `${this.collection(namespace)}/${name}`);
  },

  update(client: Client, namespace: string, name: string, value: string): Promise<number> {
    return client.request('PUT', `${this.collection(namespace)}/${name}`, { type: json, bytes: body(namespace, name, value) });
  },

  mergePatch(client: Client, namespace: string, name: string, value: string): Promise<number> {
    const bytes = JSON.stringify({ metadata: { annotations: { 'bench/value': value } }, data: { changed: value } });
    return client.request('PATCH', `${this.collection(namespace)}/${name}`, { type: 'application/merge-patch+json', bytes });
  },

  delete(client: Client, namespace: string, name: string): Promise<number> {
    return client.request('DELETE', `${this.collection(namespace)}/${name}`);
  },

  list(client: Client, namespace: string, accept: string): Promise<number> {
    return client.request('GET', this.collection(namespace), undefined, accept);
  },
};

function body(namespace: string, name: string, value: string): string {
  const metadata = { name, namespace, labels: { app: 'bench', tier: 'backend' }, annotations: { 'bench/value': value } };
  const data = { config: 'x'.repeat(500), other: 'y'.repeat(200), changed: value };
  return JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data });
}
