// Upstream: k8s.io/kube-openapi/pkg/validation/validate/schema_props.go
import { goQuote } from '../../machinery/go-format.ts';
import type { JSONSchemaProps } from '../../schema/types/apiextensions-v1.ts';
import type { Check } from './compile.ts';
import { remark } from './faults.ts';
import type { Faults, Run } from './run.ts';

interface Outcome {
  readonly faults: Faults;
  readonly matches: number;
}

/** anyOf, oneOf, allOf and not. */
export function compileCombination(schema: JSONSchemaProps, compile: (schema: JSONSchemaProps) => Check): Check {
  const anyOf = (schema.anyOf ?? []).map(compile);
  const oneOf = (schema.oneOf ?? []).map(compile);
  const allOf = (schema.allOf ?? []).map(compile);
  const not = schema.not && compile(schema.not);
  if (anyOf.length === 0 && oneOf.length === 0 && allOf.length === 0 && not === undefined) return () => 1;
  return (run, value, old) => {
    let matches = 1;
    const outcomeOf = (check: Check): Outcome => run.compare(() => check(run, value, old));
    if (anyOf.length > 0) matches += checkAny(run, anyOf, outcomeOf);
    if (oneOf.length > 0) matches += checkOne(run, oneOf, outcomeOf);
    if (allOf.length > 0) matches += checkAll(run, allOf, outcomeOf);
    if (not !== undefined && outcomeOf(not).faults.isEmpty)
      run.add(() => remark(`${goQuote(run.path)} must not validate the schema (not)`));
    return matches;
  };
}

type OutcomeOf = (check: Check) => Outcome;

function checkAny(run: Run, checks: readonly Check[], outcomeOf: OutcomeOf): number {
  let best: Outcome | undefined;
  for (const check of checks) {
    const outcome = outcomeOf(check);
    if (outcome.faults.isEmpty) return outcome.matches;
    if (best === undefined || outcome.matches > best.matches) best = outcome;
  }
  run.add(() => remark(`${goQuote(run.path)} must validate at least one schema (anyOf)`));
  if (best !== undefined) run.addAll(best.faults);
  return best?.matches ?? 0;
}

function checkOne(run: Run, checks: readonly Check[], outcomeOf: OutcomeOf): number {
  const outcomes = checks.map(outcomeOf);
  const valid = outcomes.filter(({ faults }) => faults.isEmpty);
  if (valid.length === 1) return (valid[0] as Outcome).matches;
  const found = valid.length === 0 ? 'Found none valid' : `Found ${valid.length} valid alternatives`;
  run.add(() => remark(`${goQuote(run.path)} must validate one and only one schema (oneOf). ${found}`));
  if (valid.length > 0) return 0;
  let best = outcomes[0] as Outcome;
  for (const outcome of outcomes) if (outcome.matches > best.matches) best = outcome;
  run.addAll(best.faults);
  return best.matches;
}

function checkAll(run: Run, checks: readonly Check[], outcomeOf: OutcomeOf): number {
  let matches = 0;
  let valid = 0;
  for (const check of checks) {
    const outcome = outcomeOf(check);
    matches += outcome.matches;
    if (outcome.faults.isEmpty) valid++;
    run.addAll(outcome.faults);
  }
  if (valid < checks.length) {
    run.add(() => remark(`${goQuote(run.path)} must validate all the schemas (allOf)${valid === 0 ? '. None validated' : ''}`));
  }
  return matches;
}
