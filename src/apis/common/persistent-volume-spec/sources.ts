// Upstream: k8s.io/kubernetes/pkg/apis/core/validation/validation.go
// Sources of persistent volumes.
import { isInitiatorName } from '../initiator-name.ts';
import { append } from '../../../machinery/append.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { forbidden, invalid, required } from '../../../machinery/field.ts';
import { checkDns1123Label, checkDns1123Subdomain, nameIsDnsLabel, rangeMessage } from '../../../machinery/names.ts';
import type * as core from '../../../schema/types/core-v1.ts';
import * as shared from '../pod-spec/volume-sources.ts';

type SourceName = keyof core.PersistentVolumeSource;
type Rule = (value: never, path: FieldPath, volumeName: string) => FieldError[];

interface SourceKind {
  readonly name: SourceName;
  readonly rule: Rule;
  /** where the rule reports and where a second source is reported, if not at the field's name */
  readonly ruleAt?: string;
  readonly extraAt?: string;
  /** looked into even when it is not the first */
  readonly always?: boolean;
}

/** In the order in which upstream looks; the first one found is the volume's. */
const sourceKinds: readonly SourceKind[] = [
  { name: 'hostPath', rule: shared.validateHostPath },
  { name: 'gcePersistentDisk', rule: shared.validateGceDisk, ruleAt: 'persistentDisk' },
  { name: 'awsElasticBlockStore', rule: shared.validateAwsDisk },
  { name: 'glusterfs', rule: validateGlusterfs },
  { name: 'flocker', rule: shared.validateFlocker },
  { name: 'nfs', rule: shared.validateNfs },
  { name: 'rbd', rule: shared.validateRbd },
  { name: 'quobyte', rule: shared.validateQuobyte },
  { name: 'cephfs', rule: shared.validateCephFs, extraAt: 'cephFS' },
  { name: 'iscsi', rule: validateIscsi },
  { name: 'cinder', rule: validateCinder },
  { name: 'fc', rule: shared.validateFc },
  { name: 'flexVolume', rule: shared.validateFlexVolume, always: true },
  { name: 'azureFile', rule: validateAzureFile },
  { name: 'vsphereVolume', rule: shared.validateVsphere },
  { name: 'photonPersistentDisk', rule: shared.validatePhoton },
  { name: 'portworxVolume', rule: shared.validatePortworx },
  { name: 'azureDisk', rule: shared.validateAzureDisk },
  { name: 'scaleIO', rule: shared.validateScaleIo },
  { name: 'local', rule: validateLocal },
  { name: 'storageos', rule: validateStorageOs },
  { name: 'csi', rule: validateCsi },
];

/** A volume has one source, and a local one is bound to nodes. */
export function validateSources(spec: core.PersistentVolumeSpec, volumeName: string, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  let found = 0;
  for (const { name, rule, ruleAt = name, extraAt = name, always = false } of sourceKinds) {
    const source = spec[name];
    if (source === undefined) continue;
    if (found > 0 && !always) {
      errors.push(forbidden(path.child(extraAt), 'may not specify more than 1 volume type'));
      continue;
    }
    found++;
    append(errors, rule(source as never, path.child(ruleAt), volumeName));
    if (name === 'local' && spec.nodeAffinity === undefined) {
      errors.push(required(path.child('nodeAffinity'), 'Local volume requires node affinity'));
    }
  }
  if (found === 0) errors.push(required(path, 'must specify a volume type'));
  return errors;
}

function validateGlusterfs(source: core.GlusterfsPersistentVolumeSource, path: FieldPath): FieldError[] {
  const { endpoints, path: volume, endpointsNamespace: namespace } = source;
  const errors = shared.validateGlusterfs({ endpoints, path: volume }, path);
  if (namespace === undefined) return errors;
  const at = path.child('endpointsNamespace');
  const problems =
    namespace === '' ? ['if the endpointnamespace is set, it must be a valid namespace name'] : nameIsDnsLabel(namespace, false);
  return [...errors, ...problems.map((problem) => invalid(at, namespace, problem))];
}

const portalMaxLength = 64;
const maxLun = 255;

