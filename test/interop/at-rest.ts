/**
 * `npm run test:at-rest [-- --only KEY-PATTERN]`: what etcd holds. Upstream and ours get an etcd each and the same objects: upstream's own
 * stubs of every resource, definitions of custom resources of several shapes, and custom resources. Then the keys and values of both are
 * compared: the format, the version, and what is in it, except for what no two servers have in common (uids, times). Needs what
 * `test:interop` needs.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parseJson } from '../../src/machinery/codec/json/parse.ts';
import { stringify } from '../../src/machinery/codec/json/write.ts';
import { decodeEnvelope, hasMagic } from '../../src/machinery/codec/protobuf/envelope.ts';
import { parseGroupVersion } from '../../src/machinery/group-version.ts';
import { createCodecs } from '../../src/server/object/create-codecs.ts';
import { openEtcdStorage } from '../../src/storage/drivers/etcd/etcd-storage.ts';
import { locateModules } from '../../tools/generate/modules.ts';
import { EtcdProcess } from '../etcd/etcd-process.ts';
import { ApiServerProcess } from '../servers/api-server-process.ts';
import { installOurs } from '../servers/our-package.ts';
import { findReference } from '../servers/reference-binaries.ts';
import { definitions, objects } from './custom-stubs.ts';
import { readStubs } from './stubs.ts';

const namespace = 'interop';
const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });
const only = new RegExp(values.only);
const stubs = readStubs(locateModules()['k8s.io/kubernetes'], namespace);
const root = mkdtempSync(join(tmpdir(), 'wheelhouse-at-rest-'));
const executables = { ours: installOurs(join(root, 'package')), reference: findReference('kube-apiserver') };
const codecs = createCodecs();

/** What no two servers have in common: uids, times, allocated addresses and ports, generated names, credentials, names of clients. */
const masks: readonly (readonly [found: RegExp, mask: string])[] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UID'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, 'TIME'],
  [/"manager":"[^"]*"/g, '"manager":"M"'],
  [/"clusterIPs?":\S+?,/g, ''],
  [/"nodePort":\d+/g, '"nodePort":0'],
  [/kube-api-access-\w+/g, 'kube-api-access'],
  [/X509SHA256=\w+/g, 'X509SHA256'],
  [/"range":"30000-32767","data":"[^"]*"/g, '"range":"30000-32767"'],
  // Upstream keeps a new claim without what it fills in when it reads it; ours is filled in, and the first update is a write all the same.
  [/"volumeMode":"Filesystem"},"status":{(?:"phase":"Pending")?}/g, '"volumeMode":"Filesystem"},"status":{}'],
];

/** Values by key, as they lie in etcd. */
type Contents = ReadonlyMap<string, Buffer>;

let different = 0;
try {
  for (const mediaType of ['application/vnd.kubernetes.protobuf', 'application/json'] as const) {
    const reference = await contentsOf('reference', mediaType);
    const ours = await contentsOf('ours', mediaType);
    const findings = [...compare(reference, ours)];
    different += findings.length;
    for (const finding of findings) console.log(`✖ ${mediaType}: ${finding}`);
    console.log(`${findings.length === 0 ? '✔' : '✖'} ${mediaType}: ${reference.size} keys, ${findings.length} differ`);
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}
process.exitCode = different > 0 ? 1 : 0;

async function contentsOf(which: 'ours' | 'reference', mediaType: string): Promise<Contents> {
  await using etcd = await EtcdProcess.start();
  await using server = await ApiServerProcess.start({
    executable: executables[which],
    folder: join(root, `${which}-${mediaType.length}`),
    storage: { etcd: etcd.endpoint },
    flags: [`--storage-media-type=${mediaType}`],
  });
  await using storage = await openEtcdStorage({ endpoints: [etcd.endpoint], compactionIntervalMs: 0 });
  await server.post('/api/v1/namespaces', { metadata: { name: namespace } });
  await server.post(`/api/v1/namespaces/${namespace}/serviceaccounts`, { metadata: { name: 'default' } });
  const keys: string[] = ['/registry/ranges/servicenodeports'];
  for (const { group, version, resource, object, key } of stubs) {
    const base = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
    for (const collection of [`${base}/namespaces/${namespace}/${resource}`, `${base}/${resource}`]) {
      const { status } = await server.request('POST', collection, object);
      if (status === 201) keys.push(key);
    }
  }
  for (const definition of definitions) {
    await server.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
    keys.push(`/registry/apiextensions.k8s.io/customresourcedefinitions/${definition.metadata.name}`);
  }
  for (const { path, key, object } of objects(namespace)) {
    await created(server, path, object);
    keys.push(key);
  }
  // Conditions of definitions and of API services come in their own time.
  await new Promise((resolve) => setTimeout(resolve, 8000));
  const { items: services } = await storage.list('/registry/apiregistration.k8s.io/apiservices/');
  const contents = new Map(services.map(({ key, value }) => [key, value]));
  for (const key of keys) {
    const { kv } = await storage.get(key);
    if (kv !== undefined) contents.set(key, kv.value);
  }
  return contents;
}

/** A definition is served a while after it was created. */
async function created(server: ApiServerProcess, path: string, object: object): Promise<void> {
  for (const deadline = Date.now() + 20_000; ;) {
    const { status, body } = await server.request('POST', path, object);
    if (status === 201) return;
    if (Date.now() > deadline) throw new Error(`POST ${path}: ${status} ${body}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

function* compare(reference: Contents, ours: Contents): Generator<string> {
  for (const [key, expected] of reference) {
    if (!only.test(key)) continue;
    const found = ours.get(key);
    if (found === undefined) {
      yield `${key}: not there`;
      continue;
    }
    const [want, have] = [text(expected), text(found)];
    if (want === have) continue;
    let at = 0;
    while (want[at] === have[at]) at++;
    const around = (whole: string): string => whole.slice(Math.max(0, at - 60), at + 100);
    yield `${key}\n    upstream …${around(want)}\n    ours     …${around(have)}`;
  }
  for (const key of ours.keys()) if (only.test(key) && !reference.has(key)) yield `${key}: upstream has none`;
}

/** A value as it can be compared: JSON as it is, protobuf as its envelope and the JSON of its content. */
function text(value: Buffer): string {
  if (!hasMagic(value)) return `JSON${value.at(-1) === 0x0a ? ' in a line' : ''}: ${masked(value.toString())}`;
  const { raw, typeMeta } = decodeEnvelope(value);
  const groupVersion = parseGroupVersion(typeMeta.apiVersion);
  const type = groupVersion && codecs.schema.typeOf({ ...groupVersion, kind: typeMeta.kind });
  if (type === undefined) return `protobuf of ${typeMeta.apiVersion} ${typeMeta.kind}`;
  return `protobuf: ${masked(codecs.json.encode(codecs.protobuf.decode(raw, type, typeMeta), type))}`;
}

/** Which of two entries of managedFields comes first depends on when a second ended. */
function masked(json: string): string {
  const object = parseJson(masks.reduce((text, [found, mask]) => text.replaceAll(found, mask), json)) as {
    readonly metadata?: { managedFields?: object[] };
  };
  object.metadata?.managedFields?.sort((a, b) => (stringify(a) < stringify(b) ? -1 : 1));
  return stringify(object);
}
