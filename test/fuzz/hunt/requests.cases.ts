import type { Case, World } from './case.ts';
import { fill, fillMap, json } from './case.ts';
import type { Sent } from './hunted-server.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const widgets = '/apis/hunt.example.com/v1/namespaces/default/widgets';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const dry = '?dryRun=All';
const post = (path: string, body: unknown, headers?: Record<string, string>): Sent => ({
  method: 'POST',
  path,
  body: typeof body === 'string' || Buffer.isBuffer(body) ? body : json(body),
  ...(headers && { headers }),
});
const patch = (path: string, type: string, body: unknown): Sent => ({
  method: 'PATCH',
  path,
  body: typeof body === 'string' ? body : json(body),
  headers: { 'content-type': type },
});
const remove = (path: string): Sent => ({ method: 'DELETE', path });
const times = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);
const mergePatch = 'application/merge-patch+json';
const jsonPatch = 'application/json-patch+json';
const strategicPatch = 'application/strategic-merge-patch+json';
const applyPatch = 'application/apply-patch+yaml';
const apply = `${configMaps}/patched?dryRun=All&fieldManager=m&force=true`;

const yaml = (text: (size: number) => string, name: string): Case => ({
  name: `YAML: ${name}`,
  request: (size) =>
    post(configMaps + dry, `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n${text(size)}`, { 'content-type': 'application/yaml' }),
});

const raw = (type: string, name: string, bytes: (size: number) => Buffer): Case => ({
  name: `${type.split('/')[1]}: ${name}`,
  request: (size) => post(configMaps + dry, bytes(size), { 'content-type': type }),
});

