// What is large by itself is looked at elsewhere; these are large because one thing is done for each of another, or in an unusual form.
import type { Case } from './case.ts';
import { bodyLimit, fill, fillMap, headerLimit, json } from './case.ts';
import type { Sent } from './hunted-server.ts';

const core = '/api/v1/namespaces/default';
const apps = '/apis/apps/v1/namespaces/default';
const dry = '?dryRun=All';
const times = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);
const sent = (method: string, path: string, body: unknown, type = 'application/json', headers: Record<string, string> = {}): Sent => ({
  method,
  path,
  body: typeof body === 'string' || Buffer.isBuffer(body) ? body : json(body),
  headers: { 'content-type': type, ...headers },
});
const post = (path: string, body: unknown): Sent => sent('POST', path, body);
const remove = (path: string): Sent => ({ method: 'DELETE', path });
const yaml = 'application/yaml';
const cbor = 'application/cbor';
const protobuf = 'application/vnd.kubernetes.protobuf';
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const partial = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
const share = (size: number): number => size / bodyLimit;

const yamlKeys = (size: number): string =>
  times(28_000 * share(size))
    .map((index) => `k${index}: a\n`)
    .join('');

/** An object as large as the store takes, with as many fields as one may have. */
const stored = (name: string, body: object): (() => readonly Sent[]) => {
  const path = `${core}/configmaps`;
  return () => [remove(`${path}/${name}`), post(path, { metadata: { name }, ...body })];
};
const full = stored('full', { data: fillMap(1_400_000, (index) => `k${index}`, 'some text of a value', 45_000) });
const text = (value: string): (() => readonly Sent[]) => stored('text', { data: { a: value } });
const read = (name: string, accept: string, query = ''): Sent => ({
  method: 'GET',
  path: `${core}/configmaps/${name}${query}`,
  headers: { accept },
});
const forms: readonly (readonly [name: string, accept: string, query?: string])[] = [
  ['YAML', yaml],
  ['CBOR', cbor],
  ['protobuf', protobuf],
  ['pretty', 'application/json', '?pretty=true'],
  ['table with the object', table, '?includeObject=Object'],
  ['metadata', partial],
];
const texts: readonly (readonly [name: string, value: string])[] = [
  ['lines', 'x\n'.repeat(500_000)],
  ['words', 'a b '.repeat(250_000)],
  ['what does not print', '\x1b'.repeat(240_000)],
  ['quotes', '"'.repeat(500_000)],
  ['a byte order mark', `\ufeff${'a'.repeat(1_000_000)}`],
  ['emoji', '😀'.repeat(250_000)],
];

/** Fields as a manager has them that owns each by itself. */
const owned = (count: number, prefix = 'k'): object => ({
  'f:data': Object.fromEntries(times(count).map((index) => [`f:${prefix}${index}`, {}])),
});
const manager = (name: string, fieldsV1: object, operation = 'Apply'): object => ({
  manager: name,
  operation,
  apiVersion: 'v1',
  time: '2026-01-01T00:00:00Z',
  fieldsType: 'FieldsV1',
  fieldsV1,
});
const managed = (managedFields: readonly object[], count: number): (() => readonly Sent[]) =>
  stored('managed', {
    data: Object.fromEntries(times(count).map((index) => [`k${index}`, 'a'])),
    ...{ metadata: { name: 'managed', managedFields } },
  });
const apply = (body: unknown, query = ''): Sent =>
  sent('PATCH', `${core}/configmaps/managed?fieldManager=me&dryRun=All${query}`, body, 'application/apply-patch+yaml');
const applied = (count: number, value = 'a'): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'managed' },
  data: Object.fromEntries(times(count).map((index) => [`k${index}`, value])),
});

const pod = (spec: object): Sent =>
  post(`${core}/pods${dry}`, { metadata: { name: 'combined' }, spec: { automountServiceAccountToken: false, ...spec } });
const limitRange =
  (limits: readonly object[]): (() => readonly Sent[]) =>
  () => [remove(`${core}/limitranges/combined`), post(`${core}/limitranges`, { metadata: { name: 'combined' }, spec: { limits } })];
const noLimitRange = remove(`${core}/limitranges/combined`);
const containers = (count: number, more: object = {}): object[] =>
  times(count).map((index) => ({ name: `c${index}`, image: 'a', ...more }));

