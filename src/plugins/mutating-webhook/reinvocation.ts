// Upstream: apiserver/pkg/admission/plugin/webhook/mutating/reinvocationcontext.go
import { deepCopy } from '../../machinery/deep-copy.ts';
import { deepEqual } from '../../machinery/deep-equal.ts';
import type { Rounds } from '../../server/admission/admission.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import type { Webhook } from '../common/webhooks/webhook.ts';

/** Which webhooks are asked again about a request, because its object has changed since they saw it. */
export class Reinvocation {
  readonly #rounds: Rounds;
  readonly #again = new Set<Webhook>();
  /** those that want to know of changes, and have seen all so far */
  #informed = new Set<Webhook>();
  #left: KubeObject | undefined;

  constructor(rounds: Rounds) {
    this.#rounds = rounds;
  }

  get round(): number {
    return this.#rounds.isSecond ? 1 : 0;
  }

  begin(object: KubeObject | undefined): void {
    // Between the rounds only other plugins can have changed it.
    if (this.#rounds.isSecond && !deepEqual(this.#left, object)) this.#requireAgain();
  }

  end(object: KubeObject | undefined): void {
    // nobody is asked again whatever changes
    if (this.#informed.size > 0) this.#left = deepCopy(object);
  }

  /** In the second round only those are asked that were asked in the first, and want to. */
  isAsked(webhook: Webhook): boolean {
    return !this.#rounds.isSecond || this.#again.has(webhook);
  }

  asked(webhook: Webhook): void {
    if (webhook.spec.reinvocationPolicy === 'IfNeeded') this.#informed.add(webhook);
  }

  changed(): void {
    this.#requireAgain();
    this.#rounds.wantSecond();
  }

  #requireAgain(): void {
    for (const webhook of this.#informed) this.#again.add(webhook);
    this.#informed = new Set();
  }
}
