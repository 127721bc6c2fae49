// Upstream: k8s.io/component-base/compatibility/{version,registry}.go
import { kubernetesVersion } from '../server/object/kubernetes-version.ts';

/** Which release the server behaves as, and which is the oldest that others on the same store may be. Minor versions, of major version 1. */
export interface EffectiveVersion {
  readonly emulation: number;
  readonly minCompatibility: number;
  /** while emulating, newer versions of resources that are served are served too */
  readonly forwardCompatible: boolean;
  /** while emulating, what was asked for by name is served even if it is newer */
  readonly forwardCompatibleByName: boolean;
  /** what this release has taken away is served once more, where it was asked for */
  readonly servesRemoved?: boolean;
  /** what `/version` tells instead of the own release, such as v1.37.1-mine */
  readonly reported?: string;
}

const { minor } = kubernetesVersion;

/** the oldest release that can be emulated */
export const oldestVersion = minor - 3;

export const ownVersion: EffectiveVersion = Object.freeze({
  emulation: minor,
  minCompatibility: minor - 1,
  forwardCompatible: false,
  forwardCompatibleByName: false,
});

/** What is compatible with by default: the release before, as far as there is one. */
export function minCompatibilityOf(emulation: number): number {
  return Math.max(oldestVersion, emulation - 1);
}

/** What is wrong with them, in upstream's words. */
export function versionProblems({ emulation, minCompatibility }: Pick<EffectiveVersion, 'emulation' | 'minCompatibility'>): string[] {
  const problems: string[] = [];
  if (emulation < oldestVersion || emulation > minor)
    problems.push(`emulation version 1.${emulation} is not between [1.${oldestVersion}, 1.${minor}.0]`);
  if (minCompatibility < oldestVersion || minCompatibility > emulation)
    problems.push(`minCompatibilityVersion version 1.${minCompatibility} is not between [1.${oldestVersion}, 1.${emulation}]`);
  return problems;
}
