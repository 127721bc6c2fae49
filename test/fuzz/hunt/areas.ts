import type { Case } from './case.ts';
import { combinedCases } from './combined.cases.ts';
import { crowdedCases } from './crowded.cases.ts';
import { fullestCases } from './fullest.ts';
import { grammarCases } from './grammars.cases.ts';
import { kindCases } from './kinds.ts';
import { populousCases } from './populous.cases.ts';
import { schemaCases } from './schemas.cases.ts';
import { tenantCases } from './tenant.cases.ts';
import { accessCases, codecCases, customCases, patchCases, readCases } from './requests.cases.ts';

/** What is hunted, by area. */
export const areas: Readonly<Record<string, () => readonly Case[]>> = {
  fullest: () => fullestCases,
  codecs: () => codecCases,
  patches: () => patchCases,
  reads: () => readCases,
  access: () => accessCases,
  custom: () => customCases,
  schemas: () => schemaCases,
  combined: () => combinedCases,
  crowded: () => crowdedCases,
  tenant: () => tenantCases,
  grammars: () => grammarCases,
  kinds: () => kindCases(),
  populous: () => (process.argv.includes('--dressed') ? populousCases : []),
};
