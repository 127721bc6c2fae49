// Upstream: pkg/apis/core/types.go (PersistentVolumeSource)
import type { PersistentVolumeSource } from '../../../schema/types/core-v1.ts';
import type { InternalField, InternalShape } from '../../common/internal-form.ts';
import { internalForm, strings } from '../../common/internal-form.ts';
import { unifiedDiff } from '../../common/unified-diff.ts';

const text = (go: string, json: string): InternalField => ({ go, json, zero: '' });
const flag = (go: string, json: string): InternalField => ({ go, json, zero: false });
const count = (go: string, json: string): InternalField => ({ go, json, zero: 0 });
const pointer = (go: string, json: string): InternalField => ({ go, json });
const secret = (go: string, json: string): InternalField => ({ go, json, shape: strings('name', 'namespace') });

/** Every source that a volume can have, and no volume has more than one of: Go's names in declared order. */
const shape: InternalShape = [
  {
    go: 'GCEPersistentDisk',
    json: 'gcePersistentDisk',
    shape: [text('PDName', 'pdName'), text('FSType', 'fsType'), count('Partition', 'partition'), flag('ReadOnly', 'readOnly')],
  },
  {
    go: 'AWSElasticBlockStore',
    json: 'awsElasticBlockStore',
    shape: [text('VolumeID', 'volumeID'), text('FSType', 'fsType'), count('Partition', 'partition'), flag('ReadOnly', 'readOnly')],
  },
  {
    go: 'HostPath',
    json: 'hostPath',
    shape: [text('Path', 'path'), pointer('Type', 'type')],
  },
  {
    go: 'Glusterfs',
    json: 'glusterfs',
    shape: [
      text('EndpointsName', 'endpoints'),
      text('Path', 'path'),
      flag('ReadOnly', 'readOnly'),
      pointer('EndpointsNamespace', 'endpointsNamespace'),
    ],
  },
  {
    go: 'NFS',
    json: 'nfs',
    shape: [text('Server', 'server'), text('Path', 'path'), flag('ReadOnly', 'readOnly')],
  },
  {
    go: 'RBD',
    json: 'rbd',
    shape: [
      pointer('CephMonitors', 'monitors'),
      text('RBDImage', 'image'),
      text('FSType', 'fsType'),
      text('RBDPool', 'pool'),
      text('RadosUser', 'user'),
      text('Keyring', 'keyring'),
      secret('SecretRef', 'secretRef'),
      flag('ReadOnly', 'readOnly'),
    ],
  },
  {
    go: 'ISCSI',
    json: 'iscsi',
    shape: [
      text('TargetPortal', 'targetPortal'),
      text('IQN', 'iqn'),
      count('Lun', 'lun'),
      text('ISCSIInterface', 'iscsiInterface'),
      text('FSType', 'fsType'),
      flag('ReadOnly', 'readOnly'),
      pointer('Portals', 'portals'),
      flag('DiscoveryCHAPAuth', 'chapAuthDiscovery'),
      flag('SessionCHAPAuth', 'chapAuthSession'),
      secret('SecretRef', 'secretRef'),
      pointer('InitiatorName', 'initiatorName'),
    ],
  },
  {
    go: 'Cinder',
    json: 'cinder',
    shape: [text('VolumeID', 'volumeID'), text('FSType', 'fsType'), flag('ReadOnly', 'readOnly'), secret('SecretRef', 'secretRef')],
  },
  {
    go: 'CephFS',
    json: 'cephfs',
    shape: [
      pointer('Monitors', 'monitors'),
      text('Path', 'path'),
      text('User', 'user'),
      text('SecretFile', 'secretFile'),
      secret('SecretRef', 'secretRef'),
      flag('ReadOnly', 'readOnly'),
    ],
  },
  {
    go: 'FC',
    json: 'fc',
    shape: [
      pointer('TargetWWNs', 'targetWWNs'),
      pointer('Lun', 'lun'),
      text('FSType', 'fsType'),
      flag('ReadOnly', 'readOnly'),
      pointer('WWIDs', 'wwids'),
    ],
  },
  {
    go: 'Flocker',
    json: 'flocker',
    shape: [text('DatasetName', 'datasetName'), text('DatasetUUID', 'datasetUUID')],
  },
  {
    go: 'FlexVolume',
    json: 'flexVolume',
    shape: [
      text('Driver', 'driver'),
      text('FSType', 'fsType'),
      secret('SecretRef', 'secretRef'),
      flag('ReadOnly', 'readOnly'),
      pointer('Options', 'options'),
    ],
  },
  {
    go: 'AzureFile',
    json: 'azureFile',
    shape: [
      text('SecretName', 'secretName'),
      text('ShareName', 'shareName'),
      flag('ReadOnly', 'readOnly'),
      pointer('SecretNamespace', 'secretNamespace'),
    ],
  },
  {
    go: 'VsphereVolume',
    json: 'vsphereVolume',
    shape: [
      text('VolumePath', 'volumePath'),
      text('FSType', 'fsType'),
      text('StoragePolicyName', 'storagePolicyName'),
      text('StoragePolicyID', 'storagePolicyID'),
    ],
  },
  {
    go: 'Quobyte',
    json: 'quobyte',
    shape: [
      text('Registry', 'registry'),
      text('Volume', 'volume'),
      flag('ReadOnly', 'readOnly'),
      text('User', 'user'),
      text('Group', 'group'),
      text('Tenant', 'tenant'),
    ],
  },
  {
    go: 'AzureDisk',
    json: 'azureDisk',
    shape: [
      text('DiskName', 'diskName'),
      text('DataDiskURI', 'diskURI'),
      pointer('CachingMode', 'cachingMode'),
      pointer('FSType', 'fsType'),
      pointer('ReadOnly', 'readOnly'),
      pointer('Kind', 'kind'),
    ],
  },
  {
    go: 'PhotonPersistentDisk',
    json: 'photonPersistentDisk',
    shape: [text('PdID', 'pdID'), text('FSType', 'fsType')],
  },
  {
    go: 'PortworxVolume',
    json: 'portworxVolume',
    shape: [text('VolumeID', 'volumeID'), text('FSType', 'fsType'), flag('ReadOnly', 'readOnly')],
  },
  {
    go: 'ScaleIO',
    json: 'scaleIO',
    shape: [
      text('Gateway', 'gateway'),
      text('System', 'system'),
      secret('SecretRef', 'secretRef'),
      flag('SSLEnabled', 'sslEnabled'),
      text('ProtectionDomain', 'protectionDomain'),
      text('StoragePool', 'storagePool'),
      text('StorageMode', 'storageMode'),
      text('VolumeName', 'volumeName'),
      text('FSType', 'fsType'),
      flag('ReadOnly', 'readOnly'),
    ],
  },
  {
    go: 'Local',
    json: 'local',
    shape: [text('Path', 'path'), pointer('FSType', 'fsType')],
  },
  {
    go: 'StorageOS',
    json: 'storageos',
    shape: [
      text('VolumeName', 'volumeName'),
      text('VolumeNamespace', 'volumeNamespace'),
      text('FSType', 'fsType'),
      flag('ReadOnly', 'readOnly'),
      pointer('SecretRef', 'secretRef'),
    ],
  },
  {
    go: 'CSI',
    json: 'csi',
    shape: [
      text('Driver', 'driver'),
      text('VolumeHandle', 'volumeHandle'),
      flag('ReadOnly', 'readOnly'),
      text('FSType', 'fsType'),
      pointer('VolumeAttributes', 'volumeAttributes'),
      secret('ControllerPublishSecretRef', 'controllerPublishSecretRef'),
      secret('NodeStageSecretRef', 'nodeStageSecretRef'),
      secret('NodePublishSecretRef', 'nodePublishSecretRef'),
      secret('ControllerExpandSecretRef', 'controllerExpandSecretRef'),
      secret('NodeExpandSecretRef', 'nodeExpandSecretRef'),
    ],
  },
];

/** What changed in the source of a volume, line by line, in the original's internal form. */
export function internalSourceDiff(old: PersistentVolumeSource, changed: PersistentVolumeSource): string {
  return unifiedDiff(printed(old), printed(changed));
}

function printed(source: PersistentVolumeSource): string {
  return JSON.stringify(internalForm(source, shape), undefined, 1);
}

/** Only the sources, of a spec that holds more. */
export function sourceOf(spec: PersistentVolumeSource): PersistentVolumeSource {
  const members = spec as Readonly<Record<string, unknown>>;
  const found = shape.flatMap(({ json }) => (members[json] === undefined ? [] : [[json, members[json]] as const]));
  return Object.fromEntries(found) as PersistentVolumeSource;
}
