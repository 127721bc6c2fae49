// Upstream: k8s.io/kubernetes/pkg/apis/storage/validation/validation.go#ValidateCSINodeStatusUpdate
import { reasonProblems } from '../../../machinery/conditions.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { FieldPath as Path, duplicate, invalid, required, tooLong, tooMany } from '../../../machinery/field.ts';
import { repeatsIn } from '../../../machinery/repeats.ts';
import type { StorageHealth, StorageHealthCondition } from '../../../schema/types/storage-v1.ts';
import { validateOneOf } from '../../common/pod-spec/rules.ts';
import { validateCsiDriverName } from '../../common/pod-spec/volume-sources.ts';
import type { CsiNodeObject } from './validation.ts';

const healthPath = Path.root('status', 'storageHealth');
const maxConditions = 16;
const maxReasonBytes = 256;
const maxMessageBytes = 1024;
const statuses: readonly string[] = ['StorageDegraded', 'StorageUnreachable'];
const accessModes: readonly string[] = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
const volumeModes: readonly string[] = ['Filesystem', 'Block'];

export function validateStatusUpdate({ status }: CsiNodeObject): FieldError[] {
  const drivers = status.storageHealth ?? [];
  const repeats = repeatsIn(drivers.map(({ name }) => name));
  return drivers.flatMap((health, index) => [
    ...(repeats.has(index) ? [duplicate(healthPath.index(index), health.name)] : []),
    ...validateHealth(health, healthPath.index(index)),
  ]);
}

function validateHealth({ name, healthConditions = [] }: StorageHealth, path: FieldPath): FieldError[] {
  const errors = validateCsiDriverName(name, path.child('name'));
  const conditionsPath = path.child('healthConditions');
  if (healthConditions.length > maxConditions) return [...errors, tooMany(conditionsPath, healthConditions.length, maxConditions)];
  return [...errors, ...healthConditions.flatMap((condition, index) => validateCondition(condition, conditionsPath.index(index)))];
}

function validateCondition(condition: StorageHealthCondition, path: FieldPath): FieldError[] {
  const { status, reason, message = '', accessMode, volumeMode } = condition;
  return [
    ...validateOneOf(status, statuses, path.child('status')),
    ...validateReason(reason, path.child('reason')),
    ...(Buffer.byteLength(message) > maxMessageBytes ? [tooLong(path.child('message'), maxMessageBytes)] : []),
    ...validateOneOf(accessMode, accessModes, path.child('accessMode')),
    ...validateOneOf(volumeMode, volumeModes, path.child('volumeMode')),
  ];
}

function validateReason(reason: string, path: FieldPath): FieldError[] {
  if (reason === '') return [required(path, '')];
  const errors = reasonProblems(reason).map((problem) => invalid(path, reason, problem));
  if (Buffer.byteLength(reason) > maxReasonBytes) errors.push(tooLong(path, maxReasonBytes));
  return errors;
}
