// Upstream: k8s.io/apiserver/pkg/storage/etcd3/corrupt_obj_deleter.go, k8s.io/apiserver/pkg/storage/errors.go
import type { GroupResource } from '../../machinery/errors.ts';
import { ApiError, internalError } from '../../machinery/errors.ts';
import { goQuote } from '../../machinery/go-format.ts';
import type { CorruptEntry } from '../../storage/cache/types.ts';
import { TransformError } from '../../storage/encryption/ciphers/transformer.ts';
import type { FeatureGates } from './features.ts';

const maxCauses = 100;
const tooMany = 'too many errors, the list is truncated';

/** What a client learns that asks for a value that cannot be read. `key` is without the prefix of the storage. */
export function corruptObject(corrupt: CorruptEntry, features: FeatureGates): Error {
  return areDeletable(features) ? internalError(storageError(corrupt), { cause: corrupt.error }) : unnamed(corrupt.error);
}

/** What a client learns that wants to change it. A quirk kept: the object is not named, and where it is no object, that is no internal error. */
export function corruptUpdate(corrupt: CorruptEntry, features: FeatureGates): Error {
  if (!areDeletable(features)) return unnamed(corrupt.error);
  const text = reasonOf(corrupt);
  return isUntransformable(corrupt) ? internalError(text, { cause: corrupt.error }) : new Error(text, { cause: corrupt.error });
}

/** A list cannot leave out what it cannot read: it names the keys, so that an administrator can delete them. */
export function corruptList(
  groupResource: GroupResource,
  corrupt: readonly [CorruptEntry, ...CorruptEntry[]],
  features: FeatureGates,
): Error {
  if (!areDeletable(features)) {
    const [{ key, error }] = corrupt;
    return isUntransformable(corrupt[0])
      ? internalError(`unable to transform key ${goQuote(key)}: ${error.message}`, { cause: error })
      : error;
  }
  const { group, resource: kind } = groupResource;
  const shown = corrupt.slice(0, maxCauses);
  const causes = shown.map((one) => ({ reason: 'UnexpectedServerResponse', message: storageError(one), field: one.key }));
  const [first = { message: '' }] = causes;
  const more = shown.length > 1 ? ` (and ${shown.length - 1} more)` : '';
  const qualified = group === '' ? kind : `${kind}.${group}`;
  return new ApiError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `failed to read one or more ${qualified} from the storage: ${first.message}${more}`,
    reason: 'StorageReadError',
    details: {
      name: 'list',
      ...(group !== '' && { group }),
      kind,
      causes: shown.length < maxCauses ? causes : [...causes, { reason: 'FieldValueTooMany', message: tooMany }],
    },
    code: 500,
  });
}

/** Only then may they be deleted unread, and messages name them. */
function areDeletable(features: FeatureGates): boolean {
  return features.enabled('AllowUnsafeMalformedObjectDeletion');
}

function isUntransformable({ error }: Pick<CorruptEntry, 'error'>): boolean {
  return error instanceof TransformError;
}

function unnamed(error: Error): Error {
  return isUntransformable({ error }) ? internalError(error.message, { cause: error }) : error;
}

/** A value that could not be decrypted has no revision in upstream's words. */
function reasonOf(corrupt: CorruptEntry): string {
  const { revision, error } = corrupt;
  const what = isUntransformable(corrupt)
    ? 'data from the storage is not transformable revision=0'
    : `object not decodable revision=${revision}`;
  return `${what}: ${error.message}`;
}

function storageError(corrupt: CorruptEntry): string {
  return `StorageError: corrupt object, Code: 7, Key: ${corrupt.key}, ResourceVersion: 0, AdditionalErrorMsg: ${reasonOf(corrupt)}`;
}
