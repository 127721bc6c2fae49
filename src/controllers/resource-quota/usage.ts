// Upstream: k8s.io/apiserver/pkg/quota/v1/resources.go#CalculateUsage
import type { Steps } from '../../base/steps.ts';
import { Quantity } from '../../machinery/quantity.ts';
import type { ResourceQuota } from '../../schema/types/core-v1.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import type { Evaluator } from '../../apis/common/quota/evaluators.ts';
import { scopesOf } from '../../apis/common/quota/scopes.ts';

/** Objects of one resource in a namespace, and how they count. */
export interface Counted {
  readonly evaluator: Evaluator;
  objects(): Iterable<KubeObject>;
}

/** A namespace may have any number of objects: others get their turn after so many. */
const objectsInStep = 256;

/** What the objects of a namespace take of what the quota limits; only what one of these resources can take is in it. */
export function* usageOf(quota: Pick<ResourceQuota, 'spec'>, counted: Iterable<Counted>, now: number): Steps<Map<string, Quantity>> {
  const limited = Object.keys(quota.spec.hard ?? {});
  const scopes = scopesOf(quota);
  const used = new Map<string, Quantity>();
  for (const { evaluator, objects } of counted) {
    const names = limited.filter((name) => evaluator.evaluates(name));
    if (names.length === 0) continue;
    for (const name of names) if (!used.has(name)) used.set(name, Quantity.of(0));
    let count = 0;
    for (const object of objects()) {
      if (++count % objectsInStep === 0) yield;
      if (!scopes.every((scope) => evaluator.matchesScope(scope, object))) continue;
      const usage = evaluator.usage(object, now);
      for (const name of names) {
        const more = usage.get(name);
        if (more !== undefined) used.set(name, (used.get(name) as Quantity).add(more));
      }
    }
  }
  return used;
}