/** A message of protobuf with this field, of length-delimited bytes, again and again. */
const field = (number: number, bytes: Buffer): Buffer => {
  const head: number[] = [];
  for (const value of [number * 8 + 2, bytes.length]) {
    let rest = value;
    for (; rest > 0x7f; rest >>>= 7) head.push((rest & 0x7f) | 0x80);
    head.push(rest);
  }
  return Buffer.concat([Buffer.from(head), bytes]);
};
/** As many as fit. */
const units = (size: number, unit: readonly number[]): Buffer =>
  Buffer.alloc(Math.floor(size / unit.length) * unit.length, Buffer.from(unit));
const envelope = (kind: string, message: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from('6b387300', 'hex'),
    field(1, Buffer.concat([field(1, Buffer.from('v1')), field(2, Buffer.from(kind))])),
    field(2, message),
  ]);
const named = (name: string): Buffer => field(1, field(1, Buffer.from(name)));
const protobufCase = (name: string, path: string, kind: string, message: (size: number) => Buffer): Case => ({
  name: `protobuf: ${name}`,
  request: (size) => sent('POST', `${core}/${path}${dry}`, envelope(kind, Buffer.concat([named('a'), message(size)])), protobuf),
});

/** CBOR of a value, each map and list of known length. */
function cborOf(value: unknown): Buffer {
  const head = (major: number, length: number): Buffer => {
    const bytes = Buffer.alloc(5);
    bytes[0] = (major << 5) | 26;
    bytes.writeUInt32BE(length, 1);
    return bytes;
  };
  if (typeof value === 'string') return Buffer.concat([head(2, Buffer.byteLength(value)), Buffer.from(value)]);
  if (typeof value === 'number') return head(0, value);
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(cborOf)]);
  const entries = Object.entries(value as object);
  return Buffer.concat([head(5, entries.length), ...entries.flatMap(([key, item]) => [cborOf(key), cborOf(item)])]);
}
const cborCase = (name: string, path: string, body: (size: number) => object): Case => ({
  name: `CBOR: ${name}`,
  request: (size) => sent('POST', `${path}${dry}`, Buffer.concat([Buffer.from('d9d9f7', 'hex'), cborOf(body(size))]), cbor),
});

