/**
 * Sends wrecked requests to a server in this process: `node test/fuzz/requests.ts [count] [seed]`, 5,000 requests by default.
 *
 * Bodies that are cut, deep, large, not UTF-8 or have keys twice; selectors, tokens, versions and options that are none; media types
 * nobody knows. Each is answered in time with something below 500, or with one of the 500s that the original gives, and afterwards
 * the server still works.
 */
import assert from 'node:assert/strict';
import { createJsonCodec } from '../../src/machinery/codec/json/codec.ts';
import { createProtobufCodec, encodeEnvelope } from '../../src/machinery/codec/protobuf/index.ts';
import { createYamlCodec } from '../../src/machinery/codec/yaml/codec.ts';
import { createSchema } from '../../src/schema/index.ts';
import { startTestServer } from '../../src/testing/index.ts';
import { RawClient } from '../../src/testing/raw-client.ts';
import type { Format } from './mutations.ts';
import { mutate } from './mutations.ts';
import { Random } from './random.ts';

const secondsPerRequest = 20;
const concurrency = 8;

/** What the original answers with 500 too: errors of its patch libraries and versions that are no numbers. */
const upstream500 = [
  /failed to create typed (patch|live|new) object/,
  /failed to create manager/,
  /(invalid resource version|resourceVersion: Invalid value)/,
  /merge key|patch type|\$setElementOrder|\$deleteFromPrimitiveList|\$retainKeys|list element types|invalid JSON document/i,
  /unable to find api field/,
  /cannot (restore|merge) /i,
  /expected (map|list|object)/,
];

interface Wrecked {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: Buffer;
}

const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', labels: { x: 'y' } }, data: { k: 'v' } };
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'a' },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: 'a' } },
    template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i', ports: [{ containerPort: 80 }] }] } },
  },
};
const role = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'Role',
  metadata: { name: 'a' },
  rules: [{ apiGroups: [''], verbs: ['get'], resources: ['pods'] }],
};

const targets = [
  { path: '/api/v1/namespaces/default/configmaps', object: configMap },
  { path: '/apis/apps/v1/namespaces/default/deployments', object: deployment },
  { path: '/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles', object: role },
] as const;

const values = [
  '',
  '0',
  '-1',
  '1',
  'x',
  '9'.repeat(30),
  '1.5',
  '%00',
  '%ff',
  '%',
  '=',
  ',',
  '!',
  'a=b',
  'a in (',
  'a in (b),!c',
  'a>1',
  'metadata.name=x',
  'status.phase!=y',
  'spec.nope=1',
  'true',
  'TRUE',
  'maybe',
  'All',
  'Exact',
  'NotOlderThan',
  'Strict',
  'Warn',
  'Background',
  'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MSwic3RhcnQiOiIuLi94In0',
  'bm9wZQ',
  '__proto__',
  'a'.repeat(5000),
  '%F0%9F%98%80',
];
const parameters = [
  'labelSelector',
  'fieldSelector',
  'limit',
  'continue',
  'resourceVersion',
  'resourceVersionMatch',
  'timeoutSeconds',
  'sendInitialEvents',
  'allowWatchBookmarks',
  'dryRun',
  'fieldManager',
  'fieldValidation',
  'force',
  'pretty',
  'includeObject',
  'propagationPolicy',
  'gracePeriodSeconds',
  'orphanDependents',
  'export',
  'nope',
];
const accepts = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'application/cbor',
  '*/*',
  'text/html',
  ';;;',
  'a/b/c',
  '',
  'application/json;as=Table;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  'application/json;as=Nope;v=v9;g=x',
  'application/json;q=x',
];
const contentTypes: readonly (readonly [string, Format])[] = [
  ['application/json', 'json'],
  ['application/yaml', 'yaml'],
  ['application/vnd.kubernetes.protobuf', 'protobuf'],
  ['text/plain', 'json'],
  ['application/json; charset=nope', 'json'],
  [';', 'json'],
];
const patchTypes = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
];
const jsonPatch = [
  { op: 'replace', path: '/metadata/labels', value: { z: '1' } },
  { op: 'test', path: '/kind', value: 'x' },
  { op: 'copy', from: '/metadata', path: '/data/a' },
];
const deleteOptions = {
  kind: 'DeleteOptions',
  apiVersion: 'v1',
  gracePeriodSeconds: 0,
  preconditions: { uid: 'x' },
  propagationPolicy: 'Orphan',
};

const [count = 5000, seed = 1] = process.argv.slice(2).map(Number);
const random = new Random(seed);
const schema = createSchema();
const json = createJsonCodec();
const yaml = createYamlCodec(json);
const protobuf = createProtobufCodec();
const tally = new Map<number, number>();
const failures: string[] = [];
const started = performance.now();

await using server = await startTestServer();
await using client = new RawClient(server);
for (const { path, object } of targets) assert.ok((await client.call('POST', path, { body: object })).status < 300, path);

