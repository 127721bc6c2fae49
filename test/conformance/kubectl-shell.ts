/**
 * `npm run test:kubectl-shell [-- --only PATTERN] [--sides upstream,ours] [--folder DIR]`: kubectl's shell suite, `test/cmd` of Kubernetes, which
 * starts etcd, an API server and upstream's controllers by itself, with upstream's server and with ours. A function of it is a case; what
 * passes with upstream must pass with ours. Logs and verdicts are kept in `--folder`, and what has a verdict there is not run again.
 * Needs Go, bash, curl, jq and the programs.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, createWriteStream, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { moduleFolder } from '../../tools/go-module.ts';
import { kubernetesModule } from '../../tools/kubernetes-release.ts';
import { freePort } from '../etcd/etcd-process.ts';
import { installOurs } from '../servers/our-package.ts';
import { findReference } from '../servers/reference-binaries.ts';
import type { Side } from './verdicts.ts';
import { Verdicts } from './verdicts.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    sides: { type: 'string', default: 'upstream,ours' },
    folder: { type: 'string' },
  },
});

/** Of the module: what the suite reads. It writes beside its scripts. */
const parts = [
  'hack',
  'test/cmd',
  'test/fixtures',
  'test/e2e/testing-manifests',
  'third_party/forked',
  'cluster',
  'build',
  'go.mod',
  '.go-version',
];
const entry = 'hack/make-rules/test-cmd.sh';
const limitMs = 40 * 60_000;

/**
 * Runs only what is asked for, and says of each function how it ended. A new node has no conditions for a minute, which is over when a whole
 * run comes to its nodes.
 */
const selection = `
eval "$(declare -f record_command | sed s/^record_command/record_any_command/)"
record_command() {
  [[ " $CHOSEN_FUNCTIONS " == *" $1 "* ]] || return 0
  if [[ $1 == run_nodes_tests ]]; then
    until kubectl get nodes -o jsonpath='{.items[*].status.conditions}' "\${kube_flags[@]}" | grep -q Ready || (( SECONDS > 600 )); do sleep 1; done
  fi
  local before="$foundError" began=$SECONDS verdict=failed
  record_any_command "$@"
  [[ "$foundError" == "$before" ]] && verdict=passed
  echo "VERDICT $1 $verdict $((SECONDS - began))"
}
`;

const scratch = mkdtempSync(join(tmpdir(), 'wheelhouse-kubectl-shell-'));
const folder = values.folder ?? join(scratch, 'results');
try {
  process.exitCode = await compare();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function compare(): Promise<number> {
  const verdicts = new Verdicts(folder);
  const sources = await moduleFolder(kubernetesModule);
  const script = readFileSync(join(sources, 'test/cmd/legacy-script.sh'), 'utf8');
  const functions = Array.from(script.matchAll(/^ +record_command (run_\w+)$/gm), ([, name = '']) => name);
  const chosen = [...new Set(functions)].filter((name) => new RegExp(values.only).test(name));
  console.log(`${chosen.length} of ${new Set(functions).size} functions`);
  for (const side of values.sides.split(',') as Side[]) {
    const left = chosen.filter((name) => !verdicts.has(side, name));
    if (left.length > 0) await run(side, sources, left, verdicts);
  }
  return verdicts.report();
}

async function run(side: Side, sources: string, functions: readonly string[], verdicts: Verdicts): Promise<void> {
  const tree = join(scratch, side);
  for (const part of parts) {
    mkdirSync(dirname(join(tree, part)), { recursive: true });
    cpSync(join(sources, part), join(tree, part), { recursive: true });
  }
  // Modules keep no modes: what is a script can be executed again.
  execFileSync('sh', ['-c', `chmod -R u+w '${tree}' && grep -rlI '^#!' '${tree}' | xargs chmod u+x`]);
  const script = join(tree, entry);
  const marker = 'kube::log::status "Running kubectl tests';
  const text = readFileSync(script, 'utf8');
  if (!text.includes(marker)) throw new Error(`${entry} is not as it was: no ${marker}`);
  writeFileSync(
    script,
    text.replace(marker, () => `${selection}${marker}`),
    { mode: 0o755 },
  );
  const [etcdPort, serverPort, managerPort] = [await freePort(), await freePort(), await freePort()];
  const programs = join(tree, '_output/bin');
  mkdirSync(programs, { recursive: true });
  symlinkSync(side === 'ours' ? installOurs(join(scratch, 'package')) : findReference('kube-apiserver'), join(programs, 'kube-apiserver'));
  for (const name of ['kubectl', 'kubectl-convert'] as const) symlinkSync(findReference(name), join(programs, name));
  const writeProgram = (path: string, line: string): void => writeFileSync(path, `#!/bin/sh\n${line}\n`, { mode: 0o755 });
  // The suite takes the manager's port for granted.
  writeProgram(
    join(programs, 'kube-controller-manager'),
    `exec '${findReference('kube-controller-manager')}' --secure-port=${managerPort} "$@"`,
  );
  // Everything is built already.
  const tools = join(tree, '_tools');
  mkdirSync(tools);
  writeProgram(join(tools, 'make'), 'exit 0');
  symlinkSync(findReference('etcd'), join(tools, 'etcd'));
  const temporary = join(tree, '_tmp');
  mkdirSync(temporary);
  const log = createWriteStream(join(folder, `${side}-${functions[0]}.log`));
  const child = spawn('bash', [script], {
    cwd: tree,
    // Its own group: what the suite leaves behind is ended with it.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PATH: `${tools}:${process.env['PATH'] ?? ''}`,
      TMPDIR: temporary,
      TERM: 'xterm',
      ALLOW_SKEW: '1',
      GIT_DIR: '/nonexistent',
      CHOSEN_FUNCTIONS: functions.join(' '),
      ETCD_PORT: String(etcdPort),
      SECURE_API_PORT: String(serverPort),
      SECURE_CTLRMGR_PORT: String(managerPort),
      SERVICE_ACCOUNT_KEY: join(temporary, 'service-account.key'),
      KUBE_JUNIT_REPORT_DIR: join(temporary, 'junit'),
      KUBE_CACHE_MUTATION_DETECTOR: 'false',
    },
  });
  const { pid } = child;
  if (pid === undefined) throw new Error('no bash');
  const end = (): void => void process.kill(-pid, 'SIGTERM');
  const limit = setTimeout(end, limitMs);
  process.once('SIGINT', end).once('SIGTERM', end);
  child.stderr.on('data', (part: Buffer) => log.write(part));
  for await (const line of createInterface(child.stdout)) {
    log.write(`${line}\n`);
    const [, name, verdict, seconds] = /^VERDICT (\w+) (\w+) (\d+)$/.exec(line) ?? [];
    if (name === undefined) continue;
    verdicts.add(side, name, verdict === 'passed');
    console.log(`${side.padEnd(8)} ${verdict} ${name} ${seconds} s`);
  }
  if (child.exitCode === null) await once(child, 'close');
  clearTimeout(limit);
  process.off('SIGINT', end).off('SIGTERM', end);
  log.end();
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