export const combinedCases: readonly Case[] = [
  // YAML where one thinks of it last
  { name: 'YAML: options of a delete', request: (size) => sent('DELETE', `${core}/configmaps/none`, yamlKeys(size), yaml) },
  {
    name: 'JSON: options of a delete',
    request: (size) => sent('DELETE', `${core}/configmaps/none`, { preconditions: fillMap(size, (index) => `k${index}`, 1) }),
  },
  { name: 'YAML: options of a delete of all', request: (size) => sent('DELETE', `${core}/secrets`, yamlKeys(size), yaml) },
  {
    name: 'YAML: scale',
    before: () => [
      post(`${apps}/deployments`, {
        metadata: { name: 'scaled' },
        spec: {
          selector: { matchLabels: { a: 'b' } },
          template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'a', image: 'a' }] } },
        },
      }),
    ],
    request: (size) =>
      sent('PUT', `${apps}/deployments/scaled/scale`, `metadata: {name: scaled}\nspec: {replicas: 1}\n${yamlKeys(size)}`, yaml),
  },
  { name: 'YAML: eviction', request: (size) => sent('POST', `${core}/pods/none/eviction`, yamlKeys(size), yaml) },
  {
    name: 'YAML: access review',
    request: (size) => sent('POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', yamlKeys(size), yaml),
  },
  {
    name: 'YAML: a value of the wrong type at the end',
    request: (size) =>
      sent('POST', `${core}/configmaps${dry}`, `data:\n${yamlKeys(size).replaceAll(/^/gm, '  ').trimEnd()}\nmetadata: 1\n`, yaml),
  },
  ...(['{}', '[]', '1', '{"a":1}'] as const).flatMap((item): Case[] => [
    {
      name: `YAML that is JSON: ${item}, applied`,
      request: (size) =>
        apply(
          `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"managed"},"x":[${`${item},`.repeat(size / (item.length + 1))}${item}]}`,
        ),
    },
    {
      name: `YAML that is JSON: ${item}, created`,
      request: (size) =>
        sent(
          'POST',
          `${core}/configmaps${dry}`,
          `{"metadata":{"name":"a"},"x":[${`${item},`.repeat(size / (item.length + 1))}${item}]}`,
          yaml,
        ),
    },
  ]),
  // responses
  ...forms.map(([name, accept, query]): Case => ({
    name: `a full map as ${name}`,
    before: full,
    request: () => read('full', accept, query),
  })),
  ...texts.flatMap(([what, value]) =>
    forms.slice(0, 4).map(([name, accept, query]): Case => ({
      name: `a text of ${what} as ${name}`,
      before: text(value),
      request: () => read('text', accept, query),
    })),
  ),
  // CBOR and protobuf
  cborCase('data', `${core}/configmaps`, (size) => ({ metadata: { name: 'a' }, data: fillMap(size / 3, (index) => `k${index}`, 'a') })),
  cborCase('containers', `${core}/pods`, (size) => ({
    metadata: { name: 'a' },
    spec: { containers: times(19_000 * share(size)).map(() => ({})) },
  })),
  cborCase('unknown fields', `${core}/configmaps`, (size) => ({
    metadata: { name: 'a' },
    ...fillMap(size / 3, (index) => `k${index}`, 1),
  })),
  cborCase('numbers', `${core}/configmaps`, (size) => ({ metadata: { name: 'a' }, x: times(size / 6) })),
  cborCase('wrong types', `${core}/configmaps`, (size) => ({
    metadata: { name: 'a' },
    data: fillMap(size / 3, (index) => `k${index}`, 1),
  })),
  protobufCase('unknown fields', 'configmaps', 'ConfigMap', (size) => units(size, [0xf8, 0x07, 0x01])),
  protobufCase('unknown messages', 'configmaps', 'ConfigMap', (size) => units(size, [0xfa, 0x07, 0x00])),
  protobufCase('containers', 'pods', 'Pod', (size) => field(2, units(39_000 * share(size), [0x12, 0x00]))),
  protobufCase('annotations', 'configmaps', 'ConfigMap', (size) => field(1, units(size / 8, [0x62, 0x04, 0x0a, 0x00, 0x12, 0x00]))),
  protobufCase('managed fields', 'configmaps', 'ConfigMap', (size) => field(1, units(58_000 * share(size), [0x8a, 0x01, 0x00]))),
  protobufCase('owners', 'configmaps', 'ConfigMap', (size) => field(1, units(39_000 * share(size), [0x6a, 0x00]))),
  protobufCase('tolerations', 'pods', 'Pod', (size) => field(2, units(58_000 * share(size), [0xb2, 0x01, 0x00]))),
  // who owns what
  {
    name: 'apply over what another manager owns',
    before: managed([manager('other', owned(25_000))], 25_000),
    request: (size) => apply(applied(25_000 * share(size), 'b'), '&force=true'),
  },
  {
    name: 'apply over what another manager owns, with conflicts',
    before: managed([manager('other', owned(25_000))], 25_000),
    request: (size) => apply(applied(25_000 * share(size), 'b')),
  },
  {
    name: 'apply less than before',
    before: managed([manager('me', owned(25_000))], 25_000),
    request: () => apply(applied(1), '&force=true'),
  },
  {
    name: 'apply beside a thousand managers',
    before: managed(
      times(1000).map((index) => manager(`m${index}`, owned(20))),
      45_000,
    ),
    request: (size) => apply(applied(25_000 * share(size), 'b'), '&force=true'),
  },
  {
    name: 'update beside a thousand managers',
    before: managed(
      times(1000).map((index) => manager(`m${index}`, owned(20))),
      20_000,
    ),
    request: (size) =>
      sent('PUT', `${core}/configmaps/managed${dry}`, {
        metadata: { name: 'managed' },
        data: fillMap(size / 3, (index) => `k${index}`, 'c', 20_000),
      }),
  },
  {
    name: 'create with many managers',
    request: (size) =>
      post(`${core}/configmaps${dry}`, { metadata: { name: 'a', managedFields: fill(size, (index) => manager(`m${index}`, owned(2))) } }),
  },
  {
    name: 'create with a deep field set',
    request: (size) => {
      const depth = Math.min(size / 12, 4000);
      const fields = `${'{"f:a":'.repeat(depth)}{}${'}'.repeat(depth)}`;
      return sent(
        'POST',
        `${core}/configmaps${dry}`,
        `{"metadata":{"name":"a","managedFields":[${json(manager('m', {})).replace('"fieldsV1":{}', `"fieldsV1":${fields}`)}]}}`,
      );
    },
  },
  {
    name: 'create with a field set of values',
    request: (size) =>
      post(`${core}/configmaps${dry}`, {
        metadata: {
          name: 'a',
          managedFields: [manager('m', { 'f:metadata': { 'f:finalizers': fillMap(size, (index) => `v:"${index}"`, {}) } })],
        },
      }),
  },
  // each with each
  {
    name: 'containers and defaults of a limit range',
    before: limitRange([{ type: 'Container', default: fillMap(600_000, (index) => `a.b/r${index}`, '1', 19_000), max: { cpu: '1' } }]),
    request: (size) => pod({ containers: containers(19_000 * share(size)) }),
  },
  {
    name: 'containers and items of a limit range',
    before: limitRange([{ type: 'Container', max: fillMap(600_000, (index) => `a.b/r${index}`, '1', 2000) }]),
    request: (size) => pod({ containers: containers(10_000 * share(size), { resources: { limits: { cpu: '2' } } }) }),
  },
  {
    name: 'resources and items of a limit range',
    before: limitRange([{ type: 'Pod', max: fillMap(600_000, (index) => `a.b/r${index}`, '0', 19_000) }]),
    request: (size) =>
      pod({ containers: [{ name: 'a', image: 'a', resources: { limits: fillMap(size, (index) => `a.b/r${index}`, '1', 19_000) } }] }),
  },
  {
    name: 'containers without a limit range',
    before: () => [noLimitRange],
    request: (size) => pod({ containers: containers(19_000 * share(size)) }),
  },
  {
    name: 'containers and secrets of an account',
    before: () => [
      remove(`${core}/serviceaccounts/wide`),
      post(`${core}/serviceaccounts`, {
        metadata: { name: 'wide' },
        imagePullSecrets: times(19_000).map((index) => ({ name: `s${index}` })),
      }),
    ],
    request: (size) => pod({ serviceAccountName: 'wide', containers: containers(10_000 * share(size)) }),
  },
  {
    name: 'environment and claims of containers',
    request: (size) =>
      pod({
        resourceClaims: times(5000).map((index) => ({ name: `r${index}`, resourceClaimName: 'a' })),
        containers: containers(3000 * share(size), {
          resources: { claims: [{ name: 'r1' }, { name: 'none' }] },
          env: [{ name: 'A', value: 'b' }],
        }),
      }),
  },
  {
    name: 'init containers, containers and ports',
    request: (size) =>
      pod({
        initContainers: containers(5000 * share(size), { restartPolicy: 'Always', ports: [{ containerPort: 80, hostPort: 80 }] }),
        containers: containers(5000 * share(size), { ports: [{ containerPort: 80, hostPort: 80 }] }),
      }),
  },
  {
    name: 'a pod that security levels refuse',
    before: () => [
      post('/api/v1/namespaces', {
        metadata: {
          name: 'restricted',
          labels: { 'pod-security.kubernetes.io/enforce': 'restricted', 'pod-security.kubernetes.io/warn': 'restricted' },
        },
      }),
    ],
    request: (size) =>
      post(`/api/v1/namespaces/restricted/pods${dry}`, {
        metadata: { name: 'a' },
        spec: {
          hostNetwork: true,
          containers: containers(9000 * share(size), {
            securityContext: { privileged: true },
            ports: [{ containerPort: 1, hostPort: 1 }],
          }),
        },
      }),
  },
  // headers
  {
    name: 'headers: extra of an impersonated user',
    limit: headerLimit / 2,
    request: (size) => ({
      method: 'GET',
      path: '/api/v1/configmaps?limit=1',
      headers: { 'impersonate-user': 'a', 'impersonate-extra-a': '%41'.repeat(size / 3) },
    }),
  },
  {
    name: 'headers: shortest types accepted',
    limit: headerLimit,
    request: (size) => ({ method: 'GET', path: '/api/v1/configmaps?limit=1', headers: { accept: '*;v=1,'.repeat(size / 7) } }),
  },
  {
    name: 'headers: parameters without a name',
    limit: headerLimit,
    request: (size) => ({ method: 'GET', path: `/api/v1/configmaps?limit=1${'&'.repeat(size)}` }),
  },
  {
    name: 'headers: short parameters',
    limit: headerLimit,
    request: (size) => ({ method: 'GET', path: `/api/v1/configmaps?limit=1${'&a'.repeat(size / 2)}` }),
  },
  {
    name: 'headers: escapes in parameters',
    limit: headerLimit,
    request: (size) => ({ method: 'GET', path: `/api/v1/configmaps?limit=1&fieldManager=${'%41'.repeat(size / 3)}` }),
  },
  {
    name: 'headers: trace context',
    limit: headerLimit,
    request: (size) => ({
      method: 'GET',
      path: '/api/v1/configmaps?limit=1',
      headers: { traceparent: '0'.repeat(size / 2), tracestate: 'a=b,'.repeat(size / 8) },
    }),
  },
];
