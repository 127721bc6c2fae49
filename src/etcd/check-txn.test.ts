import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkTxn } from './check-txn.ts';
import type { RequestOperation } from './requests.ts';

const put = (key: string): RequestOperation => ({
  type: 'put',
  request: { key, value: Buffer.alloc(0), lease: 0n, prevKv: false, ignoreValue: false, ignoreLease: false },
});
const remove = (key: string, rangeEnd = ''): RequestOperation => ({ type: 'delete', request: { key, rangeEnd, prevKv: false } });
const nested = (success: readonly RequestOperation[], failure: readonly RequestOperation[] = []): RequestOperation => ({
  type: 'txn',
  request: { compare: [], success, failure },
});

const refused: Readonly<Record<string, readonly RequestOperation[]>> = {
  'a key twice': [put('a'), put('a')],
  'a key that is deleted': [put('b'), remove('b')],
  'in one of several ranges': [put('m'), remove('x', 'z'), remove('k', 'n'), remove('a', 'c')],
  'in a range that others overlap': [put('f'), remove('a', 'd'), remove('c', 'h'), remove('b', 'c')],
  'in a long range before a short one': [put('y'), remove('a', 'z'), remove('b', 'c')],
  'at the start of a range': [put('k'), remove('k', 'n')],
  'deleted by a nested transaction': [nested([remove('k', 'n')]), put('l')],
  'put by two nested transactions': [nested([put('a')]), nested([], [put('a')])],
  'deleted by an earlier nested transaction': [nested([], [remove('a', 'c')]), nested([put('b')])],
};

const taken: Readonly<Record<string, readonly RequestOperation[]>> = {
  'the end of a range': [put('n'), remove('k', 'n')],
  'between ranges': [put('m'), remove('a', 'm'), remove('m\0', 'z')],
  'a range that ends before it begins': [put('b'), remove('c', 'a')],
  alternatives: [nested([put('a')], [put('a')])],
  'from a key on': [put('b'), remove('a', '\0')],
};

for (const [name, operations] of Object.entries(refused)) {
  test(`a transaction is refused: ${name}`, () => {
    assert.throws(() => checkTxn({ compare: [], success: operations, failure: [] }, 128), /duplicate key given in txn request/);
  });
}

for (const [name, operations] of Object.entries(taken)) {
  test(`a transaction is taken: ${name}`, () => checkTxn({ compare: [], success: [], failure: operations }, 128));
}

test('thousands of nested writes and deletes are compared one and all, and more are refused', () => {
  let next = 0;
  const leaf = (): RequestOperation => (next++ % 2 === 0 ? put(`p${next}`) : remove(`d${next}`));
  const many = (count: number, make: () => RequestOperation): RequestOperation[] => Array.from({ length: count }, make);
  const inner = (): RequestOperation => nested(many(20, () => nested(many(43, leaf))));
  const operations = many(20, inner);
  checkTxn({ compare: [], success: operations, failure: [] }, 128);
  assert.throws(() => checkTxn({ compare: [], success: [...operations, put('d1000')], failure: [] }, 128), /duplicate key/);
  const tooMany = many(24, inner);
  assert.throws(() => checkTxn({ compare: [], success: [], failure: tooMany }, 128), /too many operations in txn request/);
});
