import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../../machinery/errors.ts';
import { TransformError } from '../../storage/encryption/ciphers/transformer.ts';
import { corruptList, corruptObject, corruptUpdate } from './corrupt-object.ts';

const secret = { group: '', resource: 'secrets' };
const authentication = new TransformError('cipher: message authentication failed', { provider: undefined, keyName: undefined });
const undecryptable = { key: '/registry/secrets/default/a', revision: 7, error: authentication };
const undecodable = { key: '/registry/secrets/default/b', revision: 8, error: new Error('unexpected EOF') };

/** `status` is undefined where it is no error of the API. */
const shown = (error: Error): unknown => (error instanceof ApiError ? [error.status.reason, error.status.message] : error.message);

test('what cannot be read is refused in the words of reads, lists and updates, as the feature is on or off', () => {
  const on = { enabled: () => true };
  const off = { enabled: () => false };
  const words = [on, off].map((features) =>
    [undecryptable, undecodable].map((one) => [
      shown(corruptObject({ ...one, key: one.key.slice('/registry'.length) }, features)),
      shown(corruptUpdate(one, features)),
      shown(corruptList(secret, [one, undecodable], features)),
    ]),
  );
  const corrupt = 'StorageError: corrupt object, Code: 7, Key:';
  const untransformed = 'data from the storage is not transformable revision=0: cipher: message authentication failed';
  const undecoded = 'object not decodable revision=8: unexpected EOF';
  const list = 'failed to read one or more secrets from the storage:';
  assert.deepEqual(words, [
    [
      [
        [
          'InternalError',
          `Internal error occurred: ${corrupt} /secrets/default/a, ResourceVersion: 0, AdditionalErrorMsg: ${untransformed}`,
        ],
        ['InternalError', `Internal error occurred: ${untransformed}`],
        [
          'StorageReadError',
          `${list} ${corrupt} ${undecryptable.key}, ResourceVersion: 0, AdditionalErrorMsg: ${untransformed} (and 1 more)`,
        ],
      ],
      [
        ['InternalError', `Internal error occurred: ${corrupt} /secrets/default/b, ResourceVersion: 0, AdditionalErrorMsg: ${undecoded}`],
        undecoded,
        ['StorageReadError', `${list} ${corrupt} ${undecodable.key}, ResourceVersion: 0, AdditionalErrorMsg: ${undecoded} (and 1 more)`],
      ],
    ],
    [
      [
        ['InternalError', 'Internal error occurred: cipher: message authentication failed'],
        ['InternalError', 'Internal error occurred: cipher: message authentication failed'],
        [
          'InternalError',
          'Internal error occurred: unable to transform key "/registry/secrets/default/a": cipher: message authentication failed',
        ],
      ],
      ['unexpected EOF', 'unexpected EOF', 'unexpected EOF'],
    ],
  ]);
});
