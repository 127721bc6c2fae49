// Upstream: k8s.io/pod-security-admission/admission/admission.go#EvaluatePodsInNamespace
import { controllerOf } from '../../machinery/object-meta.ts';
import type { Pod } from '../../schema/types/core-v1.ts';
import type { Clock } from '../../base/clock.ts';
import { inSlices } from '../../base/slices.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import { violations } from './evaluate.ts';
import type { LevelVersion } from './checks/level.ts';
import { showLevel } from './checks/level.ts';

type PodObject = Pod & KubeObject;

const maxPods = 3000;
const maxMs = 1000;

/** What a namespace's new level would have refused, as warnings: one line per kind of violation. */
export async function warnAboutExisting(
  pods: Iterable<PodObject>,
  namespace: string,
  level: LevelVersion,
  exemptRuntimes: readonly string[],
  clock: Clock,
): Promise<string[]> {
  const all = await prioritized(pods, level, exemptRuntimes, clock);
  const byReason = new Map<string, { first: string; count: number }>();
  let checked = 0;
  for (const { name, reason } of all.slice(0, maxPods)) {
    if (reason === undefined) break;
    checked++;
    if (reason === '') continue;
    const known = byReason.get(reason);
    byReason.set(reason, { first: known === undefined || name < known.first ? name : known.first, count: (known?.count ?? 0) + 1 });
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

interface Checked {
  readonly name: string;
  /** '' where the level allows the pod; undefined: there was no time left to check it */
  readonly reason: string | undefined;
}

/** Pods of the same controller are alike: one of each comes first. Little is kept of each: a namespace may have many, and large ones. */
async function prioritized(
  pods: Iterable<PodObject>,
  level: LevelVersion,
  exemptRuntimes: readonly string[],
  clock: Clock,
): Promise<Checked[]> {
  const deadline = clock.now() + maxMs;
  const seen = new Set<string>();
  const first: Checked[] = [];
  const later: Checked[] = [];
  for await (const pod of inSlices(pods)) {
    const { metadata, spec } = pod;
    if (spec.runtimeClassName !== undefined && exemptRuntimes.includes(spec.runtimeClassName)) continue;
    const controller = controllerOf(metadata)?.uid;
    const isAlike = controller !== undefined && seen.has(controller);
    const reason = clock.now() > deadline ? undefined : reasonAgainst(pod, level);
    (isAlike ? later : first).push({ name: metadata.name ?? '', reason });
    if (controller !== undefined) seen.add(controller);
  }
  return [...first, ...later].toSorted((one, other) => Number(one.reason === undefined) - Number(other.reason === undefined));
}

function reasonAgainst({ metadata, spec }: PodObject, level: LevelVersion): string {
  return violations(level, { annotations: metadata.annotations ?? {}, spec })
    .map((violation) => violation.reason)
    .join(', ');
}
