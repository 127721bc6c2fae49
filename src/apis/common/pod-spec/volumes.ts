// Upstream: k8s.io/kubernetes/pkg/apis/core/validation/validation.go#ValidateVolumes, #ValidateVolumeMounts, #ValidateVolumeDevices
import { append } from '../../../machinery/append.ts';
import { duplicate, forbidden, invalid, required } from '../../../machinery/field.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { goQuote } from '../../../machinery/go-format.ts';
import { nameIsDnsSubdomain } from '../../../machinery/names.ts';
import type { Volume } from '../../../schema/types/core-v1.ts';
import { validateDownwardApiVolume } from './downward-api.ts';
import type { PodValidationOptions } from './options.ts';
import { validateProjectedVolume } from './projected-volume.ts';
import { validateDnsLabel } from './rules.ts';
import * as source from './volume-sources.ts';

type SourceName = Exclude<keyof Volume, 'name'>;
type SourceRule = (value: never, path: FieldPath, options: PodValidationOptions) => FieldError[];

interface SourceKind {
  readonly name: SourceName;
  readonly rule: SourceRule;
  /** where the rule reports and where a second source is reported, if not at the field's name */
  readonly ruleAt?: string;
  readonly extraAt?: string;
}

/** In the order in which upstream looks; the first one found is the volume's. Two of its paths are misspelt. */
const sourceKinds: readonly SourceKind[] = [
  { name: 'emptyDir', rule: source.validateEmptyDir },
  { name: 'hostPath', rule: source.validateHostPath },
  { name: 'gitRepo', rule: source.validateGitRepo },
  { name: 'gcePersistentDisk', rule: source.validateGceDisk, ruleAt: 'persistentDisk' },
  { name: 'awsElasticBlockStore', rule: source.validateAwsDisk },
  { name: 'secret', rule: source.validateSecretVolume },
  { name: 'nfs', rule: source.validateNfs },
  { name: 'iscsi', rule: source.validateIscsi },
  { name: 'glusterfs', rule: source.validateGlusterfs },
  { name: 'flocker', rule: source.validateFlocker },
  { name: 'persistentVolumeClaim', rule: source.validateClaim },
  { name: 'rbd', rule: source.validateRbd },
  { name: 'cinder', rule: source.validateCinder },
  { name: 'cephfs', rule: source.validateCephFs, extraAt: 'cephFS' },
  { name: 'quobyte', rule: source.validateQuobyte },
  { name: 'downwardAPI', rule: validateDownwardApiVolume, extraAt: 'downwarAPI' },
  { name: 'fc', rule: source.validateFc },
  { name: 'flexVolume', rule: source.validateFlexVolume },
  { name: 'configMap', rule: source.validateConfigMapVolume },
  { name: 'azureFile', rule: source.validateAzureFile },
  { name: 'vsphereVolume', rule: source.validateVsphere },
  { name: 'photonPersistentDisk', rule: source.validatePhoton },
  { name: 'portworxVolume', rule: source.validatePortworx },
  { name: 'azureDisk', rule: source.validateAzureDisk },
  { name: 'storageos', rule: source.validateStorageOs },
  { name: 'projected', rule: validateProjectedVolume },
  { name: 'scaleIO', rule: source.validateScaleIo },
  { name: 'csi', rule: source.validateCsi },
  { name: 'ephemeral', rule: source.validateEphemeral },
  { name: 'image', rule: source.validateImageVolume },
];

const placeOf: ReadonlyMap<string, number> = new Map(sourceKinds.map(({ name }, place) => [name, place]));

/** The sources that it has, most often one. */
function sourcesOf(volume: Volume): readonly SourceKind[] {
  const places: number[] = [];
  for (const field in volume) {
    const place = volume[field as keyof Volume] === undefined ? undefined : placeOf.get(field);
    if (place !== undefined) places.push(place);
  }
  return places.sort((one, other) => one - other).map((place) => sourceKinds[place] as SourceKind);
}

const maxPortalLength = 64;

/** Volumes without a fault, by name: what containers may mount. */
export type ValidVolumes = ReadonlyMap<string, Volume>;

export function validateVolumes(
  volumes: readonly Volume[] | undefined,
  podName: string | undefined,
  path: FieldPath,
  options: PodValidationOptions,
): { readonly volumes: ValidVolumes; readonly errors: FieldError[] } {
  const valid = new Map<string, Volume>();
  const errors: FieldError[] = [];
  // Known only when the pod's name is.
  const createdClaims = volumes?.some(({ ephemeral }) => ephemeral)
    ? new Set(podName ? volumes.filter(({ ephemeral }) => ephemeral).map(({ name }) => `${podName}-${name}`) : [])
    : undefined;
  volumes?.forEach((volume, index) => {
    const at = path.index(index);
    const { name } = volume;
    const found = validateSources(volume, podName, at, options);
    append(found, name === '' ? [required(at.child('name'), '')] : validateDnsLabel(name, at.child('name')));
    if (valid.has(name)) found.push(duplicate(at.child('name'), name));
    if (found.length === 0) valid.set(name, volume);
    append(errors, found);
    const claim = volume.persistentVolumeClaim?.claimName;
    if (claim !== undefined && createdClaims?.has(claim)) {
      const claimPath = at.child('persistentVolumeClaim').child('claimName');
      errors.push(invalid(claimPath, claim, 'must not reference a PVC that gets created for an ephemeral volume'));
    }
  });
  return { volumes: valid, errors };
}

function validateSources(volume: Volume, podName: string | undefined, path: FieldPath, options: PodValidationOptions): FieldError[] {
  const errors: FieldError[] = [];
  let found = false;
  for (const { name, rule, ruleAt = name, extraAt = name } of sourcesOf(volume)) {
    if (found) errors.push(forbidden(path.child(extraAt), 'may not specify more than 1 volume type'));
    else append(errors, rule(volume[name] as never, path.child(ruleAt), options), validateClaimName(volume, name, podName, path));
    if (name === 'iscsi') append(errors, validatePortalLength(volume, path));
    found = true;
  }
  if (!found) errors.push(required(path, 'must specify a volume type'));
  return errors;
}

function validatePortalLength({ name, iscsi }: Volume, path: FieldPath): FieldError[] {
  if (iscsi?.initiatorName === undefined || Buffer.byteLength(`${name}:${iscsi.targetPortal}`) <= maxPortalLength) return [];
  const detail = 'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';
  return [invalid(path.child('name'), name, detail)];
}

/** The claim of an ephemeral volume is named after pod and volume. */
function validateClaimName({ name }: Volume, sourceName: SourceName, podName: string | undefined, path: FieldPath): FieldError[] {
  if (sourceName !== 'ephemeral' || !podName || name === '') return [];
  const claim = `${podName}-${name}`;
  return nameIsDnsSubdomain(claim, false).map((problem) => invalid(path.child('name'), name, `PVC name ${goQuote(claim)}: ${problem}`));
}
