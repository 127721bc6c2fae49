import type { Case } from './case.ts';
import { fullestCases } from './fullest.ts';
import { kindCases } from './kinds.ts';

/** What is hunted, by area. */
export const areas: Readonly<Record<string, () => readonly Case[]>> = {
  fullest: () => fullestCases,
  kinds: () => kindCases(),
};
