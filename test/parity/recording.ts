import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { RecordedCase } from './case.ts';

export const recordedFolder = join(import.meta.dirname, 'recorded');

/** Files are read one at a time: all cases together are 40 MB of JSON. */
export function* readRecorded(folder = recordedFolder): Generator<RecordedCase> {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.jsonl.gz'))
    .toSorted();
  for (const file of files) {
    const text = gunzipSync(readFileSync(join(folder, file))).toString();
    for (const line of text.split('\n')) if (line !== '') yield JSON.parse(line) as RecordedCase;
  }
}

export function writeRecorded(folder: string, source: string, cases: readonly RecordedCase[]): void {
  mkdirSync(folder, { recursive: true });
  const sorted = cases.toSorted((a, b) => (a.case.name < b.case.name ? -1 : 1));
  const lines = sorted.map((recorded) => `${JSON.stringify(recorded)}\n`);
  writeFileSync(join(folder, `${source}.jsonl.gz`), gzipSync(lines.join(''), { level: 9 }));
}

export interface Selection {
  /** kinds (`Pod`, `apps/v1/Deployment`) and categories */
  readonly words?: readonly string[];
  /** part of the names of cases */
  readonly name?: string | undefined;
  /** an even sample that is always the same */
  readonly limit?: number | undefined;
}

export function select(cases: Iterable<RecordedCase>, { words = [], name: part = '', limit }: Selection): RecordedCase[] {
  const wanted = words.map((word) => word.toLowerCase());
  const chosen = [...cases].filter(({ case: { name, category, kind = '' } }) => {
    const lower = kind.toLowerCase();
    if (!name.includes(part)) return false;
    return wanted.length === 0 || wanted.some((word) => category === word || lower === word || lower.endsWith(`/${word}`));
  });
  if (limit === undefined || chosen.length <= limit) return chosen;
  return chosen.toSorted((a, b) => (order(a) < order(b) ? -1 : 1)).slice(0, limit);
}

const order = ({ case: { name } }: RecordedCase): string => createHash('sha1').update(name).digest('hex');
