// Upstream: k8s.io/apimachinery/pkg/version/helpers.go

interface KubeVersion {
  readonly major: number;
  readonly stage: number;
  readonly minor: number;
}

const stages: Readonly<Record<string, number>> = { alpha: 0, beta: 1 };
const generallyAvailable = 2;

function parseKubeVersion(text: string): KubeVersion | undefined {
  const match = /^v([0-9]+)(?:(alpha|beta)([0-9]+))?$/.exec(text);
  if (match === null) return undefined;
  const [, major, stage, minor] = match;
  // Numbers that no int64 holds make it a version like any other word.
  if (major!.length > 18 || (minor?.length ?? 0) > 18) return undefined;
  return {
    major: Number(major),
    stage: stage === undefined ? generallyAvailable : stages[stage]!,
    minor: Number(minor ?? 0),
  };
}

/**
 * Positive when the left version ranks higher: v2, v1, v1beta2, v1alpha1, then everything else in alphabetical order.
 * Sort with the arguments swapped to have the preferred version first.
 */
export function compareKubeAwareVersions(left: string, right: string): number {
  if (left === right) return 0;
  const [a, b] = [parseKubeVersion(left), parseKubeVersion(right)];
  if (a === undefined && b === undefined) return right < left ? -1 : 1;
  if (a === undefined) return -1;
  if (b === undefined) return 1;
  return a.stage - b.stage || a.major - b.major || a.minor - b.minor;
}
