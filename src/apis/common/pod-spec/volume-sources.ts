// Upstream: k8s.io/kubernetes/pkg/apis/core/validation/validation.go#validate*VolumeSource
// One rule per kind of volume.
import { initiatorFormat, isInitiatorName } from '../initiator-name.ts';
import { append } from '../../../machinery/append.ts';
import { forbidden, invalid, notSupported, required, tooLong } from '../../../machinery/field.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { checkDns1123Subdomain, nameIsDnsSubdomain, rangeMessage } from '../../../machinery/names.ts';
import { Quantity } from '../../../machinery/quantity.ts';
import type * as core from '../../../schema/types/core-v1.ts';
import { validateClaimTemplate } from '../persistent-volume-claim-spec.ts';
import type { PodValidationOptions } from './options.ts';
import {
  problemsOf,
  validateDescendingPath,
  validateDnsLabel,
  validateFileMode,
  validateLocalNonReservedPath,
  validateNoBacksteps,
  validateOneOf,
  validateRequired,
  validateUser,
} from './rules.ts';

const maxEmptyDirMode = 0o1777;
const emptyDirModeMessage = 'must be a number between 0 and 01777 (octal), both inclusive';
const hostPathTypes = ['', 'BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket'];
const pullPolicies = ['Always', 'IfNotPresent', 'Never'];

export function validateEmptyDir({ sizeLimit, mode }: core.EmptyDirVolumeSource, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (sizeLimit !== undefined && Quantity.parse(sizeLimit).sign < 0) {
    errors.push(forbidden(path.child('sizeLimit'), 'SizeLimit field must be a valid resource quantity'));
  }
  if (mode !== undefined && (mode > maxEmptyDirMode || mode < 0)) {
    errors.push(invalid(path.child('mode'), mode, emptyDirModeMessage));
  }
  return errors;
}

export function validateHostPath(hostPath: core.HostPathVolumeSource, path: FieldPath): FieldError[] {
  if (hostPath.path === '') return [required(path.child('path'), '')];
  return [...validateNoBacksteps(hostPath.path, path.child('path')), ...validateOneOf(hostPath.type, hostPathTypes, path.child('type'))];
}

export function validateGitRepo({ repository, directory = '' }: core.GitRepoVolumeSource, path: FieldPath): FieldError[] {
  return [...validateRequired(repository, path.child('repository')), ...validateDescendingPath(directory, path.child('directory'))];
}

/** Partition 0 means the whole disk, although the message does not admit it. */
function validatePartition(partition: number, path: FieldPath): FieldError[] {
  return partition < 0 || partition > 255 ? [invalid(path, partition, rangeMessage(1, 255))] : [];
}

export function validateGceDisk({ pdName, partition = 0 }: core.GCEPersistentDiskVolumeSource, path: FieldPath): FieldError[] {
  return [...validateRequired(pdName, path.child('pdName')), ...validatePartition(partition, path.child('partition'))];
}

export function validateAwsDisk({ volumeID, partition = 0 }: core.AWSElasticBlockStoreVolumeSource, path: FieldPath): FieldError[] {
  return [...validateRequired(volumeID, path.child('volumeID')), ...validatePartition(partition, path.child('partition'))];
}

export function validateSecretVolume(secret: core.SecretVolumeSource, path: FieldPath): FieldError[] {
  return [...validateRequired(secret.secretName, path.child('secretName')), ...validateFiles(secret, path)];
}

export function validateConfigMapVolume(configMap: core.ConfigMapVolumeSource, path: FieldPath): FieldError[] {
  return [...validateRequired(configMap.name, path.child('name')), ...validateFiles(configMap, path)];
}

function validateFiles({ defaultMode, defaultUser, items }: core.SecretVolumeSource, path: FieldPath): FieldError[] {
  return [
    ...validateFileMode(defaultMode, path.child('defaultMode')),
    ...validateUser(defaultUser, path.child('defaultUser')),
    ...(items ?? []).flatMap((item, index) => validateKeyToPath(item, path.child('items').index(index))),
  ];
}

export function validateKeyToPath(item: core.KeyToPath, path: FieldPath): FieldError[] {
  return [
    ...validateRequired(item.key, path.child('key')),
    ...validateRequired(item.path, path.child('path')),
    ...validateLocalNonReservedPath(item.path, path.child('path')),
    ...validateFileMode(item.mode, path.child('mode')),
    ...validateUser(item.user, path.child('user')),
  ];
}

export function validateNfs(nfs: core.NFSVolumeSource, path: FieldPath): FieldError[] {
  const errors = [...validateRequired(nfs.server, path.child('server')), ...validateRequired(nfs.path, path.child('path'))];
  if (!nfs.path.startsWith('/')) errors.push(invalid(path.child('path'), nfs.path, 'must be an absolute path'));
  return errors;
}

const maxLun = 255;

