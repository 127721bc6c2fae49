import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { kubernetesRelease } from '../../tools/kubernetes-release.ts';
import type { ConformanceSuite, Count } from './suites.ts';
import { conformanceSuites } from './suites.ts';

export interface SuiteResult {
  /** the day of the run */
  readonly date: string;
  /** of Kubernetes */
  readonly release: string;
  readonly passed: number;
  readonly failed: number;
  readonly seconds: number;
}

export type Results = Record<string, SuiteResult>;

const root = join(import.meta.dirname, '../..');
const file = join(import.meta.dirname, 'results.json');
const page = join(root, 'docs/reference/compatibility.md');

export const readResults = (): Results => (existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Results) : {});

export function keepResult(
  { name }: ConformanceSuite,
  counted: { readonly passed: number; readonly failed: number },
  seconds: number,
): void {
  const date = new Date().toISOString().slice(0, 10);
  const results = { ...readResults(), [name]: { date, release: kubernetesRelease.version, ...counted, seconds: Math.round(seconds) } };
  writeFileSync(file, `${JSON.stringify(results, undefined, 2)}\n`);
  writeFileSync(page, compatibilityPage(results));
}

/** What a suite has said of itself; undefined where no line of its output counts anything. */
export function countIn(output: string, { line, adds = false }: Count): { passed: number; failed: number } | undefined {
  const counted: { passed: number; failed: number }[] = [];
  for (const text of output.split('\n')) {
    const groups = line.exec(text)?.groups;
    if (groups === undefined) continue;
    const { passed = '0', failed = '0', total } = groups;
    counted.push({ passed: Number(passed), failed: total === undefined ? Number(failed) : Number(total) - Number(passed) });
  }
  if (!adds) return counted.at(-1);
  return counted.length === 0
    ? undefined
    : counted.reduce((sum, one) => ({ passed: sum.passed + one.passed, failed: sum.failed + one.failed }));
}

/** Suites in the order of their list; what was never run says so. */
export function compatibilityPage(results: Results): string {
  const rows = conformanceSuites.map(({ name, of, script, parameters = [], needs, count }) => {
    const { date = 'not run yet', release = '', passed, failed } = results[name] ?? {};
    const command = ['npm run', script, ...(parameters.length > 0 ? ['--', ...parameters] : [])].join(' ');
    const figures = passed === undefined ? '' : `${passed} of ${passed + (failed ?? 0)} ${count.unit}`;
    return `| ${name} | ${of} | ${figures} | ${release} | ${date} | \`${command}\` | ${needs} |`;
  });
  return [
    '# Compatibility',
    '',
    'What suites of others, and comparisons with upstream, said when they were last run. `npm run conformance -- NAME` runs one and writes this page; what differs is in its log.',
    'A case counts as passed when ours does what upstream did in the same run, or in the recorded one.',
    '',
    '| suite | of | as upstream | Kubernetes | run | command | needs |',
    '|---|---|---|---|---|---|---|',
    ...rows,
    '',
    "Not here yet: upstream's own integration and e2e tests, kubectl's shell suite and helm's.",
    '',
  ].join('\n');
}
