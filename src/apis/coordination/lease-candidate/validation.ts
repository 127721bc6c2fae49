// Upstream: k8s.io/kubernetes/pkg/apis/coordination/validation/validation.go#ValidateLeaseCandidate
import type { FieldError } from '../../../machinery/field.ts';
import { FieldPath, invalid, required } from '../../../machinery/field.ts';
import { validateImmutable } from '../../../machinery/object-meta-validation.ts';
import type { LeaseCandidate } from '../../../schema/types/coordination-v1beta1.ts';
import type { KubeObject } from '../../../server/registry/definition.ts';
import { validateLeaseStrategy } from '../../common/lease-strategy.ts';
import { compareSemanticVersions, parseSemanticVersion, zeroVersion } from './semantic-version.ts';

export type LeaseCandidateObject = LeaseCandidate & KubeObject;

const specPath = FieldPath.root('spec');
const leaseNamePath = specPath.child('leaseName');
const emulationPath = specPath.child('emulationVersion');
const binaryPath = specPath.child('binaryVersion');
const strategyPath = specPath.child('strategy');

export function validate({ spec }: LeaseCandidateObject): FieldError[] {
  const { leaseName, emulationVersion = '', binaryVersion, strategy = '' } = spec;
  const [emulated, binary] = [parseSemanticVersion(emulationVersion), parseSemanticVersion(binaryVersion)];
  const malformed = 'must be a valid semantic version';
  const errors: FieldError[] = [];
  if (leaseName === '') errors.push(required(leaseNamePath, ''));
  if (emulationVersion !== '' && emulated === undefined) errors.push(invalid(emulationPath, emulationVersion, malformed));
  if (binaryVersion === '') errors.push(required(binaryPath, ''));
  else if (binary === undefined) errors.push(invalid(binaryPath, binaryVersion, malformed));
  // what is no version counts as the oldest one, as in upstream
  const isOlder = compareSemanticVersions(binary ?? zeroVersion, emulated ?? zeroVersion) < 0;
  if (binaryVersion !== '' && emulationVersion !== '' && isOlder) {
    errors.push(invalid(binaryPath, binaryVersion, 'must be greater than or equal to `emulationVersion`'));
  }
  if (strategy === '') return [...errors, required(strategyPath, '')];
  if (strategy === 'OldestEmulationVersion' && compareSemanticVersions(emulated ?? zeroVersion, zeroVersion) === 0) {
    errors.push(required(emulationPath, "must be specified when `strategy` is 'OldestEmulationVersion'"));
  }
  return [...errors, ...validateLeaseStrategy(strategy, strategyPath)];
}

export function validateUpdate(candidate: LeaseCandidateObject, old: LeaseCandidateObject): FieldError[] {
  return [...validate(candidate), ...validateImmutable(candidate.spec.leaseName, old.spec.leaseName, leaseNamePath)];
}
