// Upstream: k8s.io/pod-security-admission/admission/admission.go#EvaluatePodsInNamespace
import { controllerOf } from '../../machinery/object-meta.ts';
import type { Pod } from '../../schema/types/core-v1.ts';
import type { Clock } from '../../base/clock.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import { violations } from './evaluate.ts';
import type { LevelVersion } from './checks/level.ts';
import { showLevel } from './checks/level.ts';

type PodObject = Pod & KubeObject;

const maxPods = 3000;
const maxMs = 1000;

/** What a namespace's new level would have refused, as warnings: one line per kind of violation. */
export function warnAboutExisting(
  pods: Iterable<PodObject>,
  namespace: string,
  level: LevelVersion,
  exemptRuntimes: readonly string[],
  clock: Clock,
): string[] {
  const all = prioritized(pods, exemptRuntimes);
  const deadline = clock.now() + maxMs;
  const byReason = new Map<string, { first: string; count: number }>();
  let checked = 0;
  for (const { metadata, spec } of all.slice(0, maxPods)) {
    checked++;
    const reason = violations(level, { annotations: metadata.annotations ?? {}, spec })
      .map((violation) => violation.reason)
      .join(', ');
    if (reason !== '') {
      const name = metadata.name ?? '';
      const known = byReason.get(reason);
      byReason.set(reason, { first: known === undefined || name < known.first ? name : known.first, count: (known?.count ?? 0) + 1 });
    }
    if (clock.now() > deadline) break;
  }
  const lines = [...byReason].map(([reason, { first, count }]) => `${first}${others(count - 1)}: ${reason}`);
  return [
    ...(checked < all.length
      ? [`new PodSecurity enforce level only checked against the first ${checked} of ${all.length} existing pods`]
      : []),
    ...(lines.length > 0
      ? [
          `existing pods in namespace ${JSON.stringify(namespace)} violate the new PodSecurity enforce level ${JSON.stringify(showLevel(level))}`,
        ]
      : []),
    ...lines.toSorted(),
  ];
}

function others(count: number): string {
  if (count === 0) return '';
  return count === 1 ? ' (and 1 other pod)' : ` (and ${count} other pods)`;
}

/** Pods of the same controller are alike: one of each comes first. */
function prioritized(pods: Iterable<PodObject>, exemptRuntimes: readonly string[]): PodObject[] {
  const seen = new Set<string>();
  const first: PodObject[] = [];
  const later: PodObject[] = [];
  for (const pod of pods) {
    if (pod.spec.runtimeClassName !== undefined && exemptRuntimes.includes(pod.spec.runtimeClassName)) continue;
    const controller = controllerOf(pod.metadata)?.uid;
    if (controller !== undefined && seen.has(controller)) later.push(pod);
    else first.push(pod);
    if (controller !== undefined) seen.add(controller);
  }
  return [...first, ...later];
}
