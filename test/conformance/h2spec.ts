/**
 * `npm run test:h2spec [-- --runs 2]`: h2spec, the conformance suite of HTTP/2, against upstream and ours. What ours fails and upstream does
 * not is a failure, and the server must live. Needs Go, which builds h2spec into the user's cache, and upstream's programs.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { EtcdProcess } from '../etcd/etcd-process.ts';
import { ApiServerProcess } from '../servers/api-server-process.ts';
import { installOurs } from '../servers/our-package.ts';
import { findReference } from '../servers/reference-binaries.ts';

const h2spec = 'github.com/summerwind/h2spec/cmd/h2spec@v2.2.1+incompatible';

const { values } = parseArgs({ options: { runs: { type: 'string', default: '2' } } });
/** of the suite, counted in its last run */
let cases = 0;
const root = mkdtempSync(join(tmpdir(), 'wheelhouse-h2spec-'));
try {
  process.exitCode = await compare();
} finally {
  rmSync(root, { recursive: true, force: true });
}

async function compare(): Promise<number> {
  const program = buildSuite();
  await using etcd = await EtcdProcess.start();
  await using reference = await ApiServerProcess.start({
    executable: findReference('kube-apiserver'),
    folder: join(root, 'reference'),
    storage: { etcd: etcd.endpoint },
  });
  await using ours = await ApiServerProcess.start({
    executable: installOurs(join(root, 'package')),
    folder: join(root, 'ours'),
    storage: 'embedded',
  });
  const { pid } = ours;
  const runs = Array.from({ length: Number(values.runs) });
  const failures = (server: ApiServerProcess): Set<string>[] => runs.map(() => runSuite(program, server.port));
  const theirs = failures(reference);
  const own = failures(ours);
  const all = (sets: readonly Set<string>[]): Set<string> => new Set(sets.flatMap((set) => [...set]));
  const count = (sets: readonly Set<string>[]): string => sets.map(({ size }) => size).join(', ');
  console.log(`failures in ${runs.length} runs: upstream ${count(theirs)}; ours ${count(own)}`);
  for (const name of all(theirs)) console.log(`  upstream  ${name}`);
  const beyond = [...all(own)].filter((name) => !all(theirs).has(name));
  for (const name of all(own)) console.log(`  ours      ${name}`);
  const alive = ours.pid === pid && (await ours.request('GET', '/readyz')).status === 200;
  if (!alive) console.log('our server did not survive');
  console.log(`${cases - beyond.length} passed, ${beyond.length} failed`);
  return alive && beyond.length === 0 ? 0 : 1;
}

function buildSuite(): string {
  const folder = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'wheelhouse', 'h2spec');
  const program = join(folder, 'h2spec');
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  execFileSync('go', ['install', h2spec], { stdio: 'inherit', cwd: folder, env: { ...process.env, GOBIN: folder, GOFLAGS: '-mod=mod' } });
  return program;
}

/** Names of the cases that failed, after their section. */
function runSuite(program: string, port: number): Set<string> {
  const report = join(root, 'report.xml');
  spawnSync(program, ['-h', '127.0.0.1', '-p', String(port), '-t', '-k', '-j', report], { stdio: 'ignore' });
  const failed = new Set<string>();
  const text = readFileSync(report, 'utf8');
  cases = text.split('<testcase ').length - 1;
  if (cases === 0) throw new Error('h2spec ran no case');
  for (const [, section, name, result] of text.matchAll(/<testcase package="([^"]*)" classname="([^"]*)"[^>]*>([^]*?)<\/testcase>/g)) {
    if (/<(failure|error)/.test(result ?? '')) failed.add(`${section} ${name?.replaceAll('&#34;', '"')}`);
  }
  rmSync(report);
  return failed;
}
