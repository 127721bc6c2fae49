/**
 * `npm run test:reload [-- --only PATTERN] [--rounds N]`: each file of certificates and configuration that API servers follow is first half-written and then
 * replaced, while clients ask over old and new connections. What was in use stays in use until the new one is, no request fails, and health and metrics
 * say of the broken file what upstream's say. Prints how long ours and upstream took. Needs the programs of Kubernetes (see README.md).
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { installOurs } from '../servers/our-package.ts';
import { findReference } from '../servers/reference-binaries.ts';
import type { Case } from './reload-cases.ts';
import { cases } from './reload-cases.ts';
import { replace } from './reload-files.ts';
import { Site } from './reload-site.ts';

const { values } = parseArgs({ options: { only: { type: 'string', default: '' }, rounds: { type: 'string', default: '1' } } });
const root = mkdtempSync(join(tmpdir(), 'wheelhouse-reload-'));
const limitMs = 90_000;
const badMs = 3000;
const pollMs = 5;

interface Result {
  readonly tookMs: number | undefined;
  readonly failures: readonly string[];
  readonly asked: number;
  /** what health and metrics said while files were broken */
  readonly seen: string;
  /** lines of the log about the broken files */
  readonly logged: number;
}

/** Series about files that are read again, without what two servers cannot have in common. */
async function reloadSeries(site: Site): Promise<string[]> {
  const { body } = await site.get('/metrics');
  return body
    .split('\n')
    .filter((line) => /^apiserver_\w+_config_controller_/.test(line))
    .map((line) => line.replaceAll(/sha256:\w+/g, 'HASH').replace(/ (\S+)$/, (_, value: string) => (Number(value) > 0 ? ' > 0' : ' 0')))
    .toSorted();
}

async function play(site: Site, { files, renew, tells }: Case): Promise<Result> {
  const stopping = new AbortController();
  site.failures.length = 0;
  site.asked = 0;
  const loading = site.load(stopping.signal);
  await sleep(300);
  const seen: string[] = [];
  let logged = 0;
  for (const file of files(site)) {
    const good = readFileSync(file, 'utf8');
    const before = readFileSync(site.server.log, 'utf8').length;
    replace(file, good.slice(0, good.length / 2));
    await sleep(badMs);
    for (const until = Date.now() + limitMs; tells !== undefined && Date.now() < until; await sleep(500)) {
      if ((await reloadSeries(site)).some((line) => tells.test(line))) break;
    }
    const health = await Promise.all(['/livez', '/readyz', '/healthz'].map(async (path) => (await site.get(path)).status));
    seen.push(`${basename(file)} broken: health ${health.join(' ')}`, ...(await reloadSeries(site)));
    const lines = readFileSync(site.server.log, 'utf8').slice(before).split('\n');
    logged += lines.filter((line) => /^[EW]\d/.test(line)).length;
    replace(file, good);
  }
  await sleep(500);
  const inUse = renew(site);
  const started = performance.now();
  let took: number | undefined;
  while (took === undefined && performance.now() - started < limitMs) {
    // A refusal: the new one is not in use yet.
    if (await inUse().catch(() => false)) took = performance.now() - started;
    else await sleep(pollMs);
  }
  if (tells !== undefined) seen.push('replaced:', ...(await reloadSeries(site)));
  await sleep(300);
  stopping.abort();
  await loading;
  return { tookMs: took, failures: [...site.failures], asked: site.asked, seen: seen.join('\n'), logged };
}

function textOf({ tookMs, failures, asked, logged }: Result): string {
  const time = tookMs === undefined ? 'never' : `${(tookMs / 1000).toFixed(3)} s`;
  const why = failures.length > 0 ? ` (${failures[0]})` : '';
  return `${time}, ${failures.length} of ${asked} failed${why}, ${logged} logged`;
}

let failed = 0;
try {
  const executable = installOurs(join(root, 'package'));
  await using ours = await Site.open(join(root, 'ours'), executable);
  await using upstream = await Site.open(join(root, 'upstream'), findReference('kube-apiserver'));
  for (let round = 1; round <= Number(values.rounds); round++) {
    for (const one of cases) {
      if (!new RegExp(values.only).test(one.name)) continue;
      const mine = await play(ours, one);
      const theirs = await play(upstream, one);
      // Upstream loses requests where connections to etcd are cut; ours may lose as many.
      const isSound =
        mine.tookMs !== undefined && (mine.failures.length === 0 || (theirs.failures.length > 0 && one.name === 'etcd client'));
      const same = mine.seen === theirs.seen;
      if (!isSound || !same) failed++;
      console.log(`${isSound && same ? '✔' : '✖'} ${one.name}: ours ${textOf(mine)}; upstream ${textOf(theirs)}`);
      if (!same) console.log(`--- upstream\n${theirs.seen}\n--- ours\n${mine.seen}`);
    }
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}
process.exitCode = failed === 0 ? 0 : 1;
