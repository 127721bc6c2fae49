// Upstream: github.com/blang/semver/v4/semver.go#Parse, #Compare

export interface SemanticVersion {
  readonly numbers: readonly [major: bigint, minor: bigint, patch: bigint];
  readonly prerelease: readonly string[];
}

export const zeroVersion: SemanticVersion = { numbers: [0n, 0n, 0n], prerelease: [] };

const number = '(0|[1-9][0-9]*)';
const identifier = '(?:0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*)';
const pattern = new RegExp(
  `^${number}\\.${number}\\.${number}(?:-(${identifier}(?:\\.${identifier})*))?(?:\\+[0-9a-zA-Z-]+(?:\\.[0-9a-zA-Z-]+)*)?$`,
);

export function parseSemanticVersion(text: string): SemanticVersion | undefined {
  const match = pattern.exec(text);
  if (match === null) return undefined;
  const [, major = '', minor = '', patch = '', prerelease] = match;
  return { numbers: [BigInt(major), BigInt(minor), BigInt(patch)], prerelease: prerelease?.split('.') ?? [] };
}

/** Negative when the left version is older. What is built does not matter. */
export function compareSemanticVersions(left: SemanticVersion, right: SemanticVersion): number {
  for (const [index, own] of left.numbers.entries()) {
    const other = right.numbers[index] as bigint;
    if (own !== other) return own < other ? -1 : 1;
  }
  return comparePrereleases(left.prerelease, right.prerelease);
}

/** A release is newer than what led to it. */
function comparePrereleases(left: readonly string[], right: readonly string[]): number {
  if (left.length === 0 || right.length === 0) return right.length - left.length;
  for (const [index, own] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    const order = compareIdentifiers(own, other);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function compareIdentifiers(left: string, right: string): number {
  const [leftIsNumber, rightIsNumber] = [left, right].map((text) => /^[0-9]+$/.test(text));
  if (leftIsNumber !== rightIsNumber) return leftIsNumber ? -1 : 1;
  if (left === right) return 0;
  const isOlder = leftIsNumber ? BigInt(left) < BigInt(right) : left < right;
  return isOlder ? -1 : 1;
}
