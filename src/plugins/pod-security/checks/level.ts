// Upstream: k8s.io/pod-security-admission/api/helpers.go
import type { FieldError } from '../../../machinery/field.ts';
import { FieldPath, invalid } from '../../../machinery/field.ts';

export type Level = 'privileged' | 'baseline' | 'restricted';

const levels: readonly Level[] = ['privileged', 'baseline', 'restricted'];

/** A level as of a version of Kubernetes: `baseline:latest`, `restricted:v1.25`. */
export interface LevelVersion {
  readonly level: Level;
  /** minor version; Infinity: the latest */
  readonly minor: number;
}

/** What a namespace asks of its pods. */
export interface Policy {
  readonly enforce: LevelVersion;
  readonly audit: LevelVersion;
  readonly warn: LevelVersion;
}

type Mode = keyof Policy;

const labelPrefix = 'pod-security.kubernetes.io/';
const labelsPath = FieldPath.root('metadata', 'labels');
const versionPattern = /^v1\.([0-9]|[1-9][0-9]*)$/;

export function showLevel({ level, minor }: LevelVersion): string {
  return `${level}:${minor === Infinity ? 'latest' : `v1.${minor}`}`;
}

export function isSameLevel(left: LevelVersion, right: LevelVersion): boolean {
  return left.level === right.level && left.minor === right.minor;
}

/** Positive when the first is stricter. */
export function compareLevels(left: Level, right: Level): number {
  return levels.indexOf(left) - levels.indexOf(right);
}

export function isFullyPrivileged({ enforce, audit, warn }: Policy): boolean {
  return enforce.level === 'privileged' && audit.level === 'privileged' && warn.level === 'privileged';
}

/** undefined: no such level, or no such version */
export function parseLevel(text: string): Level | undefined {
  return levels.find((level) => level === text);
}

export function parseMinor(text: string): number | undefined {
  if (text === 'latest') return Infinity;
  const minor = versionPattern.exec(text)?.[1];
  return minor === undefined ? undefined : Number(minor);
}

/** The policy that labels of a namespace choose, and what is wrong with them. What cannot be read is strict where it is enforced, else lax. */
export function policyOf(labels: Readonly<Record<string, string>> | undefined, defaults: Policy): { policy: Policy; errors: FieldError[] } {
  const errors: FieldError[] = [];
  const read = <T>(label: string, parse: (text: string) => T | undefined, fallback: T, wrong: T, message: string): T => {
    const text = labels?.[label];
    if (text === undefined) return fallback;
    const value = parse(text);
    if (value === undefined) errors.push(invalid(labelsPath.key(label), text, message));
    return value ?? wrong;
  };
  const of = (mode: Mode, wrong: Level): LevelVersion => ({
    level: read(labelPrefix + mode, parseLevel, defaults[mode].level, wrong, `must be one of ${levels.join(', ')}`),
    minor: read(`${labelPrefix}${mode}-version`, parseMinor, defaults[mode].minor, Infinity, 'must be "latest" or "v1.x"'),
  });
  const enforce = of('enforce', 'restricted');
  const audit = of('audit', 'privileged');
  let warn = of('warn', 'privileged');
  const enforced = parseLevel(labels?.[`${labelPrefix}enforce`] ?? '');
  // A user who tightens what is enforced is warned about controllers that will fail later.
  if (labels?.[`${labelPrefix}warn`] === undefined && enforced !== undefined && compareLevels(enforced, warn.level) > 0) {
    warn = { level: enforced, minor: labels?.[`${labelPrefix}warn-version`] === undefined ? enforce.minor : warn.minor };
  }
  return { policy: { enforce, audit, warn }, errors };
}

/** The modes that a namespace's own labels set, for the warning that they have no effect. */
export function labelledModes(labels: Readonly<Record<string, string>> | undefined, policy: Policy): Mode[] {
  return (['enforce', 'audit', 'warn'] as const).filter(
    (mode) =>
      policy[mode].level !== 'privileged' &&
      (labels?.[labelPrefix + mode] !== undefined || labels?.[`${labelPrefix}${mode}-version`] !== undefined),
  );
}