const cbor = 'application/cbor';
const protobuf = 'application/vnd.kubernetes.protobuf';
const k8s = (message: Buffer): Buffer => {
  const meta = Buffer.from('0a0f0a0276311209436f6e6669674d6170', 'hex');
  const length: number[] = [];
  for (let rest = message.length; ; rest >>>= 7) {
    length.push((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
    if (rest <= 0x7f) break;
  }
  return Buffer.concat([Buffer.from('6b387300', 'hex'), meta, Buffer.from([0x12, ...length]), message]);
};

export const codecCases: readonly Case[] = [
  yaml(
    (size) =>
      `data:\n${times(size / 12)
        .map((i) => `  k${i}: a\n`)
        .join('')}`,
    'keys',
  ),
  yaml((size) => `x: ${'[1,'.repeat(size / 4)}`, 'open lists'),
  yaml((size) => `data: {${'a: b,'.repeat(size / 6)}}`, 'the same key'),
  yaml((size) => `a: &a [${'1,'.repeat(500)}]\nb:\n${'- *a\n'.repeat(size / 6)}`, 'aliases'),
  yaml((size) => `a: &a {x: 1}\nb:\n${'- <<: *a\n'.repeat(size / 10)}`, 'merges'),
  yaml(
    (size) =>
      times(size / 16)
        .map((i) => `k${i}: &a${i} x\n`)
        .join(''),
    'anchors',
  ),
  yaml((size) => `data: {a: "${'\\n'.repeat(size / 2)}"}`, 'escapes'),
  yaml((size) => `data: {a: "${'\\x41'.repeat(size / 4)}"}`, 'octets'),
  yaml((size) => `data: {a: "${'\\U00000041'.repeat(size / 10)}"}`, 'code points'),
  yaml((size) => `data: {a: "${'a\\e'.repeat(size / 3)}"}`, 'other escapes'),
  yaml((size) => `data:\n  a: |\n${'    x\n'.repeat(size / 6)}`, 'lines of text'),
  yaml((size) => `data:\n  a: "${'\n'.repeat(size)}"`, 'empty lines in quotes'),
  yaml((size) => `data: {a: ${'1_'.repeat(size / 2)}}`, 'a long number'),
  yaml((size) => '\n'.repeat(size / 2) + '---\n{', 'blank lines'),
  yaml((size) => '#\n'.repeat(size / 2), 'comments'),
  yaml((size) => `${'--- a\n'.repeat(size / 6)}`, 'documents'),
  yaml((size) => `${'? '.repeat(size / 2)}`, 'questions'),
  yaml((size) => `${' '.repeat(size)}\t{`, 'blanks'),
  yaml((size) => `${'!a'.repeat(size / 2)} b`, 'a long tag'),
  raw(cbor, 'deep', (size) => Buffer.concat([Buffer.from('d9d9f7', 'hex'), Buffer.alloc(size, 0x81)])),
  raw(cbor, 'map', (size) => {
    const parts = times(size / 12).map((i) =>
      Buffer.concat([Buffer.from([0x60 + `k${i}`.length]), Buffer.from(`k${i}`), Buffer.from([0x61, 0x61])]),
    );
    const head = Buffer.alloc(5, 0xba);
    head.writeUInt32BE(parts.length, 1);
    return Buffer.concat([Buffer.from('d9d9f7a1', 'hex'), Buffer.from('6464617461', 'hex'), head, ...parts]);
  }),
  raw(cbor, 'a list that says it is long', () => Buffer.from('d9d9f79affffffff', 'hex')),
  raw(cbor, 'a map that says it is long', () => Buffer.from('d9d9f7baffffffff', 'hex')),
  raw(cbor, 'pieces of text', (size) =>
    Buffer.concat([Buffer.from('d9d9f7a164646174617f', 'hex'), Buffer.alloc(size, 0x60), Buffer.from([0xff])]),
  ),
  raw(cbor, 'the same key', (size) =>
    Buffer.concat([Buffer.from('d9d9f7bf', 'hex'), Buffer.from('616101'.repeat(size / 3), 'hex'), Buffer.from([0xff])]),
  ),
  raw(cbor, 'tags', (size) => Buffer.concat([Buffer.from('d9d9f7', 'hex'), Buffer.alloc(size, 0xc1)])),
  raw(protobuf, 'data', (size) =>
    k8s(
      Buffer.concat(
        times(size / 14).map((i) => {
          const key = Buffer.from(`k${i}`);
          return Buffer.concat([Buffer.from([0x12, key.length + 5, 0x0a, key.length]), key, Buffer.from([0x12, 0x01, 0x61])]);
        }),
      ),
    ),
  ),
  raw(protobuf, 'metadata again and again', (size) => k8s(Buffer.alloc(size, Buffer.from([0x0a, 0x00])))),
  raw(protobuf, 'finalizers', (size) =>
    k8s(
      Buffer.concat(
        [Buffer.from('0a'), Buffer.alloc(0)].slice(1).concat([Buffer.alloc(size, Buffer.from('12070a01611202' + '0a00'.repeat(0), 'hex'))]),
      ),
    ),
  ),
  raw(protobuf, 'groups', (size) => k8s(Buffer.alloc(size, 0x0b))),
  raw(protobuf, 'varints', (size) => k8s(Buffer.alloc(size, 0xff))),
  ...[
    ['deep lists', (size: number) => `${'['.repeat(Math.min(size, 9000))}${']'.repeat(Math.min(size, 9000))}`],
    ['too deep', (size: number) => '['.repeat(size)],
    ['too deep objects', (size: number) => '{"a":'.repeat(size / 5)],
    ['blanks', (size: number) => `${' '.repeat(size)}x`],
    ['a long number', (size: number) => `{"a":${'1'.repeat(size)}}`],
    ['a long exponent', (size: number) => `{"a":1e${'1'.repeat(size)}}`],
    ['surrogates', (size: number) => `{"metadata":{"name":"a"},"data":{"a":"${'\\ud800'.repeat(size / 6)}"}}`],
    ['escapes', (size: number) => `{"metadata":{"name":"a"},"data":{"a":"${'\\"'.repeat(size / 2)}"}}`],
    [
      'bad UTF-8',
      (size: number) =>
        Buffer.concat([Buffer.from('{"metadata":{"name":"a"},"data":{"a":"'), Buffer.alloc(size, 0xff), Buffer.from('"}}')]),
    ],
    ['an unknown long field', (size: number) => `{"metadata":{"name":"a"},"${'x'.repeat(size)}":1}`],
    ['unknown long fields', (size: number) => `{"metadata":{"name":"a"}${`,"${'x'.repeat(2000)}":1`.repeat(size / 2010)}}`],
  ].map(([name, body]): Case => ({
    name: `JSON: ${name as string}`,
    request: (size) => post(configMaps + dry, (body as (size: number) => string)(size)),
  })),
];

/** An object to patch, with as much in it as one may have. */
const patched = (metadata: object, more: object): (() => readonly Sent[]) => {
  const body = { metadata: { name: 'patched', ...metadata }, ...more };
  // What has finalizers is there until it has none.
  const freed = patch(`${configMaps}/patched`, mergePatch, { metadata: { finalizers: null } });
  return () => [freed, remove(`${configMaps}/patched`), post(configMaps, body)];
};
const data = (count: number): object => ({ data: Object.fromEntries(times(count).map((i) => [`k${i}`, 'a'])) });
const owners = (count: number, more: object = {}): object => ({
  ownerReferences: times(count).map((i) => ({ apiVersion: 'v1', kind: 'A', name: 'a', uid: `u${i}`, ...more })),
});
const target = `${configMaps}/patched${dry}`;

export const patchCases: readonly Case[] = [
  {
    name: 'merge into a full map',
    before: patched({}, data(45_000)),
    request: (size) => patch(target, mergePatch, { data: fillMap(Math.min(size, 600_000), (i) => `n${i}`, 'b') }),
  },
  {
    name: 'merge that fills a map',
    before: patched({}, data(25_000)),
    request: (size) => patch(target, mergePatch, { data: fillMap(Math.min(size, 300_000), (i) => `n${i}`, 'b') }),
  },
  {
    name: 'a small merge into a full map',
    before: patched({}, data(49_000)),
    request: () => patch(target, mergePatch, { data: { n: 'b' } }),
  },
  {
    name: 'a small operation on a full map',
    before: patched({}, data(49_000)),
    request: () => patch(target, jsonPatch, [{ op: 'add', path: '/data/n', value: 'b' }]),
  },
  {
    name: 'merge that removes',
    before: patched({}, data(45_000)),
    request: (size) => patch(target, mergePatch, { data: fillMap(Math.min(size, 600_000), (i) => `k${i}`, null) }),
  },
  {
    name: 'merge, deep',
    before: patched({}, {}),
    request: (size) => patch(target, mergePatch, `${'{"a":'.repeat(Math.min(size / 6, 9000))}1${'}'.repeat(Math.min(size / 6, 9000))}`),
  },
  {
    name: 'strategic, owners',
    before: patched(owners(15_000), {}),
    request: (size) => patch(target, strategicPatch, { metadata: owners(Math.round((15_000 * size) / 3_143_680)) }),
  },
  {
    name: 'strategic, new owners',
    before: patched(owners(10_000), {}),
    request: (size) =>
      patch(target, strategicPatch, {
        metadata: {
          ownerReferences: times(Math.round((10_000 * size) / 3_143_680)).map((i) => ({
            apiVersion: 'v1',
            kind: 'A',
            name: 'a',
            uid: `n${i}`,
          })),
        },
      }),
  },
  {
    name: 'strategic, deletions',
    before: patched(owners(15_000), {}),
    request: (size) =>
      patch(target, strategicPatch, {
        metadata: { ownerReferences: times(Math.round((15_000 * size) / 3_143_680)).map((i) => ({ $patch: 'delete', uid: `u${i}` })) },
      }),
  },
  {
    name: 'strategic, order of elements',
    before: patched(owners(10_000), {}),
    request: (size) =>
      patch(target, strategicPatch, {
        metadata: {
          '$setElementOrder/ownerReferences': times(Math.round((10_000 * size) / 3_143_680)).map((i) => ({ uid: `u${i}` })),
          ...owners(Math.round((10_000 * size) / 3_143_680)),
        },
      }),
  },
  {
    name: 'strategic, order backwards',
    before: patched(owners(10_000), {}),
    request: (size) =>
      patch(target, strategicPatch, {
        metadata: {
          '$setElementOrder/ownerReferences': times(Math.round((10_000 * size) / 3_143_680)).map((i) => ({ uid: `u${10_000 - i}` })),
        },
      }),
  },
  {
    name: 'strategic, finalizers',
    before: patched({ finalizers: times(30_000).map((i) => `a.b/c${i}`) }, {}),
    request: (size) => patch(target, strategicPatch, { metadata: { finalizers: fill(Math.min(size, 600_000), (i) => `a.b/d${i}`) } }),
  },
  {
    name: 'strategic, finalizers deleted',
    before: patched({ finalizers: times(30_000).map((i) => `a.b/c${i}`) }, {}),
    request: (size) =>
      patch(target, strategicPatch, {
        metadata: { '$deleteFromPrimitiveList/finalizers': fill(Math.min(size, 600_000), (i) => `a.b/c${i}`) },
      }),
  },
  {
    name: 'strategic, retained keys',
    before: patched({}, data(40_000)),
    request: (size) => patch(target, strategicPatch, { data: { $retainKeys: fill(Math.min(size, 600_000), (i) => `k${i}`) } }),
  },
  {
    name: 'strategic, retained keys of an object with finalizers',
    before: patched({ finalizers: times(30_000).map((i) => `a.b/c${i}`) }, {}),
    request: (size) => patch(target, strategicPatch, { data: { $retainKeys: fill(Math.min(size, 600_000), (i) => `k${i}`) } }),
  },
  {
    name: 'JSON patch, moves',
    before: patched({ finalizers: times(45_000).map((i) => `a.b/c${i}`) }, {}),
    request: (size) =>
      patch(
        target,
        jsonPatch,
        times(Math.min(9_999, size / 80)).map(() => ({ op: 'move', from: '/metadata/finalizers/0', path: '/metadata/finalizers/44999' })),
      ),
  },
  {
    name: 'JSON patch, adds at the front',
    before: patched({ finalizers: times(45_000).map((i) => `a.b/c${i}`) }, {}),
    request: (size) =>
      patch(
        target,
        jsonPatch,
        times(Math.min(9_999, size / 80)).map((i) => ({ op: 'add', path: '/metadata/finalizers/0', value: `x.y/z${i}` })),
      ),
  },
  {
    name: 'JSON patch, tests of the whole',
    before: patched({}, data(40_000)),
    request: (size) =>
      patch(
        target,
        jsonPatch,
        times(Math.min(9_999, size / 80)).map(() => ({ op: 'test', path: '/data/k1', value: 'a' })),
      ),
  },
  {
    name: 'JSON patch, copies',
    before: patched({}, data(10)),
    request: (size) =>
      patch(
        target,
        jsonPatch,
        times(Math.min(9_999, size / 80)).map((i) => ({ op: 'copy', from: '/data', path: `/x${i}` })),
      ),
  },
  {
    name: 'JSON patch, copies into an object with finalizers',
    before: patched({ finalizers: times(45_000).map((i) => `a.b/c${i}`) }, data(10)),
    request: (size) =>
      patch(
        target,
        jsonPatch,
        times(Math.min(9_999, size / 80)).map((i) => ({ op: 'copy', from: '/data', path: `/x${i}` })),
      ),
  },
  {
    name: 'JSON patch, copies that double',
    before: patched({}, data(10)),
    request: (size) =>
      patch(
        target,
        jsonPatch,
        times(Math.min(40, size / 80)).map((i) => ({ op: 'copy', from: '/data', path: `/data/x${i}` })),
      ),
  },
  {
    name: 'JSON patch, removals',
    before: patched({}, data(45_000)),
    request: (size) =>
      patch(
        target,
        jsonPatch,
        times(Math.min(9_999, size / 80)).map((i) => ({ op: 'remove', path: `/data/k${i}` })),
      ),
  },
  {
    name: 'JSON patch, a long path',
    before: patched({}, {}),
    request: (size) => patch(target, jsonPatch, [{ op: 'add', path: '/a'.repeat(size / 2), value: 1 }]),
  },
  {
    name: 'JSON patch, tildes',
    before: patched({}, {}),
    request: (size) => patch(target, jsonPatch, [{ op: 'add', path: `/data/${'~0~1'.repeat(size / 4)}`, value: 'x' }]),
  },
  {
    name: 'apply, data',
    before: patched({}, {}),
    request: (size) =>
      patch(apply, applyPatch, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'patched' },
        data: fillMap(Math.min(size / 3, 650_000), (i) => `k${i}`, 'a'),
      }),
  },
  {
    name: 'apply over data',
    before: patched({}, data(45_000)),
    request: (size) =>
      patch(apply, applyPatch, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'patched' },
        data: fillMap(Math.min(size / 3, 650_000), (i) => `k${i}`, 'b'),
      }),
  },
  {
    name: 'apply with conflicts',
    before: patched({}, data(45_000)),
    request: (size) =>
      patch(apply.replace('&force=true', ''), applyPatch, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'patched' },
        data: fillMap(Math.min(size / 3, 650_000), (i) => `k${i}`, 'b'),
      }),
  },
  {
    name: 'apply, owners',
    before: patched(owners(15_000), {}),
    request: (size) =>
      patch(apply, applyPatch, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'patched', ...owners(Math.round((15_000 * size) / 3_143_680)) },
      }),
  },
  {
    name: 'apply, owners backwards',
    before: patched(owners(15_000), {}),
    request: (size) =>
      patch(apply, applyPatch, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: {
          name: 'patched',
          ownerReferences: [
            ...(owners(Math.round((15_000 * size) / 3_143_680)) as { ownerReferences: object[] }).ownerReferences,
          ].reverse(),
        },
      }),
  },
  {
    name: 'apply, finalizers',
    before: patched({ finalizers: times(45_000).map((i) => `a.b/c${i}`) }, {}),
    request: (size) =>
      patch(apply, applyPatch, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'patched', finalizers: fill(Math.min(size, 900_000), (i) => `a.b/c${i}`) },
      }),
  },
  {
    name: 'apply, YAML',
    before: patched({}, {}),
    request: (size) =>
      patch(
        apply,
        applyPatch,
        `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: patched\ndata:\n${times(Math.min(size / 14, 49_000))
          .map((i) => `  k${i}: a\n`)
          .join('')}`,
      ),
  },
  {
    name: 'update of a full map',
    before: patched({}, data(45_000)),
    request: () => ({ method: 'PUT', path: target, body: json({ metadata: { name: 'patched' }, ...data(45_000) }) }),
  },
];

