/**
 * `npm run test:reload [-- --only PATTERN] [--rounds 7] [--sound]`: each file of certificates and configuration that API servers follow is first
 * half-written and then replaced, round by round in turns on ours and on upstream, while clients ask over old and new connections. What was in use stays
 * in use until the new one is, no request fails, and health and metrics say of a broken file what upstream's say. `--sound`: no broken files.
 *
 * The time of a round is that from the replacement to the start of the first question of which all later ones see the new one; questions follow each other
 * without a break, so that it is known to one question, whose own length is printed. Ours has to have it no later than upstream, median beside median. Needs the programs of Kubernetes (see README.md).
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

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    rounds: { type: 'string', default: '7' },
    sound: { type: 'boolean', default: false },
  },
});
const root = mkdtempSync(join(tmpdir(), 'wheelhouse-reload-'));
const limitMs = 90_000;
const badMs = 3000;
/** a server that took longer in all is not asked for further rounds */
const longMs = 20_000;
/** so many questions in a row see the new one before it counts as in use */
const enough = 5;

class Tally {
  readonly site: Site;
  readonly tookMs: number[] = [];
  /** how long questions took that saw the one before */
  readonly askedMs: number[] = [];
  readonly failures: string[] = [];
  asked = 0;
  /** rounds in which the new one was not seen at all */
  never = 0;
  /** what health and metrics said of broken files, and how many lines the log had about them */
  seen = '';
  logged = 0;

  constructor(site: Site) {
    this.site = site;
  }

  /** in all rounds */
  get spentMs(): number {
    return this.tookMs.reduce((sum, took) => sum + took, 0);
  }

  async underLoad(act: () => Promise<void>): Promise<void> {
    const load = this.site.load();
    await sleep(300);
    await act();
    await sleep(200);
    const { asked, failures } = await load.stop();
    this.asked += asked;
    this.failures.push(...failures);
  }
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

async function breakFiles(tally: Tally, { files, tells }: Case): Promise<void> {
  const { site } = tally;
  const seen: string[] = [];
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
    tally.logged += lines.filter((line) => /^[EW]\d/.test(line)).length;
    replace(file, good);
  }
  await sleep(500);
  tally.seen = seen.join('\n');
}

async function time(tally: Tally, { renew }: Case, round: number): Promise<void> {
  const inUse = renew(tally.site, round);
  const started = performance.now();
  let first = 0;
  for (let inARow = 0; inARow < enough;) {
    const begun = performance.now();
    if (begun - started > limitMs) {
      tally.never++;
      tally.tookMs.push(limitMs);
      return;
    }
    // A refusal: the new one is not in use yet.
    if (await inUse().catch(() => false)) {
      if (inARow++ === 0) first = begun;
    } else {
      inARow = 0;
      tally.askedMs.push(performance.now() - begun);
    }
    // Time for the door of etcd and the backend, which are in this process.
    await sleep(0);
  }
  tally.tookMs.push(first - started);
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;
}

const ms = (number: number): string => (number < limitMs ? number.toFixed(1) : `> ${limitMs / 1000} s`);
const row = (cells: readonly string[]): string => cells.map((cell, at) => (at === 0 ? cell.padEnd(20) : cell.padStart(19))).join('');

let failed = 0;
try {
  const executable = installOurs(join(root, 'package'));
  await using ours = await Site.open(join(root, 'ours'), executable);
  await using upstream = await Site.open(join(root, 'upstream'), findReference('kube-apiserver'));
  console.log(row(['in use after, ms', 'ours med/max', 'upstream med/max', 'one question', 'ours failed', 'upstream failed', 'logged']));
  for (const one of cases) {
    if (!new RegExp(values.only).test(one.name)) continue;
    const [mine, theirs] = [new Tally(ours), new Tally(upstream)];
    if (!values.sound) for (const tally of [mine, theirs]) await tally.underLoad(() => breakFiles(tally, one));
    for (let round = 1; round <= Number(values.rounds); round++) {
      for (const tally of round % 2 === 1 ? [mine, theirs] : [theirs, mine]) {
        // Upstream looks at the pair for kubelets every five minutes, at encryption once a minute: that is known after one round.
        if (tally.spentMs < longMs) await tally.underLoad(() => time(tally, one, round));
      }
    }
    const [question, theirQuestion] = [median(mine.askedMs), median(theirs.askedMs)];
    const problems = [
      ...(mine.never > 0 ? [`not in use after ${limitMs / 1000} s`] : []),
      // Upstream loses requests where connections to etcd are cut; ours may lose as many.
      ...(mine.failures.length > 0 && (theirs.failures.length === 0 || one.name !== 'etcd client')
        ? [`${mine.failures.length} requests failed: ${mine.failures[0]}`]
        : []),
      ...(ms(median(mine.tookMs)) !== ms(median(theirs.tookMs)) && median(mine.tookMs) > median(theirs.tookMs)
        ? ['later than upstream']
        : []),
      ...(mine.seen === theirs.seen ? [] : [`broken files:\n--- upstream\n${theirs.seen}\n--- ours\n${mine.seen}`]),
    ];
    if (problems.length > 0) failed++;
    const times = ({ tookMs }: Tally): string => `${ms(median(tookMs))} / ${ms(Math.max(...tookMs))}`;
    const cells = [times(mine), times(theirs), `${ms(question)} : ${ms(theirQuestion)}`];
    const failures = [mine, theirs].map((tally) => `${tally.failures.length} of ${tally.asked}`);
    console.log(row([`${problems.length === 0 ? '✔' : '✖'} ${one.name}`, ...cells, ...failures, `${mine.logged} : ${theirs.logged}`]));
    for (const problem of problems) console.log(`    ${problem}`);
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}
process.exitCode = failed === 0 ? 0 : 1;
