import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { corpusGroup } from './corpus.ts';
import { ruleGroups } from './rule-cases.ts';
import { staticCostGroups } from './static-cost-cases.ts';
import { digest, ruleKey, verdict } from './verdicts.ts';

test('verdicts on rules equal those recorded from a real server', () => {
  const recorded = JSON.parse(readFileSync(new URL('recorded/verdicts.json', import.meta.url), 'utf8')) as Record<string, string>;
  const groups = [corpusGroup(600), ...ruleGroups, ...staticCostGroups];
  const different: string[] = [];
  let compared = 0;
  for (const [g, group] of groups.entries()) {
    for (const rule of group.rules) {
      const theirs = recorded[ruleKey(g, rule)];
      compared++;
      if (theirs !== digest(verdict(group, rule))) different.push(`${rule}: ${theirs ?? 'not recorded'}`);
    }
  }
  assert.deepEqual(different, []);
  assert.ok(compared > 3_000);
});
