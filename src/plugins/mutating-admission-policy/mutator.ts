// Upstream: k8s.io/apiserver/pkg/admission/plugin/policy/mutating/compilation.go
import type { MutatingAdmissionPolicySpec } from '../../schema/types/admissionregistration-v1.ts';
import type { CompiledExpression } from '../../cel/kubernetes/expression-compiler.ts';
import { AdmissionCompiler } from '../../cel/kubernetes/expression-compiler.ts';
import { MatchConditions } from '../../server/admission/expressions/match-conditions.ts';
import { Mutation } from './mutation.ts';

/** The expressions of one policy, compiled. */
export class Mutator {
  readonly variables: ReadonlyMap<string, CompiledExpression>;
  readonly conditions: MatchConditions;
  readonly mutations: readonly Mutation[];

  constructor({ paramKind, variables, matchConditions, mutations, failurePolicy }: MutatingAdmissionPolicySpec) {
    const compiler = new AdmissionCompiler({ hasParams: paramKind !== undefined, hasVariables: true });
    this.variables = new Map((variables ?? []).map(({ name, expression }) => [name, compiler.define(name, expression, 'stored')]));
    this.conditions = new MatchConditions(matchConditions, failurePolicy, compiler);
    this.mutations = (mutations ?? []).map((mutation) => new Mutation(mutation, compiler));
  }
}
