import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PluginHarness } from '../common/plugin-harness.ts';
import { podTolerationRestriction } from './plugin.ts';

const prefix = 'scheduler.alpha.kubernetes.io/';
const group = 'podtolerationrestriction.admission.k8s.io/v1alpha1';
const exists = (key: string): object => ({ key, operator: 'Exists' });
const configuration = { apiVersion: group, kind: 'Configuration', default: [exists('d')], whitelist: [exists('d'), exists('w')] };
const objects = {
  '/namespaces': [
    { metadata: { name: 'silent' } },
    { metadata: { name: 'empty', annotations: { [`${prefix}defaultTolerations`]: '', [`${prefix}tolerationsWhitelist`]: '' } } },
    {
      metadata: {
        name: 'own',
        annotations: { [`${prefix}defaultTolerations`]: '[{"key":"q"}]', [`${prefix}tolerationsWhitelist`]: '[{"key":"q"}]' },
      },
    },
    { metadata: { name: 'odd', annotations: { [`${prefix}defaultTolerations`]: '[{' } } },
    { metadata: { name: 'wrong', annotations: { [`${prefix}defaultTolerations`]: '{}' } } },
  ],
};

const conflict = (scope: string): string =>
  `pod tolerations (possibly merged with namespace default tolerations) conflict with its ${scope} whitelist`;
const cases: readonly (readonly [namespace: string, tolerations: readonly object[], result: readonly object[] | string])[] = [
  ['silent', [], [exists('d')]],
  ['silent', [exists('w')], [exists('w'), exists('d')]],
  ['silent', [exists('x')], conflict('cluster')],
  ['empty', [exists('x')], [exists('x')]],
  ['own', [], [{ key: 'q' }]],
  ['own', [exists('d')], conflict('namespace')],
  ['odd', [], 'unexpected end of JSON input'],
  ['wrong', [], 'json: cannot unmarshal object into Go value of type []v1.Toleration'],
];
for (const [namespace, tolerations, expected] of cases) {
  test(`a pod in ${namespace} that tolerates ${JSON.stringify(tolerations)}`, async () => {
    const pod = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c' }], tolerations } };
    const refusal = await new PluginHarness(podTolerationRestriction, { configuration, objects }).ask({
      about: '/pods',
      object: pod,
      namespace,
    });
    assert.deepEqual(refusal ?? pod.spec.tolerations, expected);
  });
}

test('a pod that asks for memory tolerates nodes that run short of it', async () => {
  const pod = {
    metadata: { name: 'p' },
    spec: { containers: [{ name: 'c', resources: { requests: { memory: '1Gi' } } }], tolerations: [] },
  };
  await new PluginHarness(podTolerationRestriction, { objects }).ask({ about: '/pods', object: pod, namespace: 'silent' });
  assert.deepEqual(pod.spec.tolerations, [{ key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' }]);
});

test('a configuration that is wrong is refused at the start', () => {
  const wrong = { apiVersion: group, kind: 'Configuration', default: [{ key: 'a', operator: 'Nope' }] };
  assert.throws(() => new PluginHarness(podTolerationRestriction, { configuration: wrong }), {
    message:
      'failed to apply admission: couldn\'t init admission plugin "PodTolerationRestriction": invalid config: [podtolerationrestriction.default[0].operator: Unsupported value: "Nope": supported values: "Equal", "Exists"]',
  });
});