let sent = 0;
await Promise.all(Array.from({ length: concurrency }, worker));
assert.deepEqual(failures, []);
const { status } = await client.call('POST', targets[0].path, { body: { ...configMap, metadata: { name: 'after' } } });
assert.equal(status, 201, 'the server still creates');
assert.equal((await client.call('GET', '/readyz')).text, 'ok');
console.table([...tally].toSorted(([a], [b]) => a - b).map(([code, answers]) => ({ code, answers })));
console.log(`${count} requests, seed ${seed}, ${((performance.now() - started) / 1000).toFixed(1)} s`);

async function worker(): Promise<void> {
  while (sent < count) {
    sent++;
    await feed(wreck());
  }
}

async function feed(request: Wrecked): Promise<void> {
  const { method, path, headers, body } = request;
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`no answer to ${describe(request)}`)), secondsPerRequest * 1000);
  try {
    const answer = await Promise.race([client.call(method, path, { headers, ...(body !== undefined && { body }) }), late.promise]);
    tally.set(answer.status, (tally.get(answer.status) ?? 0) + 1);
    assert.ok(answer.status >= 200 && answer.status !== 503, `${answer.status}: ${answer.text}`);
    if (answer.status === 500) assert.ok(isUpstream500(answer.text), `500: ${answer.text}`);
  } catch (error) {
    failures.push(`${describe(request)}: ${error instanceof Error ? error.message : String(error)}`);
    if (failures.length > 50) throw new Error(failures.join('\n\n'), { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

function isUpstream500(text: string): boolean {
  const message = /"message":\s*"((?:[^"\\]|\\.)*)"/.exec(text)?.[1] ?? /message: (.*)/.exec(text)?.[1] ?? text;
  return upstream500.some((pattern) => pattern.test(message));
}

function wreck(): Wrecked {
  const { path, object } = random.pick(targets);
  const headers: Record<string, string> = random.below(3) === 0 ? { accept: random.pick(accepts) } : {};
  const query = random.below(2) === 0 ? '' : `?${Array.from({ length: 1 + random.below(3) }, parameter).join('&')}`;
  switch (random.below(6)) {
    case 0:
      return { method: 'GET', path: random.below(2) === 0 ? path + query : `${path}/a${query}`, headers };
    case 1:
      return { method: 'GET', path: `${path}${query === '' ? '?' : `${query}&`}watch=1&timeoutSeconds=1&limit=1`, headers };
    case 2:
      return {
        method: 'DELETE',
        path: `${path}/${random.pick(['nope', 'a%2fb', '..', '%00'])}${query}`,
        headers,
        ...bodyOf(deleteOptions, headers),
      };
    case 3: {
      const type = random.pick(patchTypes);
      const document = type === patchTypes[0] ? jsonPatch : object;
      headers['content-type'] = type;
      return { method: 'PATCH', path: `${path}/a${query}`, headers, body: mutate(Buffer.from(JSON.stringify(document)), 'json', random) };
    }
    case 4:
      return {
        method: random.pick(['POST', 'PUT', 'HEAD', 'OPTIONS', 'TRACE']),
        path: `${path}/a${query}`,
        headers,
        ...bodyOf(object, headers),
      };
    default:
      return { method: 'POST', path: path + query, headers, ...bodyOf(object, headers) };
  }
}

function parameter(): string {
  return `${random.pick(parameters)}=${random.pick(values)}`;
}

/** A wrecked body in some encoding; sometimes a deep or a large one. */
function bodyOf(object: { readonly kind: string; readonly apiVersion: string }, headers: Record<string, string>): { body: Buffer } {
  const [contentType, format] = random.pick(contentTypes);
  headers['content-type'] = contentType;
  if (random.below(200) === 0) return { body: Buffer.from(`{"metadata":{"name":"big"},"data":{"k":"${'x'.repeat(3_200_000)}"}}`) };
  if (random.below(100) === 0) return { body: Buffer.from(`{"metadata":{"name":"deep"},"x":${'['.repeat(100 + random.below(20_000))}`) };
  return { body: mutate(encoded(object, format), format, random) };
}

function encoded(object: { readonly kind: string; readonly apiVersion: string }, format: Format): Buffer {
  if (format === 'json') return Buffer.from(JSON.stringify(object));
  if (format === 'yaml') return Buffer.from(yaml.encodeUnstructured(object));
  const [group, version] = object.apiVersion.includes('/') ? object.apiVersion.split('/') : ['', object.apiVersion];
  const type = schema.typeOf({ group: group as string, version: version as string, kind: object.kind });
  if (type === undefined) return Buffer.from(JSON.stringify(object));
  return encodeEnvelope(protobuf.encode(object, type), { kind: object.kind, apiVersion: object.apiVersion });
}

function describe({ method, path, headers, body }: Wrecked): string {
  const shown = body === undefined ? '' : body.length > 2000 ? `${body.length} bytes` : JSON.stringify(body.toString('latin1'));
  return `${method} ${path.slice(0, 300)} ${JSON.stringify(headers)} ${shown}`;
}
