import { checkDns1123Label } from '../../../machinery/names.ts';

/** Pods take their name from the object: one that is no label surprises. */
export function podNameWarnings(name: string | undefined): string[] {
  const problems = checkDns1123Label(name ?? '');
  if (problems.length === 0) return [];
  const advice = 'this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended';
  return [`metadata.name: ${advice}: [${problems.join(' ')}]`];
}
