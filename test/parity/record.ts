import type { Case, RecordedCase, Result } from './case.ts';
import type { ParityClient } from './client.ts';
import { compare } from './comparison.ts';
import { playAll } from './play-all.ts';

export type Progress = (what: string, total: number) => () => void;

/** Asks once. Cases without a response are left out. */
export async function recordOnce(client: ParityClient, cases: readonly Case[], progressOf: Progress): Promise<RecordedCase[]> {
  const recorded: RecordedCase[] = [];
  const progress = progressOf('recorded', cases.length);
  await playAll(client, cases, (one, result) => {
    progress();
    if (!result.some(({ error }) => error !== undefined && !error.startsWith('client'))) recorded.push({ case: one, result });
  });
  return recorded;
}

/**
 * Asks again, and keeps what has the same response; differences of mere order are noted as such. What the same server does not repeat
 * is returned by name, with what differed.
 */
async function recordAgain(
  client: ParityClient,
  recorded: readonly RecordedCase[],
  progressOf: Progress,
): Promise<{ readonly kept: RecordedCase[]; readonly unstable: ReadonlyMap<string, string> }> {
  const second = new Map<string, readonly Result[]>();
  const progress = progressOf('asked again', recorded.length);
  const cases = recorded.map((one) => one.case);
  await playAll(client, cases, ({ name }, results) => {
    progress();
    second.set(name, results);
  });
  const unstable = new Map<string, string>();
  const kept = recorded.flatMap((one) => {
    const results = second.get(one.case.name) ?? [];
    if (compare(one, results).exact) return [one];
    const loose = compare({ ...one, unordered: true }, results);
    if (loose.exact) return [{ ...one, unordered: true }];
    unstable.set(one.case.name, loose.causes[0]?.cause ?? 'fewer answers');
    return [];
  });
  return { kept, unstable };
}

/** Asks several times: the order of two entries of a Go map is the same more often than not. */
export async function keepStable(
  client: ParityClient,
  recorded: readonly RecordedCase[],
  progressOf: Progress,
  most = 4,
): Promise<{ readonly kept: readonly RecordedCase[]; readonly unstable: ReadonlyMap<string, string> }> {
  let kept = recorded;
  const unstable = new Map<string, string>();
  for (let times = 0; times < most && kept.length > 0; times++) {
    const again = await recordAgain(client, kept, progressOf);
    kept = again.kept;
    for (const [name, why] of again.unstable) unstable.set(name, why);
  }
  return { kept, unstable };
}
