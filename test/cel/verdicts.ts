import { allSteps } from '../../src/base/steps.ts';
import { createHash } from 'node:crypto';
import { FieldPath } from '../../src/machinery/field.ts';
import { perCallLimit, runtimeBudget, staticRuleLimit } from '../../src/cel/kubernetes/environments.ts';
import { costExceededMessage, totalRuleCost } from '../../src/cel/kubernetes/rule-costs.ts';
import { compileSchemaRules } from '../../src/cel/kubernetes/rule-tree.ts';
import { compileRules, selfTypeName } from '../../src/cel/kubernetes/rules.ts';
import { schemaType } from '../../src/cel/schema-types.ts';
import type { RuleGroup } from './rule-cases.ts';

/** What becomes of a rule: refused when created, or true, false or an error when evaluated. */
export type Verdict = { readonly refused: string } | { readonly outcome: 'true' | 'false' } | { readonly error: string };

/** The name of the type of self carries a number upstream. */
export const normalize = (text: string): string => text.replaceAll(/selfType\d*/g, selfTypeName);

/** Our verdict on a rule of a group. */
export function verdict({ schema, value }: Pick<RuleGroup, 'schema' | 'value'>, rule: string): Verdict {
  const [compiled] = compileRules([{ rule }], schema, schemaType(schema, selfTypeName)!, 'new');
  if (compiled!.error !== undefined) return { refused: compiled!.error };
  const cost = totalRuleCost(compiled!, 1);
  if (cost > staticRuleLimit) return { refused: costExceededMessage('estimated rule cost', cost, staticRuleLimit) };
  const tree = compileSchemaRules({ ...schema, 'x-kubernetes-validations': [{ rule, message: 'r' }] }, false)!;
  const { failures } = allSteps(tree.validate({ path: FieldPath.root('spec'), value, budget: Math.max(runtimeBudget, perCallLimit) }));
  const [failure] = failures;
  if (!failure) return { outcome: 'true' };
  return failure.detail === 'r' ? { outcome: 'false' } : { error: failure.detail };
}

/** A short form for the record: true, false, or a digest of the text. */
export function digest(verdict: Verdict): string {
  if ('outcome' in verdict) return verdict.outcome;
  const [kind, text] = 'refused' in verdict ? ['refused', verdict.refused] : ['error', verdict.error];
  return `${kind}:${createHash('sha256').update(normalize(text)).digest('base64url').slice(0, 12)}`;
}

export const ruleKey = (group: number, rule: string): string =>
  createHash('sha256').update(`${group} ${rule}`).digest('base64url').slice(0, 10);
