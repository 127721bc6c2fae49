/**
 * npm run conformance [-- SUITE ...]    runs suites of others, or those named, one after the other; all output goes to a log of its own
 *   --list          what there is, what it needs, and what it said last
 *   --folder DIR    long suites keep their verdicts there, and go on from them
 * What was counted is kept in results.json here, and docs/reference/compatibility.md is made of it.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { countIn, keepResult, readResults } from './results.ts';
import type { ConformanceSuite } from './suites.ts';
import { conformanceSuites } from './suites.ts';

const { values, positionals: names } = parseArgs({
  allowPositionals: true,
  options: { list: { type: 'boolean', default: false }, folder: { type: 'string' } },
});
const unknown = names.filter((name) => !conformanceSuites.some((suite) => suite.name === name));
if (unknown.length > 0) throw new Error(`no suite is called ${unknown.join(', ')}: npm run conformance -- --list`);
const chosen = conformanceSuites.filter(({ name }) => names.length === 0 || names.includes(name));

if (values.list) {
  const results = readResults();
  for (const { name, of, needs } of chosen) {
    const { date = 'never', passed = 0, failed = 0 } = results[name] ?? {};
    console.log(`${name.padEnd(24)} ${of.padEnd(24)} needs ${needs.padEnd(14)} ${passed} passed, ${failed} failed, ${date}`);
  }
} else {
  const logs = mkdtempSync(join(tmpdir(), 'wheelhouse-conformance-'));
  let [passed, failed] = [0, 0];
  for (const suite of chosen) {
    if (await run(suite, join(logs, `${suite.name.replaceAll(/[^a-z0-9]+/gi, '-')}.log`))) passed++;
    else failed++;
  }
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}

/** True: the suite says that all is as it should be. */
async function run(suite: ConformanceSuite, log: string): Promise<boolean> {
  console.log(`${suite.name}: npm run ${suite.script}, log in ${log}`);
  const started = performance.now();
  const output = createWriteStream(log);
  const folder = suite.goesOn && values.folder !== undefined ? ['--folder', join(values.folder, suite.script.replace(':', '-'))] : [];
  const child = spawn('npm', ['run', '--silent', suite.script, '--', ...(suite.parameters ?? []), ...folder], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.pipe(output, { end: false });
  child.stderr.pipe(output, { end: false });
  const progress = setInterval(() => console.log(`  ${Math.round((performance.now() - started) / 1000)} s`), 30_000);
  const [code] = (await once(child, 'close')) as [number | null];
  clearInterval(progress);
  output.end();
  await once(output, 'finish');
  const seconds = (performance.now() - started) / 1000;
  const counted = countIn(await readFile(log, 'utf8'), suite.count);
  if (counted === undefined) {
    console.log(`  ended with ${code} and counted nothing`);
    return false;
  }
  keepResult(suite, counted, seconds);
  console.log(`  ${counted.passed} passed, ${counted.failed} failed, ended with ${code} after ${Math.round(seconds)} s`);
  return code === 0;
}