const list = (query: string): Sent => ({ method: 'GET', path: `/api/v1/configmaps?${query}` });
const headerLimit = 900_000;
const filled: World = () => [
  times(3000).map((i) =>
    post(configMaps, { metadata: { name: `n${i}`, labels: { app: `a${i % 10}`, x: 'y' } }, data: { a: 'b'.repeat(200) } }),
  ),
];

export const readCases: readonly Case[] = [
  {
    name: 'labels in a long set',
    world: [filled],
    limit: headerLimit,
    request: (size) =>
      list(
        `labelSelector=${encodeURIComponent('app in (')}${times(size / 8)
          .map((i) => `v${i}`)
          .join(',')})`,
      ),
  },
  {
    name: 'labels not in a long set',
    world: [filled],
    limit: headerLimit,
    request: (size) =>
      list(
        `labelSelector=${encodeURIComponent('app notin (')}${times(size / 8)
          .map((i) => `v${i}`)
          .join(',')})`,
      ),
  },
  {
    name: 'many requirements',
    world: [filled],
    limit: headerLimit,
    request: (size) =>
      list(
        `labelSelector=${times(size / 8)
          .map((i) => `!k${i}`)
          .join(',')}`,
      ),
  },
  {
    name: 'a thousand requirements',
    world: [filled],
    request: () =>
      list(
        `labelSelector=${times(999)
          .map((i) => `!k${i}`)
          .join(',')}`,
      ),
  },
  {
    name: 'a thousand fields',
    world: [filled],
    request: () =>
      list(
        `fieldSelector=${times(999)
          .map((i) => `metadata.name!=k${i}`)
          .join(',')}`,
      ),
  },
  {
    name: 'field terms',
    world: [filled],
    limit: headerLimit,
    request: (size) =>
      list(
        `fieldSelector=${times(size / 20)
          .map((i) => `metadata.name!=k${i}`)
          .join(',')}`,
      ),
  },
  {
    name: 'escapes in fields',
    world: [filled],
    limit: headerLimit,
    request: (size) => list(`fieldSelector=metadata.name=${'%5C,'.repeat(size / 4)}`),
  },
  { name: 'blanks in a selector', world: [filled], limit: headerLimit, request: (size) => list(`labelSelector=${'+'.repeat(size)}`) },
  { name: 'a long key', world: [filled], limit: headerLimit, request: (size) => list(`labelSelector=${'a'.repeat(size)}`) },
  { name: 'a long path', limit: headerLimit, request: (size) => ({ method: 'GET', path: `/api/v1${'/a'.repeat(size / 2)}` }) },
  { name: 'slashes', limit: headerLimit, request: (size) => ({ method: 'GET', path: '/'.repeat(size) }) },
  { name: 'dots', limit: headerLimit, request: (size) => ({ method: 'GET', path: '/..'.repeat(size / 3) }) },
  {
    name: 'escapes in a path',
    limit: headerLimit,
    request: (size) => ({ method: 'GET', path: `/api/v1/namespaces/${'%41'.repeat(size / 3)}` }),
  },
  {
    name: 'parameters',
    limit: headerLimit,
    request: (size) => ({ method: 'GET', path: `/api/v1/configmaps?limit=1&${'a=b&'.repeat(size / 4)}` }),
  },
  {
    name: 'the same parameter',
    limit: headerLimit,
    request: (size) => ({ method: 'GET', path: `/api/v1/configmaps?${'limit=1&'.repeat(size / 8)}` }),
  },
  {
    name: 'accept',
    limit: headerLimit,
    request: (size) => ({ method: 'GET', path: '/api/v1/configmaps?limit=1', headers: { accept: 'a/b;q=0.1,'.repeat(size / 11) } }),
  },
  {
    name: 'accept, the best last',
    limit: headerLimit,
    request: (size) => ({
      method: 'GET',
      path: '/api/v1/configmaps?limit=1',
      headers: {
        accept: times(size / 17)
          .map((i) => `a/b;q=0.${String(i).padStart(6, '0')}`)
          .join(','),
      },
    }),
  },
  {
    name: 'accept parameters',
    limit: headerLimit,
    request: (size) => ({
      method: 'GET',
      path: '/api/v1/configmaps?limit=1',
      headers: { accept: `application/json${';a=b'.repeat(size / 4)}` },
    }),
  },
  {
    name: 'content type',
    limit: headerLimit,
    request: (size) => post(configMaps + dry, '{}', { 'content-type': `application/json${';a=b'.repeat(size / 4)}` }),
  },
  {
    name: 'user agent',
    limit: headerLimit,
    request: (size) => post(configMaps + dry, { metadata: { name: 'a' } }, { 'user-agent': 'a'.repeat(size) }),
  },
  {
    name: 'impersonation',
    limit: headerLimit,
    request: (size) => ({
      method: 'GET',
      path: '/api/v1/configmaps?limit=1',
      headers: { 'impersonate-user': 'a'.repeat(size / 2), 'impersonate-group': 'b,'.repeat(size / 4) },
    }),
  },
  {
    name: 'bearer token of dots',
    limit: headerLimit,
    request: (size) => ({ method: 'GET', path: '/api/v1/configmaps', headers: { authorization: `Bearer ${'a.'.repeat(size / 2)}` } }),
  },
  {
    name: 'bearer token, long',
    limit: headerLimit,
    request: (size) => ({
      method: 'GET',
      path: '/api/v1/configmaps',
      headers: { authorization: `Bearer ${Buffer.from('{"alg":"RS256"}').toString('base64url')}.${'e'.repeat(size)}.x` },
    }),
  },
  {
    name: 'bearer token, claims',
    limit: headerLimit,
    request: (size) => ({
      method: 'GET',
      path: '/api/v1/configmaps',
      headers: {
        authorization: `Bearer ${Buffer.from('{"alg":"RS256"}').toString('base64url')}.${Buffer.from(json({ iss: 'x', aud: fill(size / 2, () => 'a') })).toString('base64url')}.eA`,
      },
    }),
  },
  {
    name: 'continue token',
    limit: headerLimit,
    request: (size) =>
      list(`limit=1&continue=${Buffer.from(json({ v: 'meta.k8s.io/v1', rv: 1, start: 'a'.repeat(size / 2) })).toString('base64url')}`),
  },
  { name: 'list', world: [filled], request: () => list('') },
  { name: 'table', world: [filled], request: () => ({ ...list(''), headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' } }) },
  {
    name: 'table with objects',
    world: [filled],
    request: () => ({ ...list('includeObject=Object'), headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' } }),
  },
  {
    name: 'metadata',
    world: [filled],
    request: () => ({ ...list(''), headers: { accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io' } }),
  },
  { name: 'protobuf', world: [filled], request: () => ({ ...list(''), headers: { accept: protobuf } }) },
  { name: 'CBOR', world: [filled], request: () => ({ ...list(''), headers: { accept: cbor } }) },
  { name: 'YAML', world: [filled], request: () => ({ ...list(''), headers: { accept: 'application/yaml' } }) },
  { name: 'pretty', world: [filled], request: () => list('pretty=true') },
  { name: 'gzip', world: [filled], request: () => ({ ...list(''), headers: { 'accept-encoding': 'gzip' } }) },
  { name: 'watch from the start', world: [filled], request: () => list('watch=true&timeoutSeconds=1&resourceVersion=0') },
  {
    name: 'watch of a table',
    world: [filled],
    request: () => ({
      ...list('watch=true&timeoutSeconds=1&resourceVersion=0'),
      headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
    }),
  },
  { name: 'OpenAPI v2', request: () => ({ method: 'GET', path: '/openapi/v2' }) },
  { name: 'OpenAPI v3', request: () => ({ method: 'GET', path: '/openapi/v3/api/v1' }) },
  {
    name: 'discovery',
    request: () => ({
      method: 'GET',
      path: '/apis',
      headers: { accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' },
    }),
  },
  { name: 'metrics', request: () => ({ method: 'GET', path: '/metrics' }) },
];

const definition = (schema: object, more: object = {}): object => ({
  metadata: { name: 'widgets.hunt.example.com' },
  spec: {
    group: 'hunt.example.com',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    scope: 'Namespaced',
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    ...more,
  },
});
const defined =
  (schema: object): (() => readonly Sent[]) =>
  () => [
    remove(`${definitions}/widgets.hunt.example.com`),
    { method: 'GET', path: `${definitions}/widgets.hunt.example.com`, until: 404 },
    post(definitions, definition(schema)),
    { method: 'GET', path: widgets, until: 200 },
  ];
const spec = (properties: object, more: object = {}): object => ({
  type: 'object',
  properties: { spec: { type: 'object', properties, ...more } },
});
const text = { type: 'string', maxLength: 3_000_000 };
const rule = (expression: string, type: object = text): object =>
  spec({ s: { ...type, 'x-kubernetes-validations': [{ rule: expression }] } });
const widget = (value: unknown): Sent =>
  post(`${widgets}${dry}`, { apiVersion: 'hunt.example.com/v1', kind: 'Widget', metadata: { name: 'a' }, spec: value });
const strings = { type: 'array', maxItems: 500_000, items: { type: 'string', maxLength: 64 } };
const onText = (expression: string, unit: string): Case => ({
  name: `rule ${expression} on ${json(unit).slice(0, 12)}`,
  before: defined(rule(expression, { type: 'string', maxLength: 250_000 })),
  limit: 250_000,
  request: (size) => widget({ s: unit.repeat(size / unit.length) }),
});
/** The more a rule costs for each item, the fewer a list may have for it to be taken. */
const onList = (expression: string, maxItems: number): Case => ({
  name: `rule on a list: ${expression}`,
  before: defined(rule(expression, { ...strings, maxItems })),
  limit: 200_000,
  request: (size) => widget({ s: times((maxItems * size) / 200_000).map((i) => `a${i}`) }),
});

export const customCases: readonly Case[] = [
  ...[
    'trim',
    'lowerAscii',
    'upperAscii',
    'charAt(3)',
    'split("")',
    'split("a")',
    'replace("a","bb")',
    'find("a*b")',
    'findAll("a")',
    'matches("^(a|aa)+$")',
    'matches("(x+x+)+y")',
    'indexOf("ab")',
    'lastIndexOf("ab")',
    'substring(5)',
    'contains("aab")',
    'endsWith("b")',
  ].map((call) =>
    onText(
      call.includes('(')
        ? `self.${call} != "x" || true`
            .replace(/^(self\.(?:matches|contains|endsWith).*) != "x"/, '$1')
            .replace(/^(self\.(?:indexOf|lastIndexOf).*) != "x"/, '$1 != 9')
            .replace(/^(self\.(?:split|findAll).*) != "x"/, '$1.size() != 9')
        : `self.${call}() != "x" || true`,
      call === 'trim' ? ' ' : 'a',
    ),
  ),
  ...[
    'isQuantity(self)',
    'isURL(self)',
    'isIP(self)',
    'isCIDR(self)',
    'isSemver(self)',
    '!format.dns1123Subdomain().validate(self).hasValue()',
    'quantity("1").isLessThan(quantity("1"))',
    'self == self',
    'self + self != ""',
    'self.size() > 0',
    '"%s".format([self]) != ""',
    'duration(self) != duration("1s")',
    'timestamp(self) != timestamp("2020-01-01T00:00:00Z")',
    'int(self) != 1',
    'double(self) != 1.0',
    'url(self).getHost() != ""',
    'strings.quote(self) != ""',
  ].flatMap((expression) => ['1', 'a.', '0:'].map((unit) => onText(`${expression} || true`, unit))),
  ...[
    'self.all(x, x != "b")',
    'self.exists(x, x == "b") || true',
    'self.map(x, x + "c").size() >= 0',
    'self.isSorted() || true',
    'self.join(",") != "x"',
    'sets.intersects(self, ["q"]) || true',
    'self.filter(x, x.matches("a+")).size() >= 0',
    'self.indexOf("zz") < 0',
    'self.lastIndexOf("zz") < 0',
    'self.reverse().size() >= 0',
    '[self].flatten().size() >= 0',
    'self.slice(0, 1).size() >= 0',
    '("zz" in self) || true',
    'self == self',
    'self + self != []',
  ].map((expression) => onList(expression, 20_000)),
  ...[
    'sets.contains(self, self)',
    'sets.equivalent(self, self)',
    'self.distinct().size() >= 0',
    'self.sort().size() >= 0',
    'self.sortBy(x, x).size() >= 0',
  ].map((expression) => onList(expression, 700)),
  onList('self.all(x, self.exists_one(y, y == x)) || true', 400),
  {
    name: 'rule per item',
    before: defined(
      spec({
        l: {
          type: 'array',
          maxItems: 40_000,
          items: { type: 'string', maxLength: 20, 'x-kubernetes-validations': [{ rule: 'self.matches("^[a-z0-9]+$")' }] },
        },
      }),
    ),
    limit: 500_000,
    request: (size) => widget({ l: times(size / 13).map((i) => `a${i}`) }),
  },
  {
    name: 'rules per item',
    before: defined(
      spec({
        l: {
          type: 'array',
          maxItems: 20_000,
          items: {
            type: 'object',
            properties: { a: { type: 'string', maxLength: 20 } },
            'x-kubernetes-validations': times(5).map((i) => ({ rule: `self.a != "b${i}"` })),
          },
        },
      }),
    ),
    limit: 500_000,
    request: (size) => widget({ l: times(Math.min(20_000, size / 16)).map((i) => ({ a: `a${i}` })) }),
  },
  ...['self.all(x, self.all(y, x != y || true))', 'self.all(x, self.exists(y, y == x))'].map((each): Case => ({
    name: `rules that use up the budget: ${each}`,
    before: defined(
      spec({
        l: {
          type: 'array',
          maxItems: 60,
          items: {
            type: 'array',
            maxItems: 100,
            items: { type: 'string', maxLength: 4 },
            'x-kubernetes-validations': [{ rule: each }],
          },
        },
      }),
    ),
    limit: 60_000,
    request: (size) => widget({ l: times(size / 1000).map(() => times(100).map((i) => `${i}`)) }),
  })),
  {
    name: 'rules that fail per item',
    before: defined(
      spec({
        l: {
          type: 'array',
          maxItems: 20_000,
          items: {
            type: 'string',
            maxLength: 20,
            'x-kubernetes-validations': [{ rule: 'self == "b"', messageExpression: '"no " + self' }],
          },
        },
      }),
    ),
    limit: 500_000,
    request: (size) => widget({ l: times(Math.min(20_000, size / 16)).map((i) => `a${i}`) }),
  },
  {
    name: 'set',
    before: defined(spec({ l: { ...strings, 'x-kubernetes-list-type': 'set' } })),
    request: (size) => widget({ l: times(size / 10).map((i) => `a${i}`) }),
  },
  {
    name: 'set of the same',
    before: defined(spec({ l: { ...strings, 'x-kubernetes-list-type': 'set' } })),
    request: (size) => widget({ l: times(size / 10).map(() => 'a') }),
  },
  {
    name: 'set of pairs',
    before: defined(spec({ l: { ...strings, 'x-kubernetes-list-type': 'set' } })),
    request: (size) => widget({ l: times(size / 10).map((i) => `a${i >> 1}`) }),
  },
  {
    name: 'set whose items have managers',
    before: defined(spec({ l: { ...strings, 'x-kubernetes-list-type': 'set' } })),
    limit: 3_000_000,
    request: (size) => widget({ l: times(size / 61).map((i) => `a${i}!`.padEnd(58, 'b')) }),
  },
  {
    name: 'set of objects',
    before: defined(
      spec({
        l: {
          type: 'array',
          'x-kubernetes-list-type': 'set',
          items: { type: 'object', 'x-kubernetes-map-type': 'atomic', properties: { a: text } },
        },
      }),
    ),
    request: (size) => widget({ l: times(size / 16).map((i) => ({ a: `a${i}` })) }),
  },
  {
    name: 'map list',
    before: defined(
      spec({
        l: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['a'],
          items: { type: 'object', required: ['a'], properties: { a: text } },
        },
      }),
    ),
    request: (size) => widget({ l: times(size / 16).map((i) => ({ a: `a${i}` })) }),
  },
  {
    name: 'map list whose items have managers',
    before: defined(
      spec({
        l: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['a'],
          items: { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } },
        },
      }),
    ),
    limit: 600_000,
    request: (size) => widget({ l: times(size / 12).map((i) => ({ a: i })) }),
  },
  {
    name: 'unique items',
    before: defined(spec({ l: { type: 'array', items: { type: 'string' } } })),
    request: (size) => widget({ l: times(size / 10).map((i) => `a${i}`) }),
  },
  {
    name: 'pattern',
    before: defined(spec({ s: { type: 'string', pattern: '^(([a-z])+.)+[A-Z]([a-z])+$' } })),
    request: (size) => widget({ s: 'a'.repeat(size) }),
  },
  {
    name: 'nested pattern',
    before: defined(spec({ s: { type: 'string', pattern: '(x+x+)+y' } })),
    request: (size) => widget({ s: 'x'.repeat(size) }),
  },
  ...[
    'date-time',
    'uuid',
    'email',
    'ipv4',
    'ipv6',
    'cidr',
    'uri',
    'hostname',
    'mac',
    'isbn',
    'creditcard',
    'ssn',
    'hexcolor',
    'rgbcolor',
    'byte',
    'password',
    'duration',
    'bsonobjectid',
    'k8s-short-name',
    'k8s-long-name',
  ].flatMap((format) =>
    ['a', '0', 'a.', '1-', ':'].map((unit): Case => ({
      name: `format ${format} ${json(unit)}`,
      before: defined(spec({ s: { type: 'string', format } })),
      request: (size) => widget({ s: unit.repeat(size / unit.length) }),
    })),
  ),
  {
    name: 'pruned fields',
    before: defined(spec({ a: text })),
    request: (size) => widget(fillMap(Math.min(size, 600_000), (i) => `k${i}`, 1)),
  },
  {
    name: 'preserved fields',
    before: defined(spec({}, { 'x-kubernetes-preserve-unknown-fields': true })),
    request: (size) => widget(fillMap(Math.min(size, 600_000), (i) => `k${i}`, 1)),
  },
  {
    name: 'preserved items',
    before: defined(spec({}, { 'x-kubernetes-preserve-unknown-fields': true })),
    request: (size) => widget({ l: fill(Math.min(size, 590_000), () => 1) }),
  },
  {
    name: 'preserved depth',
    before: defined(spec({}, { 'x-kubernetes-preserve-unknown-fields': true })),
    request: (size) =>
      post(
        `${widgets}${dry}`,
        `{"apiVersion":"hunt.example.com/v1","kind":"Widget","metadata":{"name":"a"},"spec":${'{"a":'.repeat(Math.min(size / 6, 9000))}1${'}'.repeat(Math.min(size / 6, 9000))}}`,
      ),
  },
  {
    name: 'additional properties',
    before: defined(spec({ m: { type: 'object', additionalProperties: { type: 'string', maxLength: 5 } } })),
    request: (size) => widget({ m: fillMap(Math.min(size, 600_000), (i) => `k${i}`, 'toolong') }),
  },
  {
    name: 'wrong types',
    before: defined(spec({ l: { type: 'array', items: { type: 'integer' } } })),
    request: (size) => widget({ l: fill(Math.min(size, 1_100_000), () => 'a') }),
  },
  {
    name: 'enumerations',
    before: defined(spec({ l: { type: 'array', items: { type: 'string', enum: times(2000).map((i) => `e${i}`) } } })),
    request: (size) => widget({ l: fill(Math.min(size, 1_100_000), () => 'a') }),
  },
  {
    name: 'alternatives',
    before: defined(
      spec({
        l: {
          type: 'array',
          items: {
            type: 'object',
            properties: { a: { type: 'integer' } },
            anyOf: times(50).map((i) => ({ properties: { a: { minimum: i + 5 } } })),
          },
        },
      }),
    ),
    request: (size) => widget({ l: fill(Math.min(size, 600_000), () => ({ a: 1 })) }),
  },
  {
    name: 'defaults',
    before: defined(
      spec({ l: { type: 'array', items: { type: 'object', properties: { a: { type: 'string', default: 'x'.repeat(1000) } } } } }),
    ),
    request: (size) => widget({ l: fill(Math.min(size, 300_000), () => ({})) }),
  },
  {
    name: 'schema: wide',
    request: (size) =>
      post(`${definitions}${dry}`, definition(spec(fillMap(Math.min(size, 1_000_000), (i) => `p${i}`, { type: 'string' })))),
  },
  {
    name: 'schema: deep',
    request: (size) =>
      post(
        `${definitions}${dry}`,
        `{"metadata":{"name":"widgets.hunt.example.com"},"spec":{"group":"hunt.example.com","names":{"plural":"widgets","singular":"widget","kind":"Widget","listKind":"WidgetList"},"scope":"Namespaced","versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":${'{"type":"object","properties":{"a":'.repeat(Math.min(size / 40, 2000))}{"type":"string"}${'}}'.repeat(Math.min(size / 40, 2000))}}}]}}`,
      ),
  },
  {
    name: 'schema: many rules',
    request: (size) =>
      post(
        `${definitions}${dry}`,
        definition(spec({ a: { type: 'string', 'x-kubernetes-validations': fill(size, (i) => ({ rule: `self != "a${i}"` })) } })),
      ),
  },
  {
    name: 'schema: a long rule',
    request: (size) =>
      post(
        `${definitions}${dry}`,
        definition(
          spec({ a: { type: 'string', 'x-kubernetes-validations': [{ rule: `self != "a"${' && self != "b"'.repeat(size / 15)}` }] } }),
        ),
      ),
  },
  {
    name: 'schema: a deep rule',
    request: (size) =>
      post(
        `${definitions}${dry}`,
        definition(
          spec({
            a: { type: 'string', 'x-kubernetes-validations': [{ rule: `${'('.repeat(size / 2)}self != "a"${')'.repeat(size / 2)}` }] },
          }),
        ),
      ),
  },
  {
    name: 'schema: unfinished rule',
    request: (size) =>
      post(`${definitions}${dry}`, definition(spec({ a: { type: 'string', 'x-kubernetes-validations': [{ rule: '['.repeat(size) }] } }))),
  },
  {
    name: 'schema: rule of operators',
    request: (size) =>
      post(
        `${definitions}${dry}`,
        definition(spec({ a: { type: 'integer', 'x-kubernetes-validations': [{ rule: `0 < 1${'+1'.repeat(size / 2)}` }] } })),
      ),
  },
  {
    name: 'schema: rule of errors',
    request: (size) =>
      post(
        `${definitions}${dry}`,
        definition(spec({ a: { type: 'integer', 'x-kubernetes-validations': [{ rule: ' nope.x ||'.repeat(size / 10) + 'true' }] } })),
      ),
  },
  {
    name: 'schema: nested loops',
    request: (size) =>
      post(
        `${definitions}${dry}`,
        definition(
          spec({
            a: {
              type: 'array',
              items: { type: 'string' },
              'x-kubernetes-validations': fill(size / 10, (i) => ({ rule: `self.all(x, self.all(y, self.all(z, x != y + z + "${i}")))` })),
            },
          }),
        ),
      ),
  },
  {
    name: 'schema: enumeration',
    request: (size) =>
      post(`${definitions}${dry}`, definition(spec({ a: { type: 'string', enum: fill(Math.min(size, 1_500_000), (i) => `e${i}`) } }))),
  },
  {
    name: 'schema: required',
    request: (size) => post(`${definitions}${dry}`, definition(spec({}, { required: fill(Math.min(size, 1_500_000), (i) => `e${i}`) }))),
  },
  {
    name: 'schema: as many rules and patterns as may be',
    request: (size) =>
      post(
        `${definitions}${dry}`,
        definition(
          spec({
            a: {
              type: 'string',
              anyOf: times((3900 * size) / 3_145_728).map((i) => ({ pattern: `^a${i}$` })),
              'x-kubernetes-validations': times((1900 * size) / 3_145_728).map((i) => ({ rule: `self != 'value number ${i}'` })),
            },
          }),
        ),
      ),
  },
  {
    name: 'schema: alternatives',
    request: (size) =>
      post(
        `${definitions}${dry}`,
        definition(spec({ a: { type: 'string', anyOf: fill(Math.min(size, 1_500_000), (i) => ({ pattern: `a${i}` })) } })),
      ),
  },
  {
    name: 'schema: a large default',
    request: (size) =>
      post(
        `${definitions}${dry}`,
        definition(spec({ a: { type: 'array', items: { type: 'string' }, default: fill(Math.min(size, 1_500_000), (i) => `e${i}`) } })),
      ),
  },
  {
    name: 'schema: a large pattern',
    request: (size) => post(`${definitions}${dry}`, definition(spec({ a: { type: 'string', pattern: '(a|b)*'.repeat(size / 6) } }))),
  },
  {
    name: 'schema: a counted pattern',
    request: () => post(`${definitions}${dry}`, definition(spec({ a: { type: 'string', pattern: '((((a{10}){10}){10}){1000})' } }))),
  },
  {
    name: 'schema: columns',
    request: (size) =>
      post(
        `${definitions}${dry}`,
        definition(spec({}), {
          versions: [
            {
              name: 'v1',
              served: true,
              storage: true,
              schema: { openAPIV3Schema: { type: 'object' } },
              additionalPrinterColumns: fill(size, (i) => ({ name: `c${i}`, type: 'string', jsonPath: '.a' })),
            },
          ],
        }),
      ),
  },
  {
    name: 'schema: versions',
    request: (size) =>
      post(
        `${definitions}${dry}`,
        definition(
          {},
          {
            versions: fill(Math.min(size, 500_000), (i) => ({
              name: `v${i + 1}`,
              served: true,
              storage: i === 0,
              schema: { openAPIV3Schema: { type: 'object' } },
            })),
          },
        ),
      ),
  },
  {
    name: 'schema: selectable fields',
    request: (size) =>
      post(
        `${definitions}${dry}`,
        definition(spec({}), {
          versions: [
            {
              name: 'v1',
              served: true,
              storage: true,
              schema: { openAPIV3Schema: { type: 'object' } },
              selectableFields: fill(size, (i) => ({ jsonPath: `.a${i}` })),
            },
          ],
        }),
      ),
  },
  {
    name: 'schema: short names',
    request: (size) =>
      post(
        `${definitions}${dry}`,
        definition(spec({}), {
          names: {
            plural: 'widgets',
            singular: 'widget',
            kind: 'Widget',
            listKind: 'WidgetList',
            shortNames: fill(Math.min(size, 1_500_000), (i) => `s${i}`),
          },
        }),
      ),
  },
];

const roles = '/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles';
const asUser = { 'impersonate-user': 'hunter', 'content-type': 'application/json' };
const hunter = (): readonly Sent[] => [
  post('/apis/rbac.authorization.k8s.io/v1/clusterroles', {
    metadata: { name: 'hunter' },
    rules: [
      { apiGroups: ['rbac.authorization.k8s.io'], resources: ['*'], verbs: ['create', 'update', 'get'] },
      { apiGroups: ['a'], resources: ['b'], verbs: ['c'] },
    ],
  }),
  post('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    metadata: { name: 'hunter' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'hunter' },
    subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'hunter' }],
  }),
];
const names = (prefix: string, count: number): string[] => times(count).map((i) => `${prefix}${i}`);
const policies = '/apis/admissionregistration.k8s.io/v1';

export const accessCases: readonly Case[] = [
  {
    name: 'a cube of permissions',
    before: hunter,
    limit: 40_000,
    request: (size) =>
      post(
        roles + dry,
        {
          metadata: { name: 'a' },
          rules: [{ apiGroups: names('g', size / 24), resources: names('r', size / 24), verbs: names('v', size / 24) }],
        },
        asUser,
      ),
  },
  {
    name: 'a hypercube of permissions',
    before: hunter,
    request: (size) =>
      post(
        roles + dry,
        {
          metadata: { name: 'a' },
          rules: [
            {
              apiGroups: names('g', size / 48),
              resources: names('r', size / 48),
              verbs: names('v', size / 48),
              resourceNames: names('n', size / 48),
            },
          ],
        },
        asUser,
      ),
  },
  {
    name: 'many rules',
    before: hunter,
    request: (size) =>
      post(
        roles + dry,
        { metadata: { name: 'a' }, rules: fill(size, (i) => ({ apiGroups: ['a'], resources: [`r${i}`], verbs: ['c'] })) },
        asUser,
      ),
  },
  {
    name: 'many rules, held',
    before: hunter,
    request: (size) =>
      post(
        roles + dry,
        { metadata: { name: 'a' }, rules: fill(size, () => ({ apiGroups: ['a'], resources: ['b'], verbs: ['c'] })) },
        asUser,
      ),
  },
  {
    name: 'one long list',
    before: hunter,
    request: (size) =>
      post(
        roles + dry,
        { metadata: { name: 'a' }, rules: [{ apiGroups: ['a'], resources: fill(Math.min(size, 1_500_000), () => 'b'), verbs: ['c'] }] },
        asUser,
      ),
  },
  {
    name: 'subjects',
    request: (size) =>
      post(roles.replace('roles', 'rolebindings') + dry, {
        metadata: { name: 'a' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'a' },
        subjects: fill(size, (i) => ({ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: `u${i}` })),
      }),
  },
  {
    name: 'aggregation rule',
    request: (size) =>
      post(`/apis/rbac.authorization.k8s.io/v1/clusterroles${dry}`, {
        metadata: { name: 'a' },
        aggregationRule: { clusterRoleSelectors: fill(size, (i) => ({ matchLabels: { a: `b${i}` } })) },
      }),
  },
  {
    name: 'access review, groups',
    request: (size) =>
      post('/apis/authorization.k8s.io/v1/subjectaccessreviews', {
        spec: { user: 'u', groups: fill(Math.min(size, 1_500_000), (i) => `g${i}`), resourceAttributes: { verb: 'get', resource: 'pods' } },
      }),
  },
  {
    name: 'access review, selectors',
    request: (size) =>
      post('/apis/authorization.k8s.io/v1/subjectaccessreviews', {
        spec: {
          user: 'u',
          resourceAttributes: {
            verb: 'list',
            resource: 'pods',
            labelSelector: { requirements: fill(size, (i) => ({ key: `k${i}`, operator: 'Exists' })) },
          },
        },
      }),
  },
  {
    name: 'token review',
    request: (size) => post('/apis/authentication.k8s.io/v1/tokenreviews', { spec: { token: 'a.'.repeat(size / 2) } }),
  },
  {
    name: 'token review, audiences',
    request: (size) =>
      post('/apis/authentication.k8s.io/v1/tokenreviews', {
        spec: { token: 'a.b.c', audiences: fill(Math.min(size, 1_500_000), (i) => `a${i}`) },
      }),
  },
  {
    name: 'quota',
    before: () => [
      post('/api/v1/namespaces/default/resourcequotas', {
        metadata: { name: 'q' },
        spec: { hard: { 'limits.cpu': '1e99999998', 'count/configmaps': '100k' } },
      }),
    ],
    request: (size) =>
      post(`/api/v1/namespaces/default/pods${dry}`, {
        metadata: { name: 'a' },
        spec: {
          automountServiceAccountToken: false,
          containers: fill(Math.min(size, 500_000), (i) => ({
            name: `a${i}`,
            image: 'a',
            resources: { limits: { cpu: `1e${i + 99_000_000}` } },
          })),
        },
      }),
  },
  {
    name: 'quota of digits',
    request: (size) =>
      post(`/api/v1/namespaces/default/resourcequotas${dry}`, {
        metadata: { name: 'r' },
        spec: { hard: fillMap(size, (i) => `requests.a${i}/b`, `1${'0'.repeat(4000)}`) },
      }),
  },
  {
    name: 'quota of nines',
    request: (size) =>
      post(`/api/v1/namespaces/default/resourcequotas${dry}`, {
        metadata: { name: 'r' },
        spec: { hard: fillMap(size, (i) => `requests.a${i}/b`, '9'.repeat(4000)) },
      }),
  },
  {
    name: 'limits of nines',
    request: (size) =>
      post(`/api/v1/namespaces/default/pods${dry}`, {
        metadata: { name: 'a' },
        spec: {
          containers: fill(size, (i) => ({
            name: `a${i}`,
            image: 'a',
            resources: { requests: { cpu: '9'.repeat(4000) }, limits: { cpu: '9'.repeat(4000) } },
          })),
        },
      }),
  },
  {
    name: 'policy, a long expression',
    request: (size) =>
      post(`${policies}/validatingadmissionpolicies${dry}`, {
        metadata: { name: 'a' },
        spec: {
          matchConstraints: { resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }] },
          validations: [{ expression: `true${' && true'.repeat(size / 8)}` }],
        },
      }),
  },
  {
    name: 'policy, as long as one may be',
    request: (size) =>
      post(`${policies}/validatingadmissionpolicies${dry}`, {
        metadata: { name: 'a' },
        spec: {
          matchConstraints: { resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }] },
          validations: [
            { expression: `true${' && [1].all(x, x > 0)'.repeat(size / 81 / 21)}` },
            { expression: `true${' && [1].all(x, x > 0)'.repeat(size / 248 / 21)}` },
          ],
        },
      }),
  },
  {
    name: 'webhooks, conditions',
    request: (size) =>
      post(`${policies}/validatingwebhookconfigurations${dry}`, {
        metadata: { name: 'a' },
        webhooks: fill(size / 33, (i) => ({
          name: `w${i}.example.com`,
          clientConfig: { url: 'https://a' },
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
          matchConditions: times(60).map((at) => ({ name: `c${at}`, expression: 'object.metadata.name != "a"' })),
        })),
      }),
  },
  {
    name: 'policy, variables',
    request: (size) =>
      post(`${policies}/validatingadmissionpolicies${dry}`, {
        metadata: { name: 'a' },
        spec: {
          matchConstraints: { resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }] },
          variables: fill(size, (i) => ({ name: `v${i}`, expression: i === 0 ? '1' : `variables.v${i - 1} + 1` })),
          validations: [{ expression: 'true' }],
        },
      }),
  },
  {
    name: 'policy, validations',
    request: (size) =>
      post(`${policies}/validatingadmissionpolicies${dry}`, {
        metadata: { name: 'a' },
        spec: {
          matchConstraints: { resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }] },
          validations: fill(size, (i) => ({ expression: `object.metadata.name != "a${i}"` })),
        },
      }),
  },
  {
    name: 'webhooks',
    request: (size) =>
      post(`${policies}/validatingwebhookconfigurations${dry}`, {
        metadata: { name: 'a' },
        webhooks: fill(size, (i) => ({
          name: `w${i}.example.com`,
          clientConfig: { url: 'https://a' },
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
          rules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*'] }],
        })),
      }),
  },
  {
    name: 'network policy',
    request: (size) =>
      post(`/apis/networking.k8s.io/v1/namespaces/default/networkpolicies${dry}`, {
        metadata: { name: 'a' },
        spec: { podSelector: {}, ingress: [{ from: fill(size, (i) => ({ ipBlock: { cidr: `10.${(i >> 8) & 255}.${i & 255}.0/24` } })) }] },
      }),
  },
  {
    name: 'pod selectors',
    request: (size) =>
      post(`/apis/apps/v1/namespaces/default/deployments${dry}`, {
        metadata: { name: 'a' },
        spec: {
          selector: { matchExpressions: fill(size, (i) => ({ key: 'a', operator: 'In', values: [`v${i}`] })) },
          template: { metadata: { labels: { a: 'v1' } }, spec: { containers: [{ name: 'a', image: 'a' }] } },
        },
      }),
  },
  {
    name: 'pod volumes and mounts',
    request: (size) =>
      post(`/api/v1/namespaces/default/pods${dry}`, {
        metadata: { name: 'a' },
        spec: {
          automountServiceAccountToken: false,
          volumes: fill(size / 3, (i) => ({ name: `v${i}`, emptyDir: {} })),
          containers: [{ name: 'a', image: 'a', volumeMounts: fill(size / 2, (i) => ({ name: `v${i}`, mountPath: `/m${i}` })) }],
        },
      }),
  },
  {
    name: 'pod ports',
    request: (size) =>
      post(`/api/v1/namespaces/default/pods${dry}`, {
        metadata: { name: 'a' },
        spec: {
          automountServiceAccountToken: false,
          containers: [
            { name: 'a', image: 'a', ports: fill(size, (i) => ({ containerPort: (i % 60_000) + 1, hostPort: (i % 60_000) + 1 })) },
          ],
        },
      }),
  },
  {
    name: 'pod environment',
    request: (size) =>
      post(`/api/v1/namespaces/default/pods${dry}`, {
        metadata: { name: 'a' },
        spec: {
          automountServiceAccountToken: false,
          containers: [{ name: 'a', image: 'a', env: fill(size, (i) => ({ name: `E${i}`, value: 'a' })) }],
        },
      }),
  },
  {
    name: 'pod tolerations',
    request: (size) =>
      post(`/api/v1/namespaces/default/pods${dry}`, {
        metadata: { name: 'a' },
        spec: {
          automountServiceAccountToken: false,
          tolerations: fill(size, (i) => ({ key: `k${i}`, operator: 'Exists' })),
          containers: [{ name: 'a', image: 'a' }],
        },
      }),
  },
  {
    name: 'service ports',
    request: (size) =>
      post(`/api/v1/namespaces/default/services${dry}`, {
        metadata: { name: 'a' },
        spec: { ports: fill(size, (i) => ({ name: `p${i}`, port: (i % 60_000) + 1 })) },
      }),
  },
  {
    name: 'endpoint slice',
    request: (size) =>
      post(`/apis/discovery.k8s.io/v1/namespaces/default/endpointslices${dry}`, {
        metadata: { name: 'a' },
        addressType: 'IPv4',
        endpoints: fill(size, (i) => ({ addresses: [`10.0.${(i >> 8) & 255}.${i & 255}`] })),
        ports: [],
      }),
  },
  {
    name: 'endpoints',
    request: (size) =>
      post(`/api/v1/namespaces/default/endpoints${dry}`, {
        metadata: { name: 'a' },
        subsets: [{ addresses: fill(size, (i) => ({ ip: `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}` })), ports: [{ port: 1 }] }],
      }),
  },
  {
    name: 'ingress paths',
    request: (size) =>
      post(`/apis/networking.k8s.io/v1/namespaces/default/ingresses${dry}`, {
        metadata: { name: 'a' },
        spec: {
          rules: [
            {
              host: 'a.b',
              http: {
                paths: fill(size, (i) => ({
                  path: `/p${i}`,
                  pathType: 'Prefix',
                  backend: { service: { name: 'a', port: { number: 1 } } },
                })),
              },
            },
          ],
        },
      }),
  },
  {
    name: 'certificate request',
    request: (size) =>
      post(`/apis/certificates.k8s.io/v1/certificatesigningrequests${dry}`, {
        metadata: { name: 'a' },
        spec: {
          signerName: 'a.b/c',
          usages: ['client auth'],
          request: Buffer.from(`-----BEGIN CERTIFICATE REQUEST-----\n${'A'.repeat(size / 2)}\n-----END CERTIFICATE REQUEST-----`).toString(
            'base64',
          ),
        },
      }),
  },
  {
    name: 'secret of a TLS pair',
    request: (size) =>
      post(`/api/v1/namespaces/default/secrets${dry}`, {
        metadata: { name: 'a' },
        type: 'kubernetes.io/tls',
        data: { 'tls.crt': Buffer.alloc(size / 4, 'A').toString('base64'), 'tls.key': Buffer.alloc(size / 4, 'B').toString('base64') },
      }),
  },
];
