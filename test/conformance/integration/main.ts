/**
 * `npm run test:integration [-- --packages PATTERN] [--only PATTERN] [--sides upstream,ours] [--folder DIR] [--limit SECONDS]`: Kubernetes' own
 * integration tests, test/integration of k8s.io/kubernetes and of k8s.io/apiextensions-apiserver, against an executable: upstream's server and ours. Go's -overlay
 * puts the files in overlay/ in the place of the functions that start a server inside the test's process; what a test sets in its options becomes
 * flags, and what needs a hook inside the process is skipped. A test is a case, in a process of its own with a limit of time; of one that fails
 * on upstream, its subtests are. What passes on upstream must pass on ours. Verdicts and logs are kept in `--folder`, and what has a verdict
 * there is not run again. Needs Go, and the programs etcd and kube-apiserver.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, openSync, closeSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { EtcdProcess } from '../../etcd/etcd-process.ts';
import { installOurs } from '../../servers/our-package.ts';
import { findReference, referenceFolder } from '../../servers/reference-binaries.ts';
import type { Side } from '../verdicts.ts';
import { Verdicts } from '../verdicts.ts';
import type { TestPackage } from './programs.ts';
import { buildTests, integrationPackages } from './programs.ts';

const { values } = parseArgs({
  options: {
    packages: { type: 'string', default: '' },
    only: { type: 'string', default: '' },
    sides: { type: 'string', default: 'upstream,ours' },
    folder: { type: 'string', default: mkdtempSync(join(tmpdir(), 'wheelhouse-integration-')) },
    limit: { type: 'string', default: '300' },
  },
});
const seconds = Number(values.limit);
const sides = values.sides.split(',') as Side[];
const verdicts = new Verdicts(values.folder);
const programs = new Map<Side, string>();

for (const tests of await integrationPackages()) if (new RegExp(values.packages).test(tests.name)) await runPackage(tests);
process.exitCode = verdicts.report((name) => name.split(' ')[0] ?? '');

async function runPackage(tests: TestPackage): Promise<void> {
  buildTests(tests);
  await using etcd = await EtcdProcess.start({ binary: findReference('etcd'), flags: ['--quota-backend-bytes=8589934592'] });
  const environment = {
    ...process.env,
    KUBE_INTEGRATION_ETCD_URL: etcd.endpoint,
    PATH: `${referenceFolder()}:${process.env['PATH'] ?? ''}`,
  };
  const listed = execFileSync(tests.program, ['-test.list', '.*'], { cwd: tests.folder, encoding: 'utf8', env: environment });
  const names = listed.split('\n').filter((name) => /^Test\w+$/.test(name) && new RegExp(values.only).test(name));
  for (const side of sides) {
    for (const name of names) {
      const id = `${tests.name} ${name}`;
      if (verdicts.has(side, id) || (side === 'ours' && !isJudged(id))) continue;
      const results = await runTest(tests, name, side, environment);
      const result = results.get(name);
      console.log(`${side.padEnd(8)} ${result ?? 'ended early'} ${id}`);
      if (result === 'SKIP') continue;
      verdicts.add(side, id, result === 'PASS');
      if (side === 'upstream' ? result === 'PASS' : !verdicts.has('upstream', id) || verdicts.passed('upstream').includes(id)) continue;
      for (const [subtest, verdict] of results) {
        if (subtest !== name && verdict !== 'SKIP') verdicts.add(side, `${tests.name} ${subtest}`, verdict === 'PASS');
      }
    }
  }
}

/** Whether any of it passes on upstream, as far as that is known. */
function isJudged(id: string): boolean {
  return !verdicts.has('upstream', id) || verdicts.passed('upstream').some((name) => name === id || name.startsWith(`${id}/`));
}

/** What the test and its subtests said, by name; nothing of a test that did not end. */
async function runTest(tests: TestPackage, name: string, side: Side, environment: NodeJS.ProcessEnv): Promise<ReadonlyMap<string, string>> {
  const logs = join(values.folder, side, tests.name.replaceAll('/', '_'));
  mkdirSync(logs, { recursive: true });
  const log = join(logs, `${name}.log`);
  const output = openSync(log, 'w');
  const child = spawn(tests.program, ['-test.v', '-test.run', `^${name}$`, '-test.parallel', '2', '-test.timeout', `${seconds}s`], {
    cwd: tests.folder,
    // Its own group: servers that it leaves behind are ended with it.
    detached: true,
    stdio: ['ignore', output, output],
    env: { ...environment, WH_APISERVER: serverOf(side), WH_LOG_DIR: logs, KUBECONFIG: '', KUBE_CACHE_MUTATION_DETECTOR: 'false' },
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`no ${tests.program}`);
  const endGroup = (): void => {
    try {
      process.kill(-pid, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  };
  const timer = setTimeout(endGroup, (seconds + 20) * 1000);
  await once(child, 'exit');
  clearTimeout(timer);
  endGroup();
  closeSync(output);
  const lines = readFileSync(log, 'utf8').matchAll(/^ *--- (PASS|FAIL|SKIP): (\S+) \(/gm);
  return new Map(Array.from(lines, ([, result = '', of = '']) => [of, result]));
}

function serverOf(side: Side): string {
  let program = programs.get(side);
  if (program === undefined) {
    program = side === 'upstream' ? findReference('kube-apiserver') : installOurs(join(values.folder, 'package'));
    programs.set(side, program);
  }
  return program;
}
