// Upstream: k8s.io/apiserver/pkg/storage/etcd3/corrupt_obj_deleter.go, k8s.io/apiserver/pkg/storage/errors.go
import type { GroupResource } from '../../machinery/errors.ts';
import { ApiError, internalError } from '../../machinery/errors.ts';
import type { CorruptEntry } from '../../storage/cache/types.ts';
import { TransformError } from '../../storage/encryption/ciphers/transformer.ts';
import type { FeatureGates } from './features.ts';

const maxCauses = 100;
const tooMany = 'too many errors, the list is truncated';

/** What a client learns that asks for a value that cannot be read. */
export function corruptObject(corrupt: CorruptEntry, features: FeatureGates): ApiError {
  const { error } = corrupt;
  return internalError(areDeletable(features) ? storageError(corrupt) : error.message, { cause: error });
}

/** A list cannot leave out what it cannot read: it names the keys, so that an administrator can delete them. */
export function corruptList(groupResource: GroupResource, corrupt: readonly CorruptEntry[], features: FeatureGates): ApiError {
  if (!areDeletable(features)) {
    const lines = corrupt.map(({ key, error }) => `unable to transform or decode ${JSON.stringify(key)}: ${error.message}`);
    return internalError(lines.join('\n'));
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

/** A value that could not be decrypted has no revision in upstream's words. */
function storageError({ key, revision, error }: CorruptEntry): string {
  const isEncrypted = error instanceof TransformError;
  const what = isEncrypted ? 'data from the storage is not transformable revision=0' : `object not decodable revision=${revision}`;
  return `StorageError: corrupt object, Code: 7, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${what}: ${error.message}`;
}
