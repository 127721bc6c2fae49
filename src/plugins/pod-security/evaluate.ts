// Upstream: k8s.io/pod-security-admission/policy/registry.go
import type { PodUnderCheck, Check, CheckPod, Violation } from './checks/check.ts';
import { baselineChecks } from './checks/baseline.ts';
import { restrictedChecks } from './checks/restricted.ts';
import type { LevelVersion } from './checks/level.ts';

/** Everything about a pod that its level does not allow. */
export function violations(level: LevelVersion, pod: PodUnderCheck): Violation[] {
  return checksOf(level).flatMap((check) => check(pod) ?? []);
}

/** `reason (detail), reason (detail)` */
export function describe(found: readonly Violation[]): string {
  return found.map(({ reason, detail }) => (detail === '' ? reason : `${reason} (${detail})`)).join(', ');
}

function checksOf({ level, minor }: LevelVersion): CheckPod[] {
  if (level === 'privileged') return [];
  const effective = (check: Check): CheckPod | undefined => check.versions.findLast(({ from }) => from <= minor)?.check;
  if (level === 'baseline') return baselineChecks.flatMap((check) => effective(check) ?? []);
  const restricted = restrictedChecks.filter((check) => effective(check) !== undefined);
  const overridden = new Set(restricted.map(({ overrides }) => overrides));
  return [...baselineChecks.filter(({ id }) => !overridden.has(id)), ...restricted].flatMap((check) => effective(check) ?? []);
}
