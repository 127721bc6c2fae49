// Upstream: k8s.io/apiserver/pkg/admission/plugin/webhook/mutating/reinvocationcontext.go
import { deepCopy } from '../../machinery/deep-copy.ts';
import { deepEqual } from '../../machinery/deep-equal.ts';
import type { ReinvocationContext } from '../../server/admission/admission.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import type { Webhook } from '../common/webhooks/webhook.ts';

/** Which webhooks are called again for a request, because its object has changed since they saw it. */
export class Reinvocation {
  readonly #context: ReinvocationContext;
  readonly #again = new Set<Webhook>();
  /** those that want to know of changes, and have seen all so far */
  #informed = new Set<Webhook>();
  #left: KubeObject | undefined;

  constructor(context: ReinvocationContext) {
    this.#context = context;
  }

  get round(): number {
    return this.#context.isReinvoke ? 1 : 0;
  }

  begin(object: KubeObject | undefined): void {
    // Between the two invocations only other plugins can have changed it.
    if (this.#context.isReinvoke && !deepEqual(this.#left, object)) this.#requireAgain();
  }

  end(object: KubeObject | undefined): void {
    // no webhook is to be called again, whatever changes
    if (this.#informed.size > 0) this.#left = deepCopy(object);
  }

  /** When plugins are reinvoked, only webhooks that were called before and have the policy IfNeeded are called again. */
  isAsked(webhook: Webhook): boolean {
    return !this.#context.isReinvoke || this.#again.has(webhook);
  }

  asked(webhook: Webhook): void {
    if (webhook.spec.reinvocationPolicy === 'IfNeeded') this.#informed.add(webhook);
  }

  changed(): void {
    this.#requireAgain();
    this.#context.setShouldReinvoke();
  }

  #requireAgain(): void {
    for (const webhook of this.#informed) this.#again.add(webhook);
    this.#informed = new Set();
  }
}
