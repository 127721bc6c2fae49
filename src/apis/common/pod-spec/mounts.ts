// Upstream: k8s.io/kubernetes/pkg/apis/core/validation/validation.go#ValidateVolumeMounts, #ValidateVolumeDevices
import { append } from '../../../machinery/append.ts';
import { duplicate, forbidden, invalid, notFound, notSupported, required } from '../../../machinery/field.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import type { VolumeDevice, VolumeMount } from '../../../schema/types/core-v1.ts';
import type { AnyContainer } from './containers.ts';
import { validateDescendingPath, validateOneOf, validateRequired } from './rules.ts';
import type { ValidVolumes } from './volumes.ts';

const propagations = ['Bidirectional', 'HostToContainer', 'None'];
const bindOptions = ['noexec', 'nodev', 'nosuid'].sort();
const recursions = ['Disabled', 'Enabled', 'IfPossible'];

export function validateMounts(container: AnyContainer, volumes: ValidVolumes, path: FieldPath): FieldError[] {
  if (!container.volumeMounts?.length) return [];
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  // Of several devices or mounts of one volume, upstream remembers the last one's path.
  const devices = container.volumeDevices && new Map(container.volumeDevices.map(({ name, devicePath }) => [name, devicePath]));
  const devicePaths = devices && new Set(devices.values());
  container.volumeMounts.forEach((mount, index) => {
    const at = path.index(index);
    const { name, mountPath, subPath = '', subPathExpr = '' } = mount;
    append(errors, validateRequired(name, at.child('name')));
    if (!volumes.has(name)) errors.push(notFound(at.child('name'), name));
    append(errors, validateRequired(mountPath, at.child('mountPath')));
    if (seen.has(mountPath)) errors.push(invalid(at.child('mountPath'), mountPath, 'must be unique'));
    seen.add(mountPath);
    if (devices?.has(name)) {
      errors.push(invalid(at.child('name'), name, 'must not already exist in volumeDevices'));
    }
    if (devicePaths?.has(mountPath)) {
      errors.push(invalid(at.child('mountPath'), mountPath, 'must not already exist as a path in volumeDevices'));
    }
    // From here on upstream reports at the list where it should at the item.
    if (subPath !== '') append(errors, validateDescendingPath(subPath, path.child('subPath')));
    if (subPathExpr !== '') {
      if (subPath !== '') errors.push(invalid(at.child('subPathExpr'), subPathExpr, 'subPathExpr and subPath are mutually exclusive'));
      append(errors, validateDescendingPath(subPathExpr, path.child('subPathExpr')));
    }
    append(
      errors,
      validatePropagation(mount, container, path.child('mountPropagation')),
      validateRecursiveReadOnly(mount, path.child('recursiveReadOnly')),
      validateBindOptions(mount, volumes, at.child('bindMountOptions')),
    );
  });
  return errors;
}

function validatePropagation({ mountPropagation }: VolumeMount, { securityContext }: AnyContainer, path: FieldPath): FieldError[] {
  const errors = validateOneOf(mountPropagation, propagations, path);
  if (mountPropagation === 'Bidirectional' && securityContext?.privileged !== true) {
    errors.push(forbidden(path, 'Bidirectional mount propagation is available only to privileged containers'));
  }
  return errors;
}

function validateRecursiveReadOnly({ recursiveReadOnly, readOnly, mountPropagation }: VolumeMount, path: FieldPath): FieldError[] {
  const errors = validateOneOf(recursiveReadOnly, recursions, path);
  if (recursiveReadOnly !== 'Enabled' && recursiveReadOnly !== 'IfPossible') return errors;
  if (readOnly !== true) errors.push(forbidden(path, 'may only be specified when readOnly is true'));
  if (mountPropagation !== undefined && mountPropagation !== 'None') {
    errors.push(forbidden(path, 'may only be specified when mountPropagation is None or not specified'));
  }
  return errors;
}

function validateBindOptions({ name, bindMountOptions }: VolumeMount, volumes: ValidVolumes, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (bindMountOptions === undefined) return errors;
  const seen = new Set<string>();
  bindMountOptions.forEach((option, index) => {
    if (!bindOptions.includes(option)) errors.push(notSupported(path.index(index), option, bindOptions));
    if (seen.has(option)) errors.push(duplicate(path.index(index), option));
    seen.add(option);
  });
  if (bindMountOptions.length > 0 && volumes.get(name)?.image !== undefined) {
    errors.push(invalid(path, bindMountOptions, 'bindMountOptions may not be used with image volumes'));
  }
  return errors;
}

export function validateDevices(
  { volumeDevices, volumeMounts = [] }: Pick<AnyContainer, 'volumeDevices' | 'volumeMounts'>,
  volumes: ValidVolumes,
  path: FieldPath,
): FieldError[] {
  if (!volumeDevices?.length) return [];
  const errors: FieldError[] = [];
  const names = new Set<string>();
  const paths = new Set<string>();
  const mounts = new Map(volumeMounts.map(({ name, mountPath }) => [name, mountPath]));
  const mountPaths = new Set(mounts.values());
  volumeDevices.forEach((device: VolumeDevice, index) => {
    const at = path.index(index);
    const { name, devicePath } = device;
    const volume = volumes.get(name);
    if (name === '') errors.push(required(at.child('name'), ''));
    if (names.has(name)) errors.push(invalid(at.child('name'), name, 'must be unique'));
    if (volume === undefined) errors.push(notFound(at.child('name'), name));
    else if (volume.persistentVolumeClaim === undefined && volume.ephemeral === undefined) {
      const detail = 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode';
      errors.push(invalid(at.child('name'), name, detail));
    }
    append(errors, validateRequired(devicePath, at.child('devicePath')));
    if (paths.has(devicePath)) errors.push(invalid(at.child('devicePath'), devicePath, 'must be unique'));
    if (devicePath.split('/').includes('..')) {
      errors.push(invalid(at.child('devicePath'), devicePath, "can not contain backsteps ('..')"));
    } else paths.add(devicePath);
    if (mounts.has(name)) {
      errors.push(invalid(at.child('name'), name, 'must not already exist in volumeMounts'));
    }
    if (mountPaths.has(devicePath)) {
      errors.push(invalid(at.child('devicePath'), devicePath, 'must not already exist as a path in volumeMounts'));
    }
    if (name !== '') names.add(name);
  });
  return errors;
}
