import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { admissionServer } from '../../../test/support/admission-server.ts';

interface Node {
  readonly spec: { readonly taints?: readonly object[] };
}

const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };
const evicting = { key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' };
const own = { key: 'a', value: 'b', effect: 'NoSchedule' };
const cases: readonly (readonly [what: string, given: readonly object[] | undefined, expected: readonly object[]])[] = [
  ['without taints', undefined, [notReady]],
  ['with a taint of its own', [own], [own, notReady]],
  ['that says itself that it is not ready', [notReady, own], [notReady, own]],
  ['that says so with another effect', [evicting], [evicting, notReady]],
];

describe('TaintNodesByCondition', () => {
  const server = admissionServer({ plugins: ['TaintNodesByCondition'] });

  for (const [what, taints, expected] of cases) {
    test(`a new node ${what} gets no pods until it has been seen ready`, async () => {
      const { object } = await server.tryCreate<Node>('/api/v1/nodes', { metadata: { name: 'n' }, spec: { ...(taints && { taints }) } });
      assert.deepEqual(object.spec.taints, expected);
    });
  }

  test('a node that is there does not get the taint back', async () => {
    await server.given('/api/v1/nodes', { metadata: { name: 'n' } });
    const { object } = await server.patch<Node>('/api/v1/nodes/n', { spec: { taints: [own] } });
    assert.deepEqual(object.spec.taints, [own]);
  });
});
