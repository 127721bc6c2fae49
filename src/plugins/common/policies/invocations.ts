// Upstream: k8s.io/apiserver/pkg/admission/plugin/policy/generic/policy_dispatcher.go
import { inSlices } from '../../../base/slices.ts';
import type { AdmissionAttributes } from '../../../server/admission/admission.ts';
import type { Candidate } from '../../../server/admission/matching/endpoint-index.ts';
import { requestNamespace } from '../../../server/admission/matching/endpoint-kind.ts';
import type { Match } from '../../../server/admission/matching/match-criteria.ts';
import type { Matcher } from '../../../server/admission/matching/matcher.ts';
import type { ObjectReader } from '../../../server/registry/object-reader.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import type { ParamResource, Params } from './params.ts';
import { collectParams, paramResource } from './params.ts';
import type { BindingObject, Policy, PolicyObject } from './policy-source.ts';

/** A policy that a binding applies to a request with one parameter. */
export interface Invocation<P extends PolicyObject, B extends BindingObject, E> {
  readonly policy: Policy<P, B, E>;
  readonly binding: B;
  readonly match: Match;
  readonly param: KubeObject | undefined;
  readonly paramsOf: ParamResource | undefined;
}

/** A policy that is for the request but cannot be applied as it stands. */
export interface Misconfiguration<P extends PolicyObject, B extends BindingObject, E> {
  readonly policy: Policy<P, B, E>;
  /** undefined: the policy itself is at fault */
  readonly binding: B | undefined;
  readonly error: Error;
}

export interface InvocationContext {
  readonly matcher: Matcher;
  readonly reader: ObjectReader;
}

/** Policies × bindings × parameters that are for the request. Others get their turn meanwhile: there may be many. */
export async function* invocations<P extends PolicyObject, B extends BindingObject, E>(
  candidates: readonly Candidate<Policy<P, B, E>>[],
  attributes: AdmissionAttributes,
  { matcher, reader }: InvocationContext,
): AsyncGenerator<Invocation<P, B, E> | Misconfiguration<P, B, E>> {
  for (const { item: policy, at } of candidates) {
    const match = await settle(matcher.match(policy.criteria, at, attributes));
    if (match === undefined) continue;
    if (match instanceof Error) {
      yield { policy, binding: undefined, error: match };
      continue;
    }
    const { paramKind } = policy.object.spec;
    const paramsOf = await settle((async () => paramKind && paramResource(reader, paramKind))());
    if (paramsOf instanceof Error) {
      yield { policy, binding: undefined, error: paramsOf };
      continue;
    }
    for (const { item: bound, at: boundAt } of policy.bindings.candidates(attributes)) {
      const binding = bound.object;
      const bindingMatch = await settle(matcher.match(bound.criteria, boundAt, attributes));
      if (bindingMatch === undefined) continue;
      const params: Params | Error =
        bindingMatch instanceof Error
          ? bindingMatch
          : await settle(collectParams(paramsOf, binding.spec.paramRef, requestNamespace(attributes), reader));
      if (params instanceof Error) {
        yield { policy, binding, error: params };
        continue;
      }
      for await (const param of inSlices(params)) yield { policy, binding, match, param, paramsOf };
    }
  }
}

/** What is wrong with a policy is for its failure policy to judge. */
async function settle<T>(work: Promise<T>): Promise<T | Error> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  }
}
