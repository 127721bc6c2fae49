import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { admissionServer } from '../../../test/support/admission-server.ts';

const path = '/apis/scheduling.k8s.io/v1beta1/namespaces/a/podgroups';
const protection = 'scheduling.k8s.io/podgroup-protection';
const spec = { schedulingPolicy: { basic: {} } };

const cases: readonly (readonly [what: string, given: readonly string[] | undefined, expected: readonly string[]])[] = [
  ['without finalizers', undefined, [protection]],
  ['with a finalizer of its own', ['example.com/a'], ['example.com/a', protection]],
  ['with the finalizer', [protection], [protection]],
];

describe('PodGroupProtection', () => {
  const server = admissionServer({
    plugins: ['PodGroupProtection'],
    features: { GenericWorkload: true },
    apis: { 'scheduling.k8s.io/v1beta1': true },
  });

  for (const [what, finalizers, expected] of cases) {
    test(`a group of pods ${what} stays until ${protection} is taken away`, async () => {
      const metadata = { name: 'g', ...(finalizers && { finalizers }) };
      const { object, message } = await server.tryCreate(path, { metadata, spec });
      assert.equal(message, undefined);
      assert.deepEqual(object.metadata.finalizers, expected);
    });
  }

  test('a group that is there does not get it back', async () => {
    await server.given(path, { metadata: { name: 'g' }, spec });
    const { object } = await server.patch(`${path}/g`, { metadata: { finalizers: null, labels: { a: 'b' } } });
    assert.equal(object.metadata.finalizers, undefined);
  });
});
