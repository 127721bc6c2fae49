/**
 * `npm run test:health [-- --only PATTERN]`: /healthz, /livez and /readyz of ours and of upstream under several sets of flags: the same checks in
 * the same order, and the same words about excluded ones. Then faults: which checks fail by them on both, as a table of all checks that were seen.
 * Needs the programs of Kubernetes (see README.md).
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { EtcdProcess } from '../etcd/etcd-process.ts';
import { ApiServerProcess } from '../servers/api-server-process.ts';
import { installOurs } from '../servers/our-package.ts';
import { findReference } from '../servers/reference-binaries.ts';
import { FakePlugin } from '../support/kms-plugin.ts';
import type { Fault, Failures } from './health-faults.ts';
import { faults, failuresBy, faultTable } from './health-faults.ts';
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

await using plugin = new FakePlugin();
const socket = join(root, 'kms.sock');
await plugin.listen(socket);
const kms = join(root, 'kms.yaml');
writeFileSync(
  kms,
  JSON.stringify({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'EncryptionConfiguration',
    resources: [
      { resources: ['secrets'], providers: [{ kms: { apiVersion: 'v2', name: 'k', endpoint: `unix://${socket}` } }, { identity: {} }] },
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
  'storage versions': () => ['--feature-gates=StorageVersionAPI=true', '--runtime-config=internal.apiserver.k8s.io/v1alpha1=true'],
  'a KMS plugin, reloaded': () => [`--encryption-provider-config=${kms}`, '--encryption-provider-config-automatic-reload=true'],
  'a KMS plugin, not reloaded': () => [`--encryption-provider-config=${kms}`],
};

const paths = ['/readyz?verbose', '/livez?verbose', '/healthz?verbose', '/readyz?verbose&exclude=etcd&exclude=none&exclude=other'];

type Side = keyof typeof executables;

interface Started extends AsyncDisposable {
  readonly server: ApiServerProcess;
  readonly etcd: EtcdProcess;
  readonly other: EtcdProcess;
}

async function open(side: Side, name: string, more: readonly string[], fault?: Fault): Promise<Started> {
  await using stack = new AsyncDisposableStack();
  const etcd = stack.use(await EtcdProcess.start());
  const other = stack.use(await EtcdProcess.start());
  const folder = join(root, `${`${name} ${fault?.name ?? ''}`.replaceAll(/\W+/g, '-')}-${side}`);
  mkdirSync(folder, { recursive: true });
  const flags: string[] = [...more];
  const server = stack.use(
    await ApiServerProcess.prepare({ executable: executables[side], folder, storage: { etcd: etcd.endpoint }, flags }),
  );
  flags.push(...(flagSets[name]?.(other, server) ?? []));
  plugin.broken = fault?.pluginFails === true;
  await server.start(fault?.atStart === true || plugin.broken ? 'listening' : 'ready');
  // Upstream opens its port long before it serves.
  while (fault?.atStart === true && side === 'upstream' && !(await responds(server))) await sleep(5);
  if (fault?.atStart === true) etcd.signal('SIGSTOP');
  const owned = stack.move();
  return { server, etcd, other, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function responds(server: ApiServerProcess): Promise<boolean> {
  return server.request('GET', '/version').then(
    () => true,
    () => false,
  );
}

async function ask(side: Side, name: string): Promise<string> {
  await using started = await open(side, name, []);
  const texts: string[] = [];
  for (const path of paths) texts.push(`${path}\n${(await started.server.request('GET', path)).body}`);
  return texts.join('\n');
}

async function suffer(side: Side, fault: Fault): Promise<ReadonlySet<string>> {
  await using started = await open(side, fault.flagSet, fault.flags ?? [], fault);
  try {
    return await failuresBy(fault, started);
  } finally {
    for (const etcd of [started.etcd, started.other]) etcd.signal('SIGCONT');
  }
}

const orders = 4;
let failed = 0;
const names = new Set<string>();
try {
  for (const name of Object.keys(flagSets)) {
    if (!new RegExp(values.only).test(name)) continue;
    const asked = await Promise.all([ask('ours', name), ask('upstream', name)]);
    const [ours] = asked;
    let [, upstream] = asked;
    // The order in which upstream registers two of its hooks is not the same in every start.
    for (let again = 0; again < orders && ours !== upstream; again++) upstream = await ask('upstream', name);
    const same = ours === upstream;
    if (!same) failed++;
    console.log(`${same ? '✔' : '✖'} ${name}: ${upstream.match(/^\[.\]/gm)?.length} lines`);
    if (!same) console.log(textDiff(upstream, ours));
    for (const [, check = ''] of upstream.matchAll(/^\[.\](\S+)/gm)) names.add(check);
  }
  const failures: Failures = { ours: new Map(), upstream: new Map() };
  for (const fault of faults) {
    if (!new RegExp(values.only).test(fault.name)) continue;
    const sides = ['ours', 'upstream'] as const;
    await Promise.all(sides.map(async (side) => failures[side].set(fault.name, await suffer(side, fault))));
    plugin.broken = false;
    console.log(`  ${fault.name}: ${failures.ours.get(fault.name)?.size} fail, upstream ${failures.upstream.get(fault.name)?.size}`);
  }
  const { lines, problems } = faultTable(names, failures);
  for (const line of lines) console.log(line);
  for (const problem of problems) console.log(`✖ ${problem}`);
  failed += problems.length;
} finally {
  rmSync(root, { recursive: true, force: true });
}
process.exitCode = failed === 0 ? 0 : 1;
