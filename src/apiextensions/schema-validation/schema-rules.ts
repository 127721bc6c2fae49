// Upstream: k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/{validation,cel_validation}.go
import type { Steps } from '../../base/steps.ts';
import { append } from '../../machinery/append.ts';
import { staticRuleLimit, staticSchemaLimit } from '../../cel/kubernetes/environments.ts';
import type { Cardinality } from '../../cel/kubernetes/rule-costs.ts';
import { costExceededMessage, totalRuleCost } from '../../cel/kubernetes/rule-costs.ts';
import { ruleCompiler, selfTypeName } from '../../cel/kubernetes/rules.ts';
import type { OpenApiSchema } from '../../cel/schema-types.ts';
import { schemaType } from '../../cel/schema-types.ts';
import type { FieldError, FieldPath } from '../../machinery/field.ts';
import { forbidden, internalError, invalid } from '../../machinery/field.ts';
import type { JSONSchemaProps } from '../../schema/types/apiextensions-v1.ts';
import { ruleValue } from './internal-form.ts';

const mostExpensiveCount = 4;

/** Where in a schema rules stand. */
export interface RulePlace {
  readonly path: FieldPath;
  readonly isRoot: boolean;
  /** how often a value of the node can occur in an object */
  readonly cardinality: Cardinality;
  /** the part of the schema in which old and new values cannot be matched */
  readonly uncorrelatable: FieldPath | undefined;
}

/** Compiles the rules of a schema, and adds up what they may cost. */
export class SchemaRules {
  readonly #known: ReadonlySet<string>;
  readonly #toleratesCosts: boolean;
  readonly #expensive: { readonly path: FieldPath; readonly cost: number }[] = [];
  #total = 0;

  constructor(known: ReadonlySet<string>, toleratesCosts: boolean) {
    this.#known = known;
    this.#toleratesCosts = toleratesCosts;
  }

  get totalCost(): number {
    return this.#total;
  }

  /** The rules that cost most, if they cost anything worth telling. */
  get mostExpensive(): readonly FieldPath[] {
    return this.#expensive
      .toSorted((a, b) => b.cost - a.cost)
      .slice(0, mostExpensiveCount)
      .map(({ path }) => path);
  }

  *validate(schema: JSONSchemaProps, { path, isRoot, cardinality, uncorrelatable }: RulePlace): Steps<FieldError[]> {
    const rules = schema['x-kubernetes-validations'] ?? [];
    const node = schema as OpenApiSchema;
    const at = path.child('x-kubernetes-validations');
    const type = schemaType(node, selfTypeName, isRoot || schema['x-kubernetes-embedded-resource'] === true);
    if (type === undefined) {
      const cause = 'unable to convert structural schema to CEL declarations';
      const what = 'internal error: failed to construct type information for x-kubernetes-validations rules';
      return [internalError(at, `${what}: ${cause}`)];
    }
    const errors: FieldError[] = [];
    const compile = ruleCompiler(node, type);
    for (const [i, rule] of rules.entries()) {
      yield;
      const result = yield* compile(rule, this.#known.has(rule.rule) ? 'stored' : 'new');
      const rulePath = at.index(i).child('rule');
      const messagePath = at.index(i).child('messageExpression');
      append(errors, this.#observe('estimated rule cost', rulePath, totalRuleCost(result, cardinality)));
      if (result.error !== undefined) errors.push(invalid(rulePath, ruleValue(rule), result.error));
      if (result.messageError !== undefined) errors.push(invalid(messagePath, ruleValue(rule), result.messageError));
      else if (result.messageProgram !== undefined)
        append(errors, this.#observe('estimated messageExpression cost', messagePath, result.messageMaxCost));
      if (result.usesOldSelf) {
        if (uncorrelatable !== undefined) {
          const message = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelatable.toString()}`;
          errors.push(invalid(rulePath, rule.rule, message));
        }
      } else if (rule.optionalOldSelf !== undefined) {
        const message = 'may not be set if oldSelf is not used in rule';
        errors.push(invalid(at.index(i).child('optionalOldSelf'), rule.optionalOldSelf, message));
      }
    }
    return errors;
  }

  #observe(what: string, path: FieldPath, cost: number): FieldError[] {
    this.#total += cost;
    if (cost >= staticSchemaLimit / 100) this.#expensive.push({ path, cost });
    if (this.#toleratesCosts || cost <= staticRuleLimit) return [];
    return [forbidden(path, costExceededMessage(what, cost, staticRuleLimit))];
  }
}
