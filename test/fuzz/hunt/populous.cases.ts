// What a cluster with many objects sets off in a server with controllers: `npm run test:hunt -- populous --dressed`.
import type { Case, World } from './case.ts';
import { json } from './case.ts';
import type { Sent } from './hunted-server.ts';

const many = 100_000;
const populous = '/api/v1/namespaces/populous';
const served = '/api/v1/namespaces/served';
const customs = '/apis/populous.example.com/v1/namespaces/default/citizens';
const times = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);
const post = (path: string, body: object): Sent => ({ method: 'POST', path, body: json(body) });
const get = (path: string, headers: Record<string, string> = {}): Sent => ({ method: 'GET', path, headers });
const remove = (path: string): Sent => ({ method: 'DELETE', path });
const made = (path: string): Sent => ({ ...get(path), until: 200 });
const gone = (path: string): Sent => ({ ...get(path), until: 404 });

const citizens: World = () => [
  post('/api/v1/namespaces', { metadata: { name: 'populous' } }),
  times(many).map((index) =>
    post(`${populous}/configmaps`, {
      metadata: { name: `n${index}`, labels: { part: `p${index % 4}` } },
      data: { a: `value ${index}` },
    }),
  ),
];
const pods: World = () => [
  post('/api/v1/namespaces', { metadata: { name: 'served' } }),
  made(`${served}/serviceaccounts/default`),
  post(`${served}/resourcequotas`, {
    metadata: { name: 'q' },
    spec: { hard: { pods: '100k', 'requests.cpu': '1M', 'count/configmaps': '10' } },
  }),
  times(10_000).map((index) =>
    post(`${served}/pods`, {
      metadata: { name: `p${index}`, labels: { app: 'a' } },
      spec: { nodeName: `node${index % 100}`, containers: [{ name: 'a', image: 'a', resources: { requests: { cpu: '1' } } }] },
    }),
  ),
  times(10_000).map((index) => ({
    method: 'PATCH',
    path: `${served}/pods/p${index}/status`,
    headers: { 'content-type': 'application/merge-patch+json' },
    body: json({
      status: {
        phase: 'Running',
        podIP: `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`,
        podIPs: [{ ip: `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}` }],
        conditions: [{ type: 'Ready', status: 'True' }],
      },
    }),
  })),
];
const defined: World = () => [
  post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: 'citizens.populous.example.com' },
    spec: {
      group: 'populous.example.com',
      names: { plural: 'citizens', singular: 'citizen', kind: 'Citizen', listKind: 'CitizenList' },
      scope: 'Namespaced',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  }),
  made(customs),
  times(20_000).map((index) =>
    post(customs, { apiVersion: 'populous.example.com/v1', kind: 'Citizen', metadata: { name: `c${index}` }, spec: { a: index } }),
  ),
];
const protobuf = { accept: 'application/vnd.kubernetes.protobuf' };
const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };

export const populousCases: readonly Case[] = [
  {
    name: 'a service of 10,000 pods',
    world: [pods],
    once: true,
    request: () => post(`${served}/services`, { metadata: { name: 's' }, spec: { selector: { app: 'a' }, ports: [{ port: 80 }] } }),
    settled: made(`${served}/endpoints/s`),
  },
  {
    name: 'a quota whose 10,000 pods go',
    world: [pods],
    once: true,
    request: () => remove(`${served}/pods?gracePeriodSeconds=0`),
    settled: gone(`${served}/pods/p9999`),
  },
  {
    name: 'a storage version migration of 20,000',
    world: [defined],
    once: true,
    request: () =>
      post('/apis/storagemigration.k8s.io/v1/storageversionmigrations', {
        metadata: { name: 'm' },
        spec: { resource: { group: 'populous.example.com', resource: 'citizens' } },
      }),
    settled: { ...get(`${customs}/c19999`), until: 200 },
  },
  {
    name: 'a definition with 20,000 objects, deleted',
    world: [defined],
    once: true,
    request: () => remove('/apis/apiextensions.k8s.io/v1/customresourcedefinitions/citizens.populous.example.com'),
    settled: gone('/apis/apiextensions.k8s.io/v1/customresourcedefinitions/citizens.populous.example.com'),
  },
  { name: 'a list of all', world: [citizens], once: true, request: () => get(`${populous}/configmaps`) },
  { name: 'a list of all, protobuf', world: [citizens], once: true, request: () => get(`${populous}/configmaps`, protobuf) },
  { name: 'a table of all', world: [citizens], once: true, request: () => get(`${populous}/configmaps`, table) },
  { name: 'a list by field', world: [citizens], once: true, request: () => get(`${populous}/configmaps?fieldSelector=metadata.name!=n7`) },
  {
    name: 'a shard of a list',
    world: [citizens],
    once: true,
    request: () => get(`${populous}/configmaps?shardSelector=shardRange(object.metadata.uid,'0x0000000000000000','0x8000000000000000')`),
  },
  { name: 'a delete of a quarter', world: [citizens], once: true, request: () => remove(`${populous}/configmaps?labelSelector=part=p1`) },
  {
    name: 'a namespace, deleted',
    world: [citizens],
    once: true,
    request: () => remove('/api/v1/namespaces/populous'),
    settled: gone('/api/v1/namespaces/populous'),
  },
];
