import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { User } from './player.ts';

/** Verdicts by user, in the order of the cases. */
export interface Recording {
  /** of the cases that were asked */
  readonly cases: string;
  readonly verdicts: Readonly<Record<User, readonly string[]>>;
}

const file = new URL('recorded/verdicts.gz', import.meta.url);
/** Verdicts are written as single characters from here on: there are few different ones. */
const firstCharacter = 48;

interface Written {
  readonly cases: string;
  readonly distinct: readonly string[];
  readonly verdicts: Readonly<Record<string, string>>;
}

export function readRecording(): Recording {
  const { cases, distinct, verdicts } = JSON.parse(gunzipSync(readFileSync(file)).toString()) as Written;
  const decoded = Object.entries(verdicts).map(([user, text]) => {
    return [user, Array.from(text, (character) => distinct[(character.codePointAt(0) as number) - firstCharacter])];
  });
  return { cases, verdicts: Object.fromEntries(decoded) as Recording['verdicts'] };
}

export function writeRecording({ cases, verdicts }: Recording): void {
  const distinct = [...new Set(Object.values(verdicts).flat())].toSorted();
  const encoded = Object.entries(verdicts).map(([user, list]) => {
    return [user, list.map((verdict) => String.fromCodePoint(firstCharacter + distinct.indexOf(verdict))).join('')];
  });
  const written: Written = { cases, distinct, verdicts: Object.fromEntries(encoded) as Written['verdicts'] };
  writeFileSync(file, gzipSync(JSON.stringify(written), { level: 9 }));
}
