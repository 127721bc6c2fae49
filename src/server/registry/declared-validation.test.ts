import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FieldPath, invalid, notSupported, required } from '../../machinery/field.ts';
import type { FieldError } from '../../machinery/field.ts';
import { DeclarativeRules } from '../../schema/declarative/declarative-rules.ts';
import { createSchema } from '../../schema/index.ts';
import { declaredValidation, withDeclared } from './declared-validation.ts';
import type { KubeObject, ResourceDefinition, Strategy } from './definition.ts';
import type { VersionedKind } from '../object/versioned-kind.ts';
import type { Resource } from './resource.ts';
import { testContext } from '../../../test/support/write-context.ts';

const schema = createSchema();

function resource(
  group: string,
  kind: string,
  versions: readonly string[],
  strategy: Strategy = {},
  conversions?: ResourceDefinition['conversions'],
): Resource {
  const represent = (version: string): VersionedKind =>
    ({ group, version, kind, apiVersion: `${group}/${version}`, type: schema.typeOf({ group, version, kind }) }) as VersionedKind;
  const served = new Map(versions.map((version) => [version, represent(version)]));
  const definition = { group, plural: 'things', strategy, ...(conversions !== undefined && { conversions }) };
  return { versions: served, storage: served.get(versions[0] as string), strategy, definition } as unknown as Resource;
}

function errorsOf(subject: Resource, object: object, context = testContext()): string[] {
  const validate = declaredValidation(subject, new DeclarativeRules((value) => JSON.stringify(value)));
  return validate({ metadata: {}, ...object } as KubeObject, undefined, context).map(String);
}

describe('rules that types declare', () => {
  test('hold at the version of the request', () => {
    const toBeta = (object: KubeObject): KubeObject => {
      const { handler, ...rest } = object;
      return { ...rest, spec: { runtimeHandler: handler } } as KubeObject;
    };
    const conversions = { v1alpha1: { toStorage: (object: KubeObject) => object, fromStorage: toBeta } };
    const subject = resource('node.k8s.io', 'RuntimeClass', ['v1', 'v1alpha1'], {}, conversions);
    assert.deepEqual(errorsOf(subject, { handler: '' }), ['handler: Required value']);
    assert.deepEqual(errorsOf(subject, { handler: '' }, testContext({ version: 'v1alpha1' })), ['spec.runtimeHandler: Required value']);
  });

  test('leave the object alone', () => {
    const subject = resource('node.k8s.io', 'RuntimeClass', ['v1', 'v1alpha1'], {}, { v1alpha1: { toStorage: same, fromStorage: same } });
    const object = { metadata: {}, apiVersion: 'node.k8s.io/v1', handler: 'x' };
    errorsOf(subject, object, testContext({ version: 'v1alpha1' }));
    assert.equal(object.apiVersion, 'node.k8s.io/v1');
  });

  test('ask for features, unless the kind knows better', () => {
    const spec = { maxReplicas: 1, minReplicas: 0, scaleTargetRef: { kind: 'A', name: 'a' } };
    const features = { enabled: (name: string) => name !== 'HPAScaleToZero' };
    const hpa = (strategy: Strategy): string[] =>
      errorsOf(resource('autoscaling', 'HorizontalPodAutoscaler', ['v2'], strategy), { spec }, testContext({ features, version: 'v2' }));
    assert.deepEqual(hpa({}), ['spec.minReplicas: Invalid value: 0: must be greater than or equal to 1']);
    assert.deepEqual(hpa({ declaredOptions: () => ({ HPAScaleToZero: true }) }), []);
  });
});

describe('hand-written errors and declared ones', () => {
  const path = FieldPath.root('a');
  const other = required(FieldPath.root('b'), '');
  const cases: readonly (readonly [what: string, written: FieldError, declared: FieldError, kept: boolean])[] = [
    ['the same words', invalid(path, 1, 'no'), invalid(path, 1, 'no'), false],
    ['other words about what is missing', required(path, 'at least one'), required(path, ''), false],
    ['other words about what is supported', notSupported(path, 'x', ['b', 'a']), notSupported(path, 'x', ['a', 'b']), false],
    [
      'other words of the same rule',
      invalid(path, 'x', 'no').withOrigin('immutable'),
      invalid(path, null, 'no').withOrigin('immutable'),
      false,
    ],
    ['another rule', invalid(path, 'x', 'no').withOrigin('format=x'), invalid(path, null, 'no').withOrigin('immutable'), true],
    ['a rule without a name', invalid(path, 'x', 'no'), invalid(path, null, 'never'), true],
    ['another field', other, required(path, ''), true],
  ];
  for (const [what, written, declared, kept] of cases) {
    test(`${what}: ${kept ? 'both are' : 'the declared one is'} heard`, () => {
      assert.deepEqual(withDeclared([written], [declared], testContext()), kept ? [written, declared] : [declared]);
    });
  }

  test('hand-written ones are heard while the gate is off, and declared ones where there are none', () => {
    const [written, declared] = [required(path, 'at least one'), required(path, '')];
    const context = testContext({ features: { enabled: (name) => name !== 'DeclarativeValidationBeta' } });
    assert.deepEqual(withDeclared([written], [declared, other], context), [written, other]);
  });

  test('declared ones come last', () => {
    const covered = required(path, '');
    assert.deepEqual(withDeclared([covered, other], [covered], testContext()), [other, covered]);
  });
});

function same(object: KubeObject): KubeObject {
  return object;
}