function validateInitiator(name: string, path: FieldPath): FieldError[] {
  if (initiatorFormat(name) === undefined) return [invalid(path, name, 'must be valid format starting with iqn, eui, or naa')];
  return isInitiatorName(name) ? [] : [invalid(path, name, 'must be valid format')];
}

export function validateIscsi(iscsi: core.ISCSIVolumeSource, path: FieldPath): FieldError[] {
  const { targetPortal, iqn, lun, initiatorName } = iscsi;
  const errors = validateRequired(targetPortal, path.child('targetPortal'));
  append(errors, iqn === '' ? [required(path.child('iqn'), '')] : validateInitiator(iqn, path.child('iqn')));
  if (lun < 0 || lun > maxLun) errors.push(invalid(path.child('lun'), lun, rangeMessage(0, maxLun)));
  if ((iscsi.chapAuthDiscovery || iscsi.chapAuthSession) && iscsi.secretRef === undefined) {
    errors.push(required(path.child('secretRef'), ''));
  }
  if (initiatorName !== undefined) append(errors, validateInitiator(initiatorName, path.child('initiatorname')));
  return errors;
}

export function validateGlusterfs({ endpoints, path: volume }: core.GlusterfsVolumeSource, path: FieldPath): FieldError[] {
  return [...validateRequired(endpoints, path.child('endpoints')), ...validateRequired(volume, path.child('path'))];
}

export function validateFlocker({ datasetName = '', datasetUUID = '' }: core.FlockerVolumeSource, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (datasetName === '' && datasetUUID === '') errors.push(required(path, 'one of datasetName and datasetUUID is required'));
  if (datasetName !== '' && datasetUUID !== '') {
    errors.push(invalid(path, 'resource', 'datasetName and datasetUUID can not be specified simultaneously'));
  }
  if (datasetName.includes('/')) errors.push(invalid(path.child('datasetName'), datasetName, "must not contain '/'"));
  return errors;
}

export function validateClaim({ claimName }: core.PersistentVolumeClaimVolumeSource, path: FieldPath): FieldError[] {
  return validateRequired(claimName, path.child('claimName'));
}

export function validateRbd({ monitors, image }: core.RBDVolumeSource, path: FieldPath): FieldError[] {
  return [...validateRequired(monitors ?? [], path.child('monitors')), ...validateRequired(image, path.child('image'))];
}

export function validateCinder({ volumeID, secretRef }: core.CinderVolumeSource, path: FieldPath): FieldError[] {
  return [...validateRequired(volumeID, path.child('volumeID')), ...validateSecretRef(secretRef, path)];
}

function validateSecretRef(reference: core.LocalObjectReference | undefined, path: FieldPath): FieldError[] {
  return reference === undefined ? [] : validateRequired(reference.name, path.child('secretRef', 'name'));
}

export function validateCephFs({ monitors }: core.CephFSVolumeSource, path: FieldPath): FieldError[] {
  return validateRequired(monitors ?? [], path.child('monitors'));
}

const hostPortsMessage = 'must be a host:port pair or multiple pairs separated by commas';
const maxTenantLength = 64;

export function validateQuobyte({ registry, tenant = '', volume }: core.QuobyteVolumeSource, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (registry === '') errors.push(required(path.child('registry'), hostPortsMessage));
  else if (Buffer.byteLength(tenant) > maxTenantLength) {
    errors.push(required(path.child('tenant'), 'must be a UUID and may not exceed a length of 64 characters'));
  } else {
    for (const pair of registry.split(',')) {
      if (!isHostPort(pair)) errors.push(invalid(path.child('registry'), registry, hostPortsMessage));
    }
  }
  return [...errors, ...validateRequired(volume, path.child('volume'))];
}

/** `host:port` or `[address]:port`; either side may be empty. */
function isHostPort(text: string): boolean {
  return /^(?:\[[^[\]]*\]|[^:[\]]*):[^:[\]]*$/.test(text);
}

export function validateFc(fc: core.FCVolumeSource, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const targets = fc.targetWWNs?.length ?? 0;
  const ids = fc.wwids?.length ?? 0;
  const targetsPath = path.child('targetWWNs');
  if (targets === 0 && ids === 0) errors.push(required(targetsPath, 'must specify either targetWWNs or wwids, but not both'));
  if (targets > 0 && ids > 0) {
    errors.push(invalid(targetsPath, fc.targetWWNs, 'targetWWNs and wwids can not be specified simultaneously'));
  }
  if (targets > 0) {
    if (fc.lun === undefined) errors.push(required(path.child('lun'), 'lun is required if targetWWNs is specified'));
    else if (fc.lun < 0 || fc.lun > maxLun) errors.push(invalid(path.child('lun'), fc.lun, rangeMessage(0, maxLun)));
  }
  return errors;
}

