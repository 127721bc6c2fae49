/**
 * `npm run test:interop [-- --only RESOURCE-PATTERN] [-- --encryption NAME]`: upstream and ours on one etcd at the same time.
 * For every kind: one writes, the other reads the same; watches on each tell of the other's writes; conflicts are found; either
 * deletes. Plainly and with each encryption. Needs the programs of Kubernetes v1.37.1 (see README.md), and Go for its modules.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openEtcdStorage } from '../../src/storage/drivers/etcd/etcd-storage.ts';
import { locateModules } from '../../tools/generate/modules.ts';
import { EtcdProcess } from '../etcd/etcd-process.ts';
import { ApiServerProcess } from '../servers/api-server-process.ts';
import { installOurs } from '../servers/our-package.ts';
import { findReference } from '../servers/reference-binaries.ts';
import type { EncryptionName } from './encryption.ts';
import { encryptions, startEncryption } from './encryption.ts';
import type { Site } from './exchange.ts';
import { exchange } from './exchange.ts';
import { readRich } from './rich.ts';
import type { Stub } from './stubs.ts';
import { readStubs } from './stubs.ts';

const namespace = 'interop';
const { values } = parseArgs({ options: { only: { type: 'string', default: '' }, encryption: { type: 'string' } } });

const modules = locateModules();
const stubs = readStubs(modules['k8s.io/kubernetes'], namespace);
const root = mkdtempSync(join(tmpdir(), 'wheelhouse-interop-'));
const executables = { ours: installOurs(join(root, 'package')), reference: findReference('kube-apiserver') };
let failed = 0;
try {
  for (const encryption of encryptions) {
    if (values.encryption === undefined || values.encryption === encryption) failed += await withEncryption(encryption);
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}
process.exitCode = failed > 0 ? 1 : 0;

async function withEncryption(encryption: EncryptionName): Promise<number> {
  await using etcd = await EtcdProcess.start();
  await using started = await startEncryption(encryption, root);
  const { flags, valuePrefix } = started;
  const common = { storage: { etcd: etcd.endpoint }, flags };
  await using reference = await ApiServerProcess.start({
    ...common,
    executable: executables.reference,
    folder: join(root, `reference-${encryption}`),
  });
  await using ours = await ApiServerProcess.start({ ...common, executable: executables.ours, folder: join(root, `ours-${encryption}`) });
  await using storage = await openEtcdStorage({ endpoints: [etcd.endpoint], compactionIntervalMs: 0 });
  await reference.post('/api/v1/namespaces', { metadata: { name: namespace } });
  // Pods are refused without it, and no controller runs here that would make it.
  await ours.post(`/api/v1/namespaces/${namespace}/serviceaccounts`, { metadata: { name: 'default' } });

  const site: Site = { servers: { ours, reference }, etcd: storage, valuePrefix };
  const tally = { same: 0, different: 0, unserved: [] as string[] };
  for (const stub of stubs) {
    const name = [stub.resource, stub.version, stub.group].filter((part) => part !== '').join('.');
    if (!new RegExp(values.only).test(name)) continue;
    const served = await discover(reference, stub);
    if (served === undefined) {
      tally.unserved.push(name);
      continue;
    }
    const findings = [...(await exchange(site, stub, served.collection))];
    if (encryption === 'none') {
      const rich = await readRich(site, join(modules['k8s.io/api'], 'testdata/HEAD'), { ...stub, ...served });
      if (rich !== 'no sample') findings.push(...rich);
    }
    if (findings.length === 0) tally.same++;
    else tally.different++;
    if (findings.length > 0) console.log(`✖ ${encryption}: ${name}\n${findings.map((finding) => `    ${finding}`).join('\n')}`);
  }
  const unserved = tally.unserved.length === 0 ? '' : `; not served by default: ${tally.unserved.length}`;
  console.log(`${tally.different === 0 ? '✔' : '✖'} ${encryption}: ${tally.same} of ${tally.same + tally.different} resources${unserved}`);
  return tally.different;
}

interface Served {
  readonly kind: string;
  readonly collection: string;
  readonly keyPrefix: string;
}

/** Where the resource is served, or undefined when it is not. */
async function discover(server: ApiServerProcess, { group, version, resource, key }: Stub): Promise<Served | undefined> {
  const base = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const { status, body } = await server.request('GET', base);
  if (status !== 200) return undefined;
  const { resources } = JSON.parse(body) as { resources: { name: string; kind: string; namespaced: boolean }[] };
  const found = resources.find(({ name }) => name === resource);
  if (found === undefined) return undefined;
  const collection = found.namespaced ? `${base}/namespaces/${namespace}/${resource}` : `${base}/${resource}`;
  return { kind: found.kind, collection, keyPrefix: key.slice(0, key.lastIndexOf('/')) };
}
