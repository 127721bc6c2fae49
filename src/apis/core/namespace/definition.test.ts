import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject, Strategy } from '../../../server/registry/definition.ts';
import { startTestServer } from '../../../testing/index.ts';
import { testContext } from '../../../../test/support/write-context.ts';
import { namespaces } from './definition.ts';

const strategy = namespaces.strategy as Strategy;
const context = testContext();
const namespace = (fields: Record<string, unknown> = {}): KubeObject => ({
  metadata: { name: 'n', uid: 'u', resourceVersion: '5' },
  ...fields,
});

test('a new namespace is active, named by a label and kept by the finalizer of its content', () => {
  const object = namespace({ spec: { finalizers: ['example.com/mine'] } });
  strategy.defaults?.(object, 'v1');
  strategy.prepareForCreate?.(object, context);
  assert.deepEqual(object.metadata.labels, { 'kubernetes.io/metadata.name': 'n' });
  assert.deepEqual(object['spec'], { finalizers: ['example.com/mine', 'kubernetes'] });
  assert.deepEqual(object['status'], { phase: 'Active' });
});

test('a namespace whose name was generated has the label of its name too', () => {
  const object = namespace({ metadata: { generateName: 'n-' } });
  strategy.defaults?.(object, 'v1');
  object.metadata.name = 'n-x';
  strategy.canonicalize?.(object);
  assert.deepEqual(object.metadata.labels, { 'kubernetes.io/metadata.name': 'n-x' });
});

test('the first delete of a namespace only begins its end', async () => {
  const object = namespace({ spec: { finalizers: ['kubernetes'] }, status: { phase: 'Active' } });
  const decision = await strategy.beforeDelete?.(object, { propagationPolicy: 'Foreground' }, context);
  assert.ok(decision !== undefined && !decision.proceed && decision.update !== undefined);
  const ending = decision.update(object);
  assert.equal(ending.metadata.deletionTimestamp, context.now);
  assert.deepEqual(ending.metadata.finalizers, ['foregroundDeletion']);
  assert.deepEqual(ending['status'], { phase: 'Terminating' });
});

test('a namespace goes when nothing keeps it any more', async () => {
  const metadata = { name: 'n', deletionTimestamp: context.now };
  assert.deepEqual(await strategy.beforeDelete?.({ metadata, spec: { finalizers: ['kubernetes'] } }, {}, context), { proceed: false });
  assert.deepEqual(await strategy.beforeDelete?.({ metadata, spec: {} }, {}, context), { proceed: true });
});

test('preconditions of a namespace fail in words of their own', () => {
  assert.throws(
    () => strategy.beforeDelete?.(namespace(), { preconditions: { uid: 'other' } }, context),
    /Operation cannot be fulfilled on namespaces "n": Precondition failed: UID in precondition: other, UID in object meta: u$/,
  );
  assert.throws(
    () => strategy.beforeDelete?.(namespace(), { preconditions: { resourceVersion: '4' } }, context),
    /ResourceVersion in precondition: 4, ResourceVersion in object meta: 5$/,
  );
});

test('finalizers of content are named without their place on create, and with it on finalize', () => {
  const object = namespace({ spec: { finalizers: ['plain'] } });
  const detail = 'Invalid value: "plain": name is neither a standard finalizer name nor is it fully qualified';
  assert.deepEqual(strategy.validate?.(object, context).map(String), [`spec.finalizers: ${detail}`]);
  const finalize = namespaces.subresources?.['finalize']?.update;
  assert.deepEqual(finalize?.validateUpdate?.(object, object, context).map(String), [`spec.finalizers[0]: ${detail}`]);
});

test('what the name of a namespace is said to be made of must do for a name, after it was made too', () => {
  const object = namespace({ metadata: { name: 'n', generateName: 'UPPER' } });
  assert.match(String(strategy.validateUpdate?.(object, object, context)), /^metadata\.generateName: Invalid value: "UPPER": /);
});

test('an update of a namespace names what is wrong with its generateName before its finalizers, as upstream does', async () => {
  await using server = await startTestServer({ controllers: false });
  const client = server.client().resource('v1', 'Namespace');
  await client.create({ metadata: { name: 'n' } });
  const wrong = client.patch('n', { metadata: { generateName: 'UPPER', finalizers: ['plain'] } });
  await assert.rejects(wrong, /metadata\.generateName: .*metadata\.finalizers\[0\]: .*neither a standard finalizer name/s);
});
