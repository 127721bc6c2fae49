import type { Subject } from '../subject.ts';

/** About 1 KB each. */
export const configMaps: Subject = {
  collection: (namespace) => `/api/v1/namespaces/${namespace}/configmaps`,
  body: (namespace, name, value) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace, labels: { app: 'bench', tier: 'backend' }, annotations: { 'bench/value': value } },
    data: { config: 'x'.repeat(500), other: 'y'.repeat(200), changed: value },
  }),
  change: (value) => ({ metadata: { annotations: { 'bench/value': value } }, data: { changed: value } }),
  jsonPatch: (value) => [{ op: 'replace', path: '/data/changed', value }],
};
