/**
 * npm run programs [-- NAME ...]    builds the programs that suites compare with, from the public Go modules of the release in
 * kubernetes-release.json, into $REF_BIN. Needs Go. What is there already is left alone. About 12 minutes the first time on two cores.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { referenceFolder } from '../../test/servers/reference-binaries.ts';
import { kubernetesModule, kubernetesRelease } from '../kubernetes-release.ts';
import { stagingReplacements } from '../staging-replacements.ts';

interface Program {
  readonly package: string;
  /** the module that has the package */
  readonly module: string;
  readonly version: string;
  /** values of Go variables, such as versions that a release build would set */
  readonly variables?: Readonly<Record<string, string>>;
  /** what it is built from are tests */
  readonly isTest?: boolean;
}

const { version, modules } = kubernetesRelease;
const [major = '', minor = ''] = version.slice(1).split('.');
const ofKubernetes = (name: string): Program => ({
  package: `k8s.io/kubernetes/cmd/${name}`,
  module: kubernetesModule.name,
  version,
  variables: {
    'k8s.io/component-base/version.gitVersion': version,
    'k8s.io/component-base/version.gitMajor': major,
    'k8s.io/component-base/version.gitMinor': minor,
    'k8s.io/client-go/pkg/version.gitVersion': version,
  },
});
const etcdVersion = 'v3.7.0';
const kwokVersion = 'v0.8.0';
const helmVersion = 'v4.3.1';
const programs: Readonly<Record<string, Program>> = {
  etcd: { package: 'go.etcd.io/etcd/server/v3', module: 'go.etcd.io/etcd/server/v3', version: etcdVersion },
  etcdctl: { package: 'go.etcd.io/etcd/etcdctl/v3', module: 'go.etcd.io/etcd/etcdctl/v3', version: etcdVersion },
  kubectl: ofKubernetes('kubectl'),
  'kubectl-convert': ofKubernetes('kubectl-convert'),
  'kube-apiserver': ofKubernetes('kube-apiserver'),
  'kube-controller-manager': ofKubernetes('kube-controller-manager'),
  'kube-scheduler': ofKubernetes('kube-scheduler'),
  kwok: {
    package: 'sigs.k8s.io/kwok/cmd/kwok',
    module: 'sigs.k8s.io/kwok',
    version: kwokVersion,
    variables: { 'sigs.k8s.io/kwok/pkg/consts.Version': kwokVersion },
  },
  'sample-apiserver': { package: 'k8s.io/sample-apiserver', module: 'k8s.io/sample-apiserver', version: modules },
  helm: { package: 'helm.sh/helm/v4/cmd/helm', module: 'helm.sh/helm/v4', version: helmVersion },
  'e2e.test': { ...ofKubernetes('e2e'), package: 'k8s.io/kubernetes/test/e2e', isTest: true },
};

/** From this version on Go reads only what a program's own go.mod lists, and not what all of those list in turn: some of it is not to be had. */
const pruned = 'go 1.21';

async function build(name: string, program: Program, folder: string): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'wheelhouse-programs-'));
  try {
    const isKubernetes = program.module === kubernetesModule.name;
    writeFileSync(
      join(scratch, 'go.mod'),
      `module programs\n\n${pruned}\n\nrequire ${program.module} ${program.version}\n\n${isKubernetes ? await stagingReplacements() : ''}`,
    );
    const variables = Object.entries(program.variables ?? {}).map(([variable, value]) => `-X ${variable}=${value}`);
    const command = program.isTest ? ['test', '-c', '-vet=off'] : ['build'];
    execFileSync(
      'go',
      [...command, '-mod=mod', '-ldflags', ['-s', '-w', ...variables].join(' '), '-o', join(folder, name), program.package],
      {
        cwd: scratch,
        stdio: ['ignore', 'inherit', 'inherit'],
        env: { ...process.env, CGO_ENABLED: '0' },
      },
    );
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in programs));
if (unknown.length > 0) {
  console.error(`no program is called ${unknown.join(', ')}; there are ${Object.keys(programs).join(', ')}`);
  process.exit(2);
}
const folder = referenceFolder();
mkdirSync(folder, { recursive: true });
const wanted = asked.length > 0 ? asked : Object.keys(programs);
for (const [index, name] of wanted.entries()) {
  const step = `[${index + 1}/${wanted.length}] ${name}`;
  if (existsSync(join(folder, name))) {
    console.log(`${step}: there`);
    continue;
  }
  console.log(`${step} ...`);
  const started = performance.now();
  await build(name, programs[name] as Program, folder);
  console.log(`${step}: ${Math.round((performance.now() - started) / 1000)} s`);
}
console.log(folder);