export function validateFlexVolume({ driver, options }: core.FlexVolumeSource, path: FieldPath): FieldError[] {
  const errors = validateRequired(driver, path.child('driver'));
  for (const key of Object.keys(options ?? {})) {
    const owner = `.${(key.split('/', 1)[0] as string).toLowerCase()}`;
    if (owner.endsWith('.kubernetes.io') || owner.endsWith('.k8s.io')) {
      errors.push(invalid(path.child('options').key(key), key, 'kubernetes.io and k8s.io namespaces are reserved'));
    }
  }
  return errors;
}

export function validateAzureFile({ secretName, shareName }: core.AzureFileVolumeSource, path: FieldPath): FieldError[] {
  return [...validateRequired(secretName, path.child('secretName')), ...validateRequired(shareName, path.child('shareName'))];
}

const managedDiskUri = '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}';
const blobDiskUri = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd';

export function validateAzureDisk(disk: core.AzureDiskVolumeSource, path: FieldPath): FieldError[] {
  const { diskName, diskURI, cachingMode, kind } = disk;
  const errors = [
    ...validateRequired(diskName, path.child('diskName')),
    ...validateRequired(diskURI, path.child('diskURI')),
    ...validateOneOf(cachingMode, ['None', 'ReadOnly', 'ReadWrite'], path.child('cachingMode')),
    ...validateOneOf(kind, ['Dedicated', 'Managed', 'Shared'], path.child('kind')),
  ];
  if (kind === undefined) return errors;
  const [start, shape] = kind === 'Managed' ? ['/subscriptions/', managedDiskUri] : ['https://', blobDiskUri];
  if (!diskURI.startsWith(start)) errors.push(notSupported(path.child('diskURI'), diskURI, [shape]));
  return errors;
}

export function validateVsphere({ volumePath }: core.VsphereVirtualDiskVolumeSource, path: FieldPath): FieldError[] {
  return validateRequired(volumePath, path.child('volumePath'));
}

export function validatePhoton({ pdID }: core.PhotonPersistentDiskVolumeSource, path: FieldPath): FieldError[] {
  return validateRequired(pdID, path.child('pdID'));
}

export function validatePortworx({ volumeID }: core.PortworxVolumeSource, path: FieldPath): FieldError[] {
  return validateRequired(volumeID, path.child('volumeID'));
}

export function validateScaleIo({ gateway, system, volumeName }: core.ScaleIOVolumeSource, path: FieldPath): FieldError[] {
  return [
    ...validateRequired(gateway, path.child('gateway')),
    ...validateRequired(system, path.child('system')),
    ...validateRequired(volumeName, path.child('volumeName')),
  ];
}

export function validateStorageOs(volume: core.StorageOSVolumeSource, path: FieldPath): FieldError[] {
  const { volumeName, volumeNamespace, secretRef } = volume;
  return [
    ...(volumeName ? validateDnsLabel(volumeName, path.child('volumeName')) : [required(path.child('volumeName'), '')]),
    ...(volumeNamespace ? validateDnsLabel(volumeNamespace, path.child('volumeNamespace')) : []),
    ...validateSecretRef(secretRef, path),
  ];
}

const maxDriverNameLength = 63;

export function validateCsiDriverName(driver: string, path: FieldPath): FieldError[] {
  if (driver === '') return [required(path, '')];
  const errors = Buffer.byteLength(driver) > maxDriverNameLength ? [tooLong(path, maxDriverNameLength)] : [];
  return [...errors, ...problemsOf(checkDns1123Subdomain(driver.toLowerCase()), driver, path)];
}

export function validateCsi({ driver, nodePublishSecretRef: secret }: core.CSIVolumeSource, path: FieldPath): FieldError[] {
  const errors = validateCsiDriverName(driver, path.child('driver'));
  if (secret === undefined) return errors;
  if (!secret.name) return [...errors, required(path.child('nodePublishSecretRef', 'name'), '')];
  // Upstream leaves nodePublishSecretRef out of this path.
  return [...errors, ...problemsOf(nameIsDnsSubdomain(secret.name, false), secret.name, path.child('name'))];
}

export function validateEphemeral({ volumeClaimTemplate }: core.EphemeralVolumeSource, path: FieldPath): FieldError[] {
  const at = path.child('volumeClaimTemplate');
  return volumeClaimTemplate === undefined ? [required(at, '')] : validateClaimTemplate(volumeClaimTemplate, at);
}

export function validateImageVolume(image: core.ImageVolumeSource, path: FieldPath, options: PodValidationOptions): FieldError[] {
  const errors = options.allowEmptyImageVolumeReference ? [] : validateRequired(image.reference, path.child('reference'));
  return [...errors, ...validatePullPolicy(image.pullPolicy ?? '', path.child('pullPolicy'))];
}

export function validatePullPolicy(policy: string, path: FieldPath): FieldError[] {
  return policy === '' ? [required(path, '')] : validateOneOf(policy, pullPolicies, path);
}
