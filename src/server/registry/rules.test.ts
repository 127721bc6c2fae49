import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FieldPath, invalid } from '../../machinery/field.ts';
import type { KubeObject, Strategy } from './definition.ts';
import type { RuleSubject } from './rules.ts';
import { allSteps } from '../../base/steps.ts';
import { beforeCreate, checkUpdate, ensureNamespace, prepareUpdate, validateKubeFinalizers } from './rules.ts';
import { testContext } from '../../../test/support/write-context.ts';

const subject = (strategy: Strategy = {}, changes: Partial<RuleSubject> = {}): RuleSubject => ({
  group: 'example.com',
  kind: 'Thing',
  namespaced: true,
  strategy,
  hasStatus: true,
  tracksGeneration: true,
  ...changes,
});
const thing = (fields: Record<string, unknown> = {}): KubeObject => ({
  metadata: { name: 't', namespace: 'default', uid: 'u', resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z', generation: 1 },
  ...fields,
});
const context = testContext();

test('a create has no status and the first generation', () => {
  const object = thing({ status: { ready: true } });
  delete object.metadata.generation;
  allSteps(beforeCreate(subject(), object, context));
  assert.equal(object['status'], undefined);
  assert.equal(object.metadata.generation, 1);
});

test('an update keeps the status and counts only changes of what is wanted', () => {
  const old = thing({ spec: { size: 1 }, status: { ready: true } });
  const labelled = thing({ spec: { size: 1 }, status: {} });
  labelled.metadata.labels = { a: 'b' };
  prepareUpdate(subject(), labelled, old, context);
  assert.equal(labelled.metadata.generation, 1);
  assert.deepEqual(labelled['status'], { ready: true });
  const grown = thing({ spec: { size: 2 } });
  prepareUpdate(subject(), grown, old, context);
  assert.equal(grown.metadata.generation, 2);
});

test('a kind whose generation takes a feature has none without it', () => {
  const kind = subject({ generation: true, generationFeature: 'Counted' });
  for (const isEnabled of [false, true]) {
    const asked = { ...context, features: { enabled: (name: string) => name === 'Counted' && isEnabled } };
    const object = thing({ spec: { size: 1 } });
    delete object.metadata.generation;
    allSteps(beforeCreate(kind, object, asked));
    assert.equal(object.metadata.generation, isEnabled ? 1 : undefined);
    const grown = thing({ spec: { size: 2 } });
    prepareUpdate(kind, grown, object, asked);
    assert.equal(grown.metadata.generation, isEnabled ? 2 : undefined);
  }
});

test('the same fault is told once, under the name that the kind has in errors', () => {
  const fault = invalid(FieldPath.root('spec'), 1, 'is odd');
  const strategy: Strategy = { validate: () => [fault, fault] };
  assert.throws(() => allSteps(beforeCreate(subject(strategy), thing(), context)), {
    message: 'Thing.example.com "t" is invalid: spec: Invalid value: 1: is odd',
  });
  const core = subject(strategy, { errorKind: { group: '', kind: 'Thing' } });
  assert.throws(() => allSteps(beforeCreate(core, thing(), context)), { message: 'Thing "t" is invalid: spec: Invalid value: 1: is odd' });
});

test('a kind that leaves metadata to the common rules takes any name that fits a path', () => {
  const object = thing();
  object.metadata.name = 'Upper_Case';
  assert.throws(() => allSteps(beforeCreate(subject(), structuredClone(object), context)), /a lowercase RFC 1123 subdomain/);
  allSteps(beforeCreate(subject({ skipsMetadataValidation: true }), object, context));
});

test('the namespace of an object is that of its request', () => {
  const metadata = { name: 't' } as KubeObject['metadata'];
  ensureNamespace(metadata, 'a', true);
  assert.equal(metadata.namespace, 'a');
  assert.throws(() => ensureNamespace(metadata, 'b', true), /does not match the namespace sent on the request/);
});

test('others may get their turn between preparing, validating and warning', () => {
  const done: string[] = [];
  const strategy: Strategy = {
    prepareForCreate: () => void done.push('prepare'),
    validate: () => (done.push('validate'), []),
    validateUpdate: () => (done.push('validate'), []),
    warningsOnCreate: () => (done.push('warn'), []),
    warningsOnUpdate: () => (done.push('warn'), []),
  };
  const stages = (steps: Iterable<void>): readonly number[] => {
    done.length = 0;
    return Array.from(steps, () => done.length);
  };
  assert.deepEqual(stages(beforeCreate(subject(strategy), thing(), context)), [1, 1, 2, 2, 2]);
  assert.deepEqual(done, ['prepare', 'validate', 'warn']);
  assert.deepEqual(stages(checkUpdate(subject(strategy), thing(), thing(), context, [])), [0, 0, 0, 1, 1]);
  assert.deepEqual(done, ['validate', 'warn']);
});

test('finalizers are looked at before what a kind says of an update, unless that begins with all metadata', () => {
  const own = invalid(FieldPath.root('metadata', 'generateName'), 'a b', 'is odd');
  const order = (validatesMetadataOnUpdate: boolean): RegExp =>
    validatesMetadataOnUpdate ? /metadata\.generateName.*metadata\.finalizers/s : /metadata\.finalizers.*metadata\.generateName/s;
  for (const validatesMetadataOnUpdate of [true, false]) {
    const strategy: Strategy = { validatesMetadataOnUpdate, validateUpdate: ({ metadata }) => [own, ...validateKubeFinalizers(metadata)] };
    const object = thing();
    object.metadata.finalizers = ['odd'];
    assert.throws(() => allSteps(checkUpdate(subject(strategy), object, thing(), context, [])), order(validatesMetadataOnUpdate));
  }
});
