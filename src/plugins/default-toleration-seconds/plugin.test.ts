import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { admissionServer } from '../../../test/support/admission-server.ts';

interface Pod {
  readonly spec: { readonly tolerations?: readonly object[] };
}

const pods = '/api/v1/namespaces/a/pods';
const pod = (tolerations: readonly object[]): object => ({
  metadata: { name: 'p' },
  spec: { containers: [{ name: 'c', image: 'i' }], tolerations },
});
const notReadyKey = 'node.kubernetes.io/not-ready';
const unreachableKey = 'node.kubernetes.io/unreachable';
const stays = (key: string, tolerationSeconds = 300): object => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds });
const [notReady, unreachable] = [stays(notReadyKey), stays(unreachableKey)];

const own = { key: 'a', operator: 'Exists' };
const forever = { key: notReadyKey, operator: 'Exists', effect: 'NoExecute' };
const anyEffect = { key: unreachableKey, operator: 'Exists' };
const otherEffect = { key: notReadyKey, operator: 'Exists', effect: 'NoSchedule' };
const ofAValue = { key: notReadyKey, operator: 'Equal', value: 'v', effect: 'NoExecute' };
const everything = { operator: 'Exists' };
const everyEviction = { operator: 'Exists', effect: 'NoExecute' };

const cases: readonly (readonly [what: string, given: readonly object[], expected: readonly object[]])[] = [
  ['that tolerates nothing', [], [notReady, unreachable]],
  ['with a toleration of something else', [own], [own, notReady, unreachable]],
  ['that stays on unready nodes for good', [forever], [forever, unreachable]],
  ['that tolerates unreachable nodes with any effect', [anyEffect], [anyEffect, notReady]],
  ['that says it of another effect', [otherEffect], [otherEffect, notReady, unreachable]],
  ['that says it of a value of the taint', [ofAValue], [ofAValue, unreachable]],
  ['that tolerates everything', [everything], [everything]],
  ['that tolerates every eviction', [everyEviction], [everyEviction]],
];

describe('DefaultTolerationSeconds', () => {
  const server = admissionServer({ plugins: ['DefaultTolerationSeconds'] });

  for (const [what, given, expected] of cases) {
    test(`a pod ${what} tolerates ${expected.length} taints in the end`, async () => {
      const { object, message } = await server.tryCreate<Pod>(pods, pod(given));
      assert.equal(message, undefined);
      assert.deepEqual(object.spec.tolerations, expected);
    });
  }

  test('a template of pods is left alone', async () => {
    const { object } = await server.tryCreate<{ template: Pod }>('/api/v1/namespaces/a/podtemplates', {
      metadata: { name: 't' },
      template: pod([]),
    });
    assert.equal(object.template.spec.tolerations, undefined);
  });
});

describe('DefaultTolerationSeconds, with times of its own', () => {
  const tolerationSeconds = { notReady: 7, unreachable: 0 };
  const server = admissionServer({ plugins: ['DefaultTolerationSeconds'], tolerationSeconds });

  test('pods stay as long as the server says', async () => {
    const { object } = await server.tryCreate<Pod>(pods, pod([]));
    assert.deepEqual(object.spec.tolerations, [stays(notReadyKey, 7), stays(unreachableKey, 0)]);
  });
});
