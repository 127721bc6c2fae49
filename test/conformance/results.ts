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
  /** on upstream itself, where a suite says so */
  readonly upstream?: Figures;
}

export interface Figures {
  readonly passed: number;
  readonly failed: number;
}

export type Results = Record<string, SuiteResult>;

const root = join(import.meta.dirname, '../..');
const file = join(import.meta.dirname, 'results.json');
const page = join(root, 'docs/reference/compatibility.md');

export const readResults = (): Results => (existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Results) : {});

export function keepResult({ name }: ConformanceSuite, counted: Figures & { readonly upstream?: Figures }, seconds: number): void {
  const date = new Date().toISOString().slice(0, 10);
  const results = { ...readResults(), [name]: { date, release: kubernetesRelease.version, ...counted, seconds: Math.round(seconds) } };
  writeFileSync(file, `${JSON.stringify(results, undefined, 2)}\n`);
  writeFileSync(page, compatibilityPage(results));
}

/** What a suite has said of itself; undefined where no line of its output counts anything. */
export function countIn(output: string, { line, adds = false, upstream }: Count): (Figures & { readonly upstream?: Figures }) | undefined {
  const counted = figuresIn(output, line);
  const total = adds && counted.length > 0 ? counted.reduce(sum) : counted.at(-1);
  const theirs = upstream && figuresIn(output, upstream).at(-1);
  return total && { ...total, ...(theirs && { upstream: theirs }) };
}

const sum = (left: Figures, right: Figures): Figures => ({ passed: left.passed + right.passed, failed: left.failed + right.failed });

function figuresIn(output: string, line: RegExp): Figures[] {
  const counted: Figures[] = [];
  for (const text of output.split('\n')) {
    const groups = line.exec(text)?.groups;
    if (groups === undefined) continue;
    const { passed = '0', failed = '0', total } = groups;
    counted.push({ passed: Number(passed), failed: total === undefined ? Number(failed) : Number(total) - Number(passed) });
  }
  return counted;
}

/** Suites in the order of their list; what was never run says so. */
export function compatibilityPage(results: Results): string {
  const rows = conformanceSuites.map(({ name, of, script, parameters = [], needs, count }) => {
    const { date = 'not run yet', release = '', passed, failed, upstream } = results[name] ?? {};
    const command = ['npm run', script, ...(parameters.length > 0 ? ['--', ...parameters] : [])].join(' ');
    const figures = passed === undefined ? '' : `${passed} of ${passed + (failed ?? 0)} ${count.unit}`;
    const theirs = upstream === undefined ? '' : `${upstream.passed} of ${upstream.passed + upstream.failed}`;
    return `| ${name} | ${of} | ${figures} | ${theirs} | ${release} | ${date} | \`${command}\` | ${needs} |`;
  });
  return [
    '# Compatibility',
    '',
    'What suites of others, and comparisons with upstream, said when they were last run. `npm run conformance -- NAME` runs one and writes this page; what differs is in its log.',
    'A case counts as passed when ours does what upstream did in the same run, or in the recorded one. Of suites that upstream does not pass itself, here',
    'or for want of a container runtime and a network, only what it passes counts; how much that is stands beside it.',
    '',
    '| suite | of | as upstream | passed by upstream | Kubernetes | run | command | needs |',
    '|---|---|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}
