// Upstream: k8s.io/apiserver/pkg/admission/plugin/policy/mutating/dispatcher.go
import { deepEqual } from '../../machinery/deep-equal.ts';
import type { GroupVersionKind } from '../../machinery/type-model.ts';
import type { Shapes } from '../../patch/apply/shape.ts';
import type { AdmissionFamilies } from '../../server/admission/admission-families.ts';
import { conditionsObserver, policyErrorType } from '../../server/admission/admission-families.ts';
import type { AdmissionAttributes, ReinvocationContext } from '../../server/admission/admission.ts';
import { OutOfBudgetError } from '../../server/admission/expressions/evaluation.ts';
import { requestKind } from '../../server/admission/matching/endpoint-kind.ts';
import type { Match } from '../../server/admission/matching/match-criteria.ts';
import { storageObject, versionedObject } from '../../server/admission/matching/versioned-object.ts';
import type { Authorizer } from '../../server/request/authorizer.ts';
import type { ObjectReader } from '../../server/registry/object-reader.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import type { VersionedKind } from '../../server/object/versioned-kind.ts';
import { PolicyInputs } from '../common/policies/policy-inputs.ts';
import { MutationError } from './mutation.ts';
import type { MutatingInvocation } from './plugin.ts';
import type { PolicyReinvocation } from './policy-reinvocation.ts';

export interface InvokerOptions {
  readonly metrics: AdmissionFamilies;
  readonly reader: ObjectReader;
  readonly authorizer: Authorizer;
  readonly versionedKindOf: (kind: GroupVersionKind) => VersionedKind;
  readonly shapes: Shapes;
}

export interface FailedInvocation {
  readonly invocation: MutatingInvocation;
  readonly error: Error;
}

/** Applies the mutations of policies to the object of a request, in order. */
export class Invoker {
  readonly #options: InvokerOptions;

  constructor(options: InvokerOptions) {
    this.#options = options;
  }

  /** Changes `attributes.object`. Failures are returned; what is the server's own fault is thrown. */
  async invoke(
    all: readonly MutatingInvocation[],
    attributes: AdmissionAttributes,
    context: ReinvocationContext,
    memory: PolicyReinvocation,
  ): Promise<FailedInvocation[]> {
    if (context.isReinvoke && memory.isChangedSince(attributes.object)) memory.changed();
    const failed: FailedInvocation[] = [];
    let isWritten = false;
    const base = await PolicyInputs.of(attributes, this.#options.authorizer, this.#options.reader);
    for (const invocation of all) {
      const { policy, match } = invocation;
      const before = versionedObject(attributes.object, match);
      const inputs = { ...base.at(match), object: before, params: bareParam(invocation), variables: policy.evaluator.variables };
      // A quirk kept: upstream counts conditions of these policies, too, as of validation.
      const of = [policy.object.metadata.name ?? '', 'policy', 'validate', attributes.operation] as const;
      const conditions = await policy.evaluator.conditions.evaluate(() => inputs, conditionsObserver(this.#options.metrics, of));
      if ('error' in conditions) failed.push({ invocation, error: new MutationError(conditions.error) });
      if ('error' in conditions || !conditions.matches) continue;
      const key = keyOf(invocation);
      if (context.isReinvoke && !memory.isDue(key)) continue;
      const after = before && (await this.#mutate(invocation, before, attributes, inputs, failed));
      if (after !== undefined) {
        attributes.object = storageObject(after, match, attributes);
        isWritten = true;
        if (!deepEqual(before, after)) memory.changed();
      }
      if (policy.object.spec.reinvocationPolicy === 'IfNeeded') memory.applied(key);
    }
    // A quirk kept: what a mutation has written counts as changed here even if it is the same as before.
    if (isWritten) {
      memory.changed();
      context.setShouldReinvoke();
    }
    memory.finished(attributes.object);
    return failed;
  }

  /** undefined: nothing was written. */
  async #mutate(
    invocation: MutatingInvocation,
    before: KubeObject,
    attributes: AdmissionAttributes,
    inputs: Parameters<MutatingInvocation['policy']['evaluator']['mutations'][number]['apply']>[0],
    failed: FailedInvocation[],
  ): Promise<KubeObject | undefined> {
    const versionedKind = this.#versionedKind(invocation.match);
    const isForeign = invocation.match.kind.group !== invocation.match.resource.group;
    const { shapes } = this.#options;
    let object: KubeObject | undefined;
    for (const mutation of invocation.policy.evaluator.mutations) {
      const began = performance.now();
      try {
        const current = object ?? before;
        const changed = await mutation.apply({ ...inputs, object: current }, { object: current, versionedKind, isForeign, shapes });
        requireVersion(changed, versionedKind, requestKind(attributes));
        object = changed;
        this.#count(invocation, began, 'no_error');
      } catch (error) {
        if (!(error instanceof MutationError || error instanceof OutOfBudgetError)) throw error;
        this.#count(invocation, began, policyErrorType(error.message));
        failed.push({ invocation, error });
      }
    }
    return object;
  }

  #count({ policy, binding }: MutatingInvocation, began: number, error: string): void {
    const { mutations, mutationSeconds } = this.#options.metrics;
    const labels = [policy.object.metadata.name ?? '', binding.metadata.name ?? '', error] as const;
    mutations.with(...labels).inc();
    mutationSeconds.with(...labels).observe((performance.now() - began) / 1000);
  }

  #versionedKind({ resource, version, kind }: Match): VersionedKind {
    const own = kind.kind === resource.kind ? resource.versions.get(version) : undefined;
    return own ?? this.#options.versionedKindOf(kind);
  }
}

/** A fault kept: what was matched in another version than the request's is not converted back, so no mutation of it succeeds. */
function requireVersion({ kind }: KubeObject, { profile, group, version }: VersionedKind, requested: GroupVersionKind): void {
  if (!profile.isTyped || (requested.version === version && requested.group === group)) return;
  throw new MutationError(`converting (${version}.${kind}) to (${requested.version}.${requested.kind}): unknown conversion`);
}

/** A quirk kept: of built-in kinds upstream has parameters without their kind here, though validating policies see it. */
function bareParam({ param, paramsOf }: MutatingInvocation): unknown {
  if (param === undefined || paramsOf?.resource.storage.profile.isTyped === false) return param;
  const { kind: _kind, apiVersion: _apiVersion, ...rest } = param;
  return rest;
}

function keyOf({ policy, binding, param }: MutatingInvocation): string {
  const { name = '', namespace = '' } = param?.metadata ?? {};
  return [policy.object.metadata.name, binding.metadata.name, namespace, name].join('/');
}
