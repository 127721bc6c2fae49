// Upstream: k8s.io/apiserver/pkg/admission/plugin/policy/mutating/reinvocationcontext.go
import { deepCopy } from '../../machinery/deep-copy.ts';
import { deepEqual } from '../../machinery/deep-equal.ts';
import type { ReinvocationContext } from '../../server/admission/admission.ts';
import type { KubeObject } from '../../server/registry/definition.ts';

/** What policies did when they were first invoked, to know which to invoke again. */
export class PolicyReinvocation {
  #lastOutput: KubeObject | undefined;
  #applied = new Set<string>();
  readonly #again = new Set<string>();

  /** Whether the object was changed since policies were done with it. */
  isChangedSince(object: KubeObject | undefined): boolean {
    return !deepEqual(this.#lastOutput, object);
  }

  finished(object: KubeObject | undefined): void {
    this.#lastOutput = object && deepCopy(object);
  }

  /** A policy that is to see later changes was applied. */
  applied(key: string): void {
    this.#applied.add(key);
  }

  /** Those that were applied so far have to see what has changed since. */
  changed(): void {
    for (const key of this.#applied) this.#again.add(key);
    this.#applied = new Set();
  }

  isDue(key: string): boolean {
    return this.#again.has(key);
  }
}

/** One record per request. */
export class PolicyReinvocations {
  readonly #known = new WeakMap<ReinvocationContext, PolicyReinvocation>();

  of(context: ReinvocationContext): PolicyReinvocation {
    let known = this.#known.get(context);
    if (known === undefined) this.#known.set(context, (known = new PolicyReinvocation()));
    return known;
  }
}
