import assert from 'node:assert/strict';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemClock } from '../../../base/clock.ts';
import type { Attributes } from '../../request/authorizer.ts';
import type { AuthorizerContext, ChainLink } from './authorizer-chain.ts';
import { AuthorizerChain } from './authorizer-chain.ts';
import { WatchedFile } from '../../../base/watched-text.ts';

const context = {} as AuthorizerContext;
const question = { user: { name: 'a', uid: '', groups: [], extra: {} } } as unknown as Attributes;
const link = (type: string, name: string, decision: 'allow' | 'no-opinion'): ChainLink => ({
  type,
  name,
  build: () => ({ authorize: () => ({ decision, reason: `said by ${name}` }) }),
});

test('AuthorizerChain asks others once it is given others', () => {
  const chain = new AuthorizerChain([link('RBAC', 'rbac', 'no-opinion')], context);
  assert.deepEqual(chain.authorize(question), { decision: 'no-opinion', reason: 'rbac: said by rbac' });
  chain.replace([link('Webhook', 'hook', 'allow'), link('RBAC', 'rbac', 'no-opinion')]);
  assert.deepEqual(chain.authorize(question), { decision: 'allow', reason: 'said by hook' });
});

test('AuthorizerChain keeps to the types that it started with, webhooks aside', () => {
  const chain = new AuthorizerChain([link('RBAC', 'rbac', 'no-opinion')], context);
  assert.throws(() => chain.replace([link('Webhook', 'hook', 'allow')]), { message: 'missing required types: [RBAC]' });
  assert.throws(() => chain.replace([link('RBAC', 'rbac', 'allow'), link('Node', 'node', 'allow')]), {
    message: 'authorizer type Node is not allowed if it was not enabled at initial server startup',
  });
  assert.deepEqual(chain.authorize(question), { decision: 'no-opinion', reason: 'rbac: said by rbac' });
});

test('WatchedFile tells of a file that is replaced, with what it holds then', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'watched-'));
  const file = join(folder, 'configuration.yaml');
  await writeFile(file, 'one');
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  using _watched = new WatchedFile({ file, text: 'one', clock: systemClock, onChange: resolve, onError: reject });
  await writeFile(`${file}.new`, 'two');
  await rename(`${file}.new`, file);
  assert.equal(await promise, 'two');
  await rm(folder, { recursive: true });
});
