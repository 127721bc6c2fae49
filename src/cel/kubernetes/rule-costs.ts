// Upstream: k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/{validation,cel_validation}.go

import { toFixed } from '../decimal.ts';
import { unbounded } from '../cost-model.ts';
import type { OpenApiSchema } from '../schema-types.ts';
import type { CompiledRule } from './rules.ts';

/** How often values of a schema node can occur in one object; undefined when nothing bounds it. */
export type Cardinality = number | undefined;

/** Cardinality of what a list or map holds. */
export function childCardinality(parent: Cardinality, schema: OpenApiSchema): Cardinality {
  if (parent === undefined) return undefined;
  if (schema.type === 'array') return multiply(parent, schema.maxItems);
  if (schema.type === 'object' && typeof schema.additionalProperties === 'object') return multiply(parent, schema.maxProperties);
  return parent;
}

/** A limit may be any int64, and is a bigint beyond 2^53. */
const multiply = (count: number, limit: number | bigint | undefined): Cardinality =>
  limit === undefined ? undefined : Math.min(count * Math.max(Number(limit), 0), unbounded);

/** The static cost of a rule in its place: per evaluation, times how often it can run. */
export function totalRuleCost(rule: CompiledRule, cardinality: Cardinality): number {
  return Math.min(rule.maxCost * (cardinality ?? rule.maxCardinality), unbounded);
}

export function costExceededMessage(costName: string, cost: number, limit: number): string {
  const factor = cost / limit;
  const shown = factor > 100 ? 'more than 100x' : `${toFixed(factor, factor < 1.5 ? 6 : 1)}x`;
  return `${costName} exceeds budget by factor of ${shown} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;
}