function validateIscsi(iscsi: core.ISCSIPersistentVolumeSource, path: FieldPath, volumeName: string): FieldError[] {
  const { targetPortal, iqn, lun, secretRef, initiatorName } = iscsi;
  const errors = targetPortal === '' ? [required(path.child('targetPortal'), '')] : [];
  if (initiatorName !== undefined && Buffer.byteLength(`${volumeName}:${targetPortal}`) > portalMaxLength) {
    const detail = 'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';
    errors.push(invalid(path.child('targetportal'), targetPortal, detail));
  }
  if (iqn === '') errors.push(required(path.child('iqn'), ''));
  else if (!isInitiatorName(iqn)) errors.push(invalid(path.child('iqn'), iqn, 'must be valid format'));
  if (lun < 0 || lun > maxLun) errors.push(invalid(path.child('lun'), lun, rangeMessage(0, maxLun)));
  if ((iscsi.chapAuthDiscovery || iscsi.chapAuthSession) && secretRef === undefined) errors.push(required(path.child('secretRef'), ''));
  if (secretRef !== undefined && !secretRef.name) errors.push(required(path.child('secretRef', 'name'), ''));
  if (initiatorName !== undefined && !isInitiatorName(initiatorName)) {
    errors.push(invalid(path.child('initiatorname'), initiatorName, 'must be valid format'));
  }
  return errors;
}

function validateCinder({ volumeID, secretRef }: core.CinderPersistentVolumeSource, path: FieldPath): FieldError[] {
  const errors = volumeID === '' ? [required(path.child('volumeID'), '')] : [];
  return [...errors, ...validateReference(secretRef, path.child('secretRef'))];
}

function validateAzureFile(source: core.AzureFilePersistentVolumeSource, path: FieldPath): FieldError[] {
  const { secretName, shareName, secretNamespace } = source;
  const errors = shared.validateAzureFile({ secretName, shareName }, path);
  return secretNamespace === '' ? [...errors, required(path.child('secretNamespace'), '')] : errors;
}

function validateLocal({ path: directory }: core.LocalVolumeSource, path: FieldPath): FieldError[] {
  if (directory === '') return [required(path.child('path'), '')];
  return directory.split('/').includes('..') ? [invalid(path.child('path'), directory, "must not contain '..'")] : [];
}

function validateStorageOs(source: core.StorageOSPersistentVolumeSource, path: FieldPath): FieldError[] {
  const { volumeName = '', volumeNamespace = '', secretRef } = source;
  const label = (value: string, at: FieldPath): FieldError[] => checkDns1123Label(value).map((problem) => invalid(at, value, problem));
  return [
    ...(volumeName === '' ? [required(path.child('volumeName'), '')] : label(volumeName, path.child('volumeName'))),
    ...(volumeNamespace === '' ? [] : label(volumeNamespace, path.child('volumeNamespace'))),
    ...validateReference(secretRef, path.child('secretRef')),
  ];
}

/** Name and namespace of a secret, whatever they are. */
function validateReference(reference: { name?: string; namespace?: string } | undefined, path: FieldPath): FieldError[] {
  if (reference === undefined) return [];
  return (['name', 'namespace'] as const).flatMap((member) => (reference[member] ? [] : [required(path.child(member), '')]));
}

const csiSecrets = ['controllerPublishSecretRef', 'controllerExpandSecretRef', 'nodePublishSecretRef', 'nodeExpandSecretRef'] as const;

function validateCsi(csi: core.CSIPersistentVolumeSource, path: FieldPath): FieldError[] {
  const errors = shared.validateCsiDriverName(csi.driver, path.child('driver'));
  if (csi.volumeHandle === '') errors.push(required(path.child('volumeHandle'), ''));
  for (const field of csiSecrets) {
    const secret = csi[field];
    if (secret === undefined) continue;
    const { name = '', namespace = '' } = secret;
    const at = path.child(field);
    if (name === '') errors.push(required(at.child('name'), ''));
    else
      append(
        errors,
        checkDns1123Subdomain(name).map((problem) => invalid(at.child('name'), name, problem)),
      );
    if (namespace === '') errors.push(required(at.child('namespace'), ''));
    else
      append(
        errors,
        checkDns1123Label(namespace).map((problem) => invalid(at.child('namespace'), namespace, problem)),
      );
  }
  return errors;
}
