import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serverFlags } from './index.ts';
import { parseFlags } from '../parse-flags.ts';

const parse = (...args: string[]): unknown => parseFlags(serverFlags, args).values['embedded-controllers'];

test('--embedded-controllers takes all, none or some, and is off when it is not given', () => {
  assert.equal(parse(), false);
  assert.equal(parse('--embedded-controllers'), true);
  assert.equal(parse('--embedded-controllers=true'), true);
  assert.equal(parse('--embedded-controllers=true', '--embedded-controllers=false'), false);
  assert.deepEqual(parse('--embedded-controllers=namespace-controller,serviceaccount-controller'), [
    'namespace-controller',
    'serviceaccount-controller',
  ]);
});

test('--embedded-controllers refuses controllers that do not exist', () => {
  assert.throws(() => parse('--embedded-controllers=namespace-controller,deployment-controller'), /no controller deployment-controller/);
});
