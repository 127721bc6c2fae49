/**
 * `npm run test:health [-- --only PATTERN]`: /healthz, /livez and /readyz of ours and of upstream under several sets of flags: the same checks in
 * the same order, and the same words about excluded ones. Needs the programs of Kubernetes (see README.md).
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { EtcdProcess } from '../etcd/etcd-process.ts';
import { ApiServerProcess } from '../servers/api-server-process.ts';
import { installOurs } from '../servers/our-package.ts';
import { findReference } from '../servers/reference-binaries.ts';
import { textDiff } from './text-diff.ts';

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });
const root = mkdtempSync(join(tmpdir(), 'wheelhouse-health-'));
const executables = { ours: installOurs(join(root, 'package')), upstream: findReference('kube-apiserver') };
const encryption = join(root, 'encryption.yaml');
writeFileSync(
  encryption,
  JSON.stringify({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'EncryptionConfiguration',
    resources: [
      {
        resources: ['secrets'],
        providers: [{ aescbc: { keys: [{ name: 'k', secret: Buffer.alloc(32, 1).toString('base64') }] } }, { identity: {} }],
      },
    ],
  }),
);

const flagSets: Readonly<Record<string, (other: EtcdProcess, server: ApiServerProcess) => string[]>> = {
  'no flags': () => [],
  'front proxy and its client': (_, { files }) => [
    `--requestheader-client-ca-file=${files.authority}`,
    '--requestheader-allowed-names=front-proxy',
    `--proxy-client-cert-file=${join(files.authority, '../admin.crt')}`,
    `--proxy-client-key-file=${join(files.authority, '../admin.key')}`,
  ],
  'without fairness and identity': () => [
    '--enable-priority-and-fairness=false',
    '--feature-gates=APIServerIdentity=false,UnknownVersionInteroperabilityProxy=false',
    '--endpoint-reconciler-type=none',
  ],
  'without RBAC': () => ['--authorization-mode=AlwaysAllow'],
  'encryption, reloaded': () => [`--encryption-provider-config=${encryption}`, '--encryption-provider-config-automatic-reload=true'],
  'encryption, not reloaded': () => [`--encryption-provider-config=${encryption}`],
  'another etcd for events': (other) => [`--etcd-servers-overrides=/events#${other.endpoint}`],
  'coordinated leader election': () => [
    '--feature-gates=CoordinatedLeaderElection=true',
    '--runtime-config=coordination.k8s.io/v1beta1=true,coordination.k8s.io/v1alpha2=true',
  ],
};

const paths = ['/readyz?verbose', '/livez?verbose', '/healthz?verbose', '/readyz?verbose&exclude=etcd&exclude=none&exclude=other'];

async function ask(side: keyof typeof executables, name: string): Promise<string> {
  await using etcd = await EtcdProcess.start();
  await using other = await EtcdProcess.start();
  const folder = join(root, `${name.replaceAll(/\W+/g, '-')}-${side}`);
  mkdirSync(folder, { recursive: true });
  const flags: string[] = [];
  await using server = await ApiServerProcess.prepare({ executable: executables[side], folder, storage: { etcd: etcd.endpoint }, flags });
  flags.push(...(flagSets[name]?.(other, server) ?? []));
  await server.start();
  const texts: string[] = [];
  for (const path of paths) texts.push(`${path}\n${(await server.request('GET', path)).body}`);
  return texts.join('\n');
}

let failed = 0;
try {
  for (const name of Object.keys(flagSets)) {
    if (!new RegExp(values.only).test(name)) continue;
    const [ours, upstream] = await Promise.all([ask('ours', name), ask('upstream', name)]);
    const same = ours === upstream;
    if (!same) failed++;
    console.log(`${same ? '✔' : '✖'} ${name}: ${upstream.match(/^\[.\]/gm)?.length} lines`);
    if (!same) console.log(textDiff(upstream, ours));
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}
process.exitCode = failed === 0 ? 0 : 1;
