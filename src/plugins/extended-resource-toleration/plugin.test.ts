import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { admissionServer } from '../../../test/support/admission-server.ts';

interface Pod {
  readonly spec: { readonly tolerations?: readonly object[] };
}

const container = (...names: readonly string[]): object => {
  const amounts = Object.fromEntries(names.map((name) => [name, '1']));
  return { name: 'c', image: 'i', resources: { requests: amounts, limits: amounts } };
};
const tolerated = (key: string): object => ({ key, operator: 'Exists', effect: 'NoSchedule' });
const wider = { key: 'a.com/x', operator: 'Exists' };

const cases: readonly (readonly [what: string, spec: object, tolerations: readonly object[] | undefined])[] = [
  ['that asks for nothing special', { containers: [container('cpu', 'memory')] }, undefined],
  ['that asks for two kinds of devices', { containers: [container('b.com/y', 'a.com/x')] }, [tolerated('a.com/x'), tolerated('b.com/y')]],
  [
    'whose init container asks for a device',
    { containers: [container()], initContainers: [{ ...container('a.com/x'), name: 'i' }] },
    [tolerated('a.com/x')],
  ],
  ['that tolerates the taint already', { containers: [container('a.com/x')], tolerations: [tolerated('a.com/x')] }, [tolerated('a.com/x')]],
  ['that tolerates the taint with any effect', { containers: [container('a.com/x')], tolerations: [wider] }, [wider, tolerated('a.com/x')]],
];

describe('ExtendedResourceToleration', () => {
  const server = admissionServer({ plugins: ['ExtendedResourceToleration'] });

  for (const [what, spec, expected] of cases) {
    test(`a pod ${what} tolerates ${expected?.length ?? 'no'} taints`, async () => {
      const { object, message } = await server.tryCreate<Pod>('/api/v1/namespaces/a/pods', { metadata: { name: 'p' }, spec });
      assert.equal(message, undefined);
      assert.deepEqual(object.spec.tolerations, expected);
    });
  }
});
