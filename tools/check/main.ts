// npm run check [ROOT]: the rules of the house that neither the compiler nor the linter knows.
import { join } from 'node:path';
import { breadcrumbsInGrammar } from './breadcrumbs.ts';
import { fileShape } from './file-shape.ts';
import { importsGoDown, noCycles, noFolderCycles, noImportOfHttp, noNodeInNeutralFolders } from './layers.ts';
import { leavesAreListedOnce, leavesStandAlone } from './leaves.ts';
import { noModuleState } from './module-state.ts';
import { oneSpelling } from './spelling.ts';
import { noSpreadIntoPush } from './spreads.ts';
import { readSources } from './sources.ts';
import type { Rule, Violation } from './sources.ts';
import { suitesAreListed } from './suites.ts';
import { testSupportApart } from './test-support.ts';

const rules: Readonly<Record<string, Rule>> = {
  layers: importsGoDown,
  cycles: noCycles,
  'folder-cycles': noFolderCycles,
  'leaves-alone': leavesStandAlone,
  'leaves-listed': leavesAreListedOnce,
  'runtime-neutral': noNodeInNeutralFolders,
  'http-import': noImportOfHttp,
  'module-state': noModuleState,
  'file-shape': fileShape,
  spreads: noSpreadIntoPush,
  'test-support': testSupportApart,
  breadcrumbs: breadcrumbsInGrammar,
  spelling: oneSpelling,
};

export function check(root: string): { files: number; violations: (Violation & { rule: string })[] } {
  const sources = readSources(root);
  const listed = [...suitesAreListed(root, sources)].map((violation) => ({ ...violation, rule: 'suites' }));
  const violations = Object.entries(rules).flatMap(([name, rule]) => [...rule(sources)].map((violation) => ({ ...violation, rule: name })));
  return { files: sources.length, violations: [...violations, ...listed] };
}

if (import.meta.main) {
  const { files, violations } = check(process.argv[2] ?? join(import.meta.dirname, '../..'));
  for (const { path, line, message, rule } of violations) console.error(`${path}:${line}: ${message} [${rule}]`);
  console.log(`check: ${files} files, ${violations.length} violations`);
  process.exitCode = violations.length === 0 ? 0 : 1;
}
