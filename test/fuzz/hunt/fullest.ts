import type { Case } from './case.ts';
import { fill, fillMap, json } from './case.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const pods = '/api/v1/namespaces/default/pods';
const dry = '?dryRun=All';
/** A little below what a body may hold. */
const members = 49_000;

const spread = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'a']));
const share = (size: number, most: number): number => Math.round((most * size) / (3 * 1024 * 1024));

/** Bodies that hold as much as one may, whatever their length. */
export const fullestCases: readonly Case[] = [
  {
    name: 'members in data',
    request: (size) => ({
      method: 'POST',
      path: configMaps + dry,
      body: json({ metadata: { name: 'a' }, data: spread(share(size, members)) }),
    }),
  },
  {
    name: 'labels',
    request: (size) => ({
      method: 'POST',
      path: configMaps + dry,
      body: json({ metadata: { name: 'a', labels: spread(share(size, members)) } }),
    }),
  },
  {
    name: 'annotations',
    request: (size) => ({
      method: 'POST',
      path: configMaps + dry,
      body: json({ metadata: { name: 'a', annotations: spread(share(size, members)) } }),
    }),
  },
  {
    name: 'labels that are none',
    request: (size) => ({
      method: 'POST',
      path: configMaps + dry,
      body: json({ metadata: { name: 'a', labels: fillMap(size / 2, (index) => `-${index}`, 'a') } }),
    }),
  },
  {
    name: 'finalizers',
    request: (size) => ({
      method: 'POST',
      path: configMaps + dry,
      body: json({ metadata: { name: 'a', finalizers: fill(size, (i) => `a.b/c${i}`) } }),
    }),
  },
  {
    name: 'finalizers that are none',
    request: (size) => ({
      method: 'POST',
      path: configMaps + dry,
      body: json({ metadata: { name: 'a', finalizers: fill(size, () => '') } }),
    }),
  },
  {
    name: 'owners, all controllers',
    request: (size) => ({
      method: 'POST',
      path: configMaps + dry,
      body: json({
        metadata: {
          name: 'a',
          ownerReferences: fill(size, (i) => ({ apiVersion: 'v1', kind: 'A', name: 'a', uid: `u${i}`, controller: true })),
        },
      }),
    }),
  },
  {
    name: 'owners, all the same',
    request: (size) => ({
      method: 'POST',
      path: configMaps + dry,
      body: json({ metadata: { name: 'a', ownerReferences: fill(size, () => ({ apiVersion: 'v1', kind: 'A', name: 'a', uid: 'u' })) } }),
    }),
  },
  {
    name: 'managed fields',
    request: (size) => ({
      method: 'POST',
      path: configMaps + dry,
      body: json({
        metadata: {
          name: 'a',
          managedFields: [
            {
              manager: 'm',
              operation: 'Update',
              apiVersion: 'v1',
              time: '2024-01-01T00:00:00Z',
              fieldsType: 'FieldsV1',
              fieldsV1: { 'f:data': Object.fromEntries(Array.from({ length: share(size, members) }, (_, i) => [`f:k${i}`, {}])) },
            },
          ],
        },
      }),
    }),
  },
  {
    name: 'managers',
    request: (size) => ({
      method: 'POST',
      path: configMaps + dry,
      body: json({
        metadata: {
          name: 'a',
          managedFields: fill(size, (i) => ({
            manager: `m${i}`,
            operation: 'Update',
            apiVersion: 'v1',
            time: '2024-01-01T00:00:00Z',
            fieldsType: 'FieldsV1',
            fieldsV1: { 'f:data': { [`f:k${i}`]: {} } },
          })).slice(0, 12_000),
        },
      }),
    }),
  },
  {
    name: 'unknown fields',
    request: (size) => ({
      method: 'POST',
      path: configMaps + dry,
      body: json({ metadata: { name: 'a' }, ...spread(share(size, members)) }),
    }),
  },
  {
    name: 'the same field again',
    request: (size) => ({
      method: 'POST',
      path: configMaps + dry,
      body: `{"metadata":{"name":"a"},${'"immutable":true,'.repeat(share(size, members))}"data":{}}`,
    }),
  },
  {
    name: 'the same key again',
    request: (size) => ({
      method: 'POST',
      path: configMaps + dry,
      body: `{"metadata":{"name":"a"},"data":{${'"a":"b",'.repeat(share(size, members))}"c":"d"}}`,
    }),
  },
  {
    name: 'fractions',
    request: (size) => ({
      method: 'POST',
      path: configMaps + dry,
      body: `{"metadata":{"name":"a","generation":1.0},"data":${json(spread(share(size, members)))}}`,
    }),
  },
  {
    name: 'arguments',
    request: (size) => ({
      method: 'POST',
      path: pods + dry,
      body: json({
        metadata: { name: 'a' },
        spec: { automountServiceAccountToken: false, containers: [{ name: 'a', image: 'a', args: fill(size * 0.6, () => 'a') }] },
      }),
    }),
  },
  {
    name: 'containers',
    request: (size) => ({
      method: 'POST',
      path: pods + dry,
      body: json({ metadata: { name: 'a' }, spec: { containers: fill(size, (i) => ({ name: `a${i}`, image: 'a' })) } }),
    }),
  },
  {
    name: 'containers that name claims, in a pod with as many others',
    request: (size) => ({
      method: 'POST',
      path: pods + dry,
      body: json({
        metadata: { name: 'a' },
        spec: {
          automountServiceAccountToken: false,
          resourceClaims: fill(size / 3, (i) => ({ name: `c${i}`, resourceClaimName: 'a' })),
          containers: fill((size * 2) / 3, (i) => ({ name: `a${i}`, image: 'a', resources: { claims: [{ name: `d${i}` }] } })),
        },
      }),
    }),
  },
  {
    name: 'claims of one container',
    request: (size) => ({
      method: 'POST',
      path: pods + dry,
      body: json({
        metadata: { name: 'a' },
        spec: {
          automountServiceAccountToken: false,
          containers: [{ name: 'a', image: 'a', resources: { claims: fill(size, (i) => ({ name: `c${i}` })) } }],
        },
      }),
    }),
  },
  {
    name: 'label keys that match, and others that do not',
    request: (size) => ({
      method: 'POST',
      path: pods + dry,
      body: json({
        metadata: { name: 'a' },
        spec: {
          automountServiceAccountToken: false,
          containers: [{ name: 'a', image: 'a' }],
          affinity: {
            podAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: [
                {
                  topologyKey: 'a',
                  labelSelector: {},
                  matchLabelKeys: fill(size / 3, (i) => `a${i}`),
                  mismatchLabelKeys: fill(size / 3, (i) => `b${i}`),
                },
              ],
            },
          },
        },
      }),
    }),
  },
  {
    name: 'indexes of a job that have succeeded, and as many that have failed',
    before: () => [
      {
        method: 'POST',
        path: '/apis/batch/v1/namespaces/default/jobs',
        body: json({
          metadata: { name: 'indexed' },
          spec: {
            completions: 100_000,
            parallelism: 1,
            completionMode: 'Indexed',
            backoffLimitPerIndex: 1,
            template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a' }] } },
          },
        }),
      },
    ],
    request: (size) => {
      const indexes = (first: number): string =>
        Array.from({ length: share(size, members) }, (_, index) => String(2 * index + first)).join(',');
      return {
        method: 'PATCH',
        path: `/apis/batch/v1/namespaces/default/jobs/indexed/status${dry}`,
        headers: { 'content-type': 'application/merge-patch+json' },
        body: json({ status: { completedIndexes: indexes(0), failedIndexes: indexes(1) } }),
      };
    },
  },
];
