// Upstream: k8s.io/kubernetes/pkg/controlplane/controller/leaderelection/election.go
import type { SemanticVersion } from '../../apis/coordination/lease-candidate/semantic-version.ts';
import { compareSemanticVersions, parseSemanticVersion, zeroVersion } from '../../apis/coordination/lease-candidate/semantic-version.ts';
import type { LeaseCandidateObject } from '../../apis/coordination/lease-candidate/validation.ts';
import type { LeaseSpec } from '../../schema/types/coordination-v1.ts';

export type Candidate = LeaseCandidateObject;

export const oldestEmulationVersion = 'OldestEmulationVersion';
const candidateValidMs = 30 * 60_000;

/** The strategy that candidates of the newest program ask for. Throws when those do not agree. */
export function strategyOf(candidates: readonly Candidate[]): string {
  const [first, ...rest] = candidates;
  if (first === undefined) throw new Error('no candidates');
  let chosen = first;
  for (const candidate of rest) {
    const order = compareSemanticVersions(binaryVersion(chosen), binaryVersion(candidate));
    const [known, own] = [chosen.spec.strategy ?? '', candidate.spec.strategy ?? ''];
    if (order < 0) chosen = candidate;
    else if (order === 0 && known !== own) {
      const names = `${JSON.stringify(chosen.metadata.name)}, ${JSON.stringify(candidate.metadata.name)}`;
      throw new Error(`candidates ${names} at same binary version but received differing strategies ${known}, ${own}`);
    }
  }
  return chosen.spec.strategy ?? '';
}

/** Who leads so that no two programs of different versions do what the other undoes: the oldest emulation, program and object. */
export function oldestCandidate(candidates: readonly Candidate[]): Candidate | undefined {
  const versioned = candidates.filter(
    ({ spec }) => parsed(spec.emulationVersion) !== undefined && parsed(spec.binaryVersion) !== undefined,
  );
  return versioned.reduce<Candidate | undefined>(
    (best, candidate) => (best === undefined || isBetter(candidate, best) ? candidate : best),
    undefined,
  );
}

function isBetter(candidate: Candidate, than: Candidate): boolean {
  const order =
    compareSemanticVersions(emulationVersion(candidate), emulationVersion(than)) ||
    compareSemanticVersions(binaryVersion(candidate), binaryVersion(than));
  if (order !== 0) return order < 0;
  return Date.parse(candidate.metadata.creationTimestamp ?? '') < Date.parse(than.metadata.creationTimestamp ?? '');
}

function parsed(version: string | undefined): SemanticVersion | undefined {
  return parseSemanticVersion(version ?? '');
}

function emulationVersion({ spec }: Candidate): SemanticVersion {
  return parsed(spec.emulationVersion) ?? zeroVersion;
}

function binaryVersion({ spec }: Candidate): SemanticVersion {
  return parsed(spec.binaryVersion) ?? zeroVersion;
}

export function isLeaseExpired({ renewTime, leaseDurationSeconds }: LeaseSpec, now: number): boolean {
  return renewTime === undefined || leaseDurationSeconds === undefined || Date.parse(renewTime) + leaseDurationSeconds * 1000 < now;
}

export function isCandidateExpired({ spec }: Candidate, now: number): boolean {
  return spec.renewTime === undefined || Date.parse(spec.renewTime) + candidateValidMs < now;
}

/** Candidates are asked again in time, so that none of them expires. */
export function isCandidateOld({ spec }: Candidate, now: number): boolean {
  return spec.renewTime !== undefined && Date.parse(spec.renewTime) + candidateValidMs / 2 < now;
}

/** Whether a candidate has been asked, and has not responded. */
export function isAsked({ spec: { pingTime, renewTime } }: Candidate): boolean {
  return pingTime !== undefined && (renewTime === undefined || microseconds(renewTime) < microseconds(pingTime));
}

/** Exact, unlike Date.parse. */
function microseconds(time: string): number {
  const fraction = /\.([0-9]+)/.exec(time)?.[1] ?? '';
  return Math.floor(Date.parse(time.replace(/\.[0-9]+/, '')) / 1000) * 1e6 + Number(fraction.padEnd(6, '0').slice(0, 6));
}
