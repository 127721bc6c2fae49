/**
 * npm run test:parity [-- KIND|CATEGORY ...]    replays recorded requests to ours and compares with the responses of upstream
 *   --name PART          only cases whose name has this in it          --limit N    an even sample that is always the same
 *   --kubeconfig FILE    to this server, which has the flags of servers.ts, instead of one that is started from this clone
 *   --upstream-on-our-etcd    to upstream, on our etcd: what it does there must be what it did on its own (Go programs needed)
 *   --kinds              a line for every kind                         --show N     the most frequent differences (20)
 *   --page               writes docs/reference/kinds.md                --failing    names of the cases that are not exact
 *   --print              shows cases and recorded responses instead    --json FILE  figures for other programs
 * npm run test:parity -- --fresh SEED [--cases N]    makes cases that were never played, asks upstream (Go programs needed), then ours
 * npm run test:parity -- --with FLAG [--limit N]    asks both servers, each started with these flags, the recorded requests (Go programs needed)
 * npm run test:parity -- --record FILE --out FOLDER  asks upstream the cases of a JSON file and keeps its responses
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Case, RecordedCase, Result } from './case.ts';
import { ParityClient } from './client.ts';
import type { Target } from '../support/kubeconfig.ts';
import { ourEtcd } from '../etcd-server/our-etcd.ts';
import { compare } from './comparison.ts';
import { freshCases } from './fresh/fresh-cases.ts';
import { writeKindsPage } from './kinds-page.ts';
import { playAll } from './play-all.ts';
import { keepStable, recordOnce } from './record.ts';
import { readRecorded, recordedFolder, select, writeRecorded } from './recording.ts';
import { Score, scoreLines } from './score.ts';
import { startOurs, startReference } from './servers.ts';
import { readTarget } from '../support/kubeconfig.ts';

const { values: options, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    name: { type: 'string' },
    limit: { type: 'string' },
    kubeconfig: { type: 'string' },
    'upstream-on-our-etcd': { type: 'boolean', default: false },
    kinds: { type: 'boolean', default: false },
    show: { type: 'string', default: '20' },
    page: { type: 'boolean', default: false },
    failing: { type: 'boolean', default: false },
    print: { type: 'boolean', default: false },
    json: { type: 'string' },
    fresh: { type: 'string' },
    cases: { type: 'string', default: '20000' },
    record: { type: 'string' },
    out: { type: 'string' },
    with: { type: 'string', multiple: true, default: [] },
    recorded: { type: 'string', default: recordedFolder },
  },
});

/** Cases in which ours differs on purpose. */
const intended: ReadonlyMap<string, string> = new Map([
  ['adm-vap-warn', 'a policy takes effect at once here, after about a second with upstream'],
]);

/** These are few. One order of a Go map may come three times out of four. */
const timesWhereOursDiffers = 20;

const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-parity-'));
try {
  await main();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function main(): Promise<void> {
  if (options.record !== undefined) {
    const cases = JSON.parse(readFileSync(options.record, 'utf8')) as Case[];
    await using reference = await startReference(folder, options.with);
    using client = new ParityClient(reference.target);
    const kept = await stable(client, await recordOnce(client, cases, progressOf));
    writeRecorded(options.out ?? recordedFolder, basename(options.record).replace(/\.json$/, ''), kept);
    console.log(`${kept.length} of ${cases.length} cases kept`);
    return;
  }
  if (options.fresh !== undefined) {
    report(await playFresh(freshCases(Number(options.fresh), Number(options.cases), words)));
    return;
  }
  const limit = options.limit === undefined ? undefined : Number(options.limit);
  const recorded = select(readRecorded(options.recorded), { words, name: options.name, limit });
  if (recorded.length === 0) throw new Error(`no recorded case is of ${[...words, options.name].join(', ')}`);
  if (options.print) {
    for (const one of recorded) console.log(JSON.stringify(one, null, 1));
    return;
  }
  if (options.with.length > 0) return report(await playFresh(recorded.map((one) => one.case)));
  const score = scoreOf(recorded, await replay(recorded));
  report(score);
  if (!options.page) return;
  if (words.length > 0 || options.name !== undefined || limit !== undefined)
    throw new Error('--page is made of all recorded cases: give it alone');
  writeKindsPage(score.kinds);
}

/** Upstream is asked again only where ours differs: most of what it would not repeat does not show. */
async function playFresh(cases: readonly Case[]): Promise<Score> {
  await using reference = await startReference(folder, options.with);
  using client = new ParityClient(reference.target);
  const recorded = await recordOnce(client, cases, progressOf);
  const results = await replay(recorded);
  const isExact = (one: RecordedCase): boolean => compare(one, results.get(one.case.name) ?? []).exact;
  const different = recorded.filter((one) => !isExact(one));
  const all = [...recorded.filter(isExact), ...(await stable(client, different, timesWhereOursDiffers))];
  if (options.out !== undefined) writeRecorded(options.out, `fresh-${options.fresh}`, all);
  return scoreOf(all, results);
}

async function stable(client: ParityClient, recorded: readonly RecordedCase[], most?: number): Promise<readonly RecordedCase[]> {
  const { kept, unstable } = await keepStable(client, recorded, progressOf, most);
  for (const [name, why] of unstable) console.log(`not kept, since upstream does not repeat its answer: ${name} (${why})`);
  return kept;
}

type Results = ReadonlyMap<string, readonly Result[]>;

function scoreOf(recorded: readonly RecordedCase[], results: Results): Score {
  const score = new Score();
  for (const one of recorded) score.add(one, results.get(one.case.name) ?? []);
  return score;
}

async function replay(recorded: readonly RecordedCase[]): Promise<Results> {
  if (options.kubeconfig !== undefined) return replayTo(readTarget(options.kubeconfig), recorded);
  await using server = options['upstream-on-our-etcd'] ? await startReference(folder, [], ourEtcd) : await startOurs(folder, options.with);
  return await replayTo(server.target, recorded);
}

async function replayTo(target: Target, recorded: readonly RecordedCase[]): Promise<Results> {
  using client = new ParityClient(target);
  const progress = progressOf('replayed', recorded.length);
  const results = new Map<string, readonly Result[]>();
  const cases = recorded.map((one) => one.case);
  await playAll(client, cases, ({ name }, answered) => {
    results.set(name, answered);
    progress();
  });
  return results;
}

function report(score: Score): void {
  for (const line of scoreLines(score, { byKind: options.kinds, causes: Number(options.show) })) console.log(line);
  if (options.failing) for (const name of score.failing) console.log(name);
  const { total, failing, causes } = score;
  if (options.json !== undefined)
    writeFileSync(options.json, JSON.stringify({ total, kinds: Object.fromEntries(score.kinds), failing, causes }));
  for (const name of failing) if (intended.has(name)) console.log(`${name} differs on purpose: ${intended.get(name)}`);
  const failed = failing.filter((name) => !intended.has(name)).length;
  console.log(`\n${total.total - failed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}

/** A line every two seconds. */
function progressOf(what: string, total: number): () => void {
  const started = performance.now();
  let [done, shown] = [0, started];
  return () => {
    done++;
    const now = performance.now();
    if (now - shown < 2000 && done < total) return;
    shown = now;
    console.error(`  ${done} of ${total} ${what} after ${Math.round((now - started) / 1000)} s`);
  };
}
