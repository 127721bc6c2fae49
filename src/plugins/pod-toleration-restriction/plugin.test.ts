import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AdmissionServer, admissionServer } from '../../../test/support/admission-server.ts';

interface Pod {
  readonly spec: { readonly tolerations?: readonly object[] };
}

const group = 'podtolerationrestriction.admission.k8s.io/v1alpha1';
const exists = (key: string): object => ({ key, operator: 'Exists' });
const configuration = (more: object): Record<string, unknown> => ({
  PodTolerationRestriction: { apiVersion: group, kind: 'Configuration', ...more },
});
const namespace = (name: string, annotations: Readonly<Record<string, string>> = {}): readonly [string, object] => [
  '/api/v1/namespaces',
  {
    metadata: {
      name,
      annotations: Object.fromEntries(Object.entries(annotations).map(([key, value]) => [`scheduler.alpha.kubernetes.io/${key}`, value])),
    },
  },
];

const conflict = (scope: string): string =>
  `pod tolerations (possibly merged with namespace default tolerations) conflict with its ${scope} whitelist`;
const cases: readonly (readonly [namespace: string, tolerations: readonly object[], expected: readonly object[] | string])[] = [
  ['silent', [], [exists('d')]],
  ['silent', [exists('w')], [exists('w'), exists('d')]],
  ['silent', [exists('x')], conflict('cluster')],
  ['empty', [exists('x')], [exists('x')]],
  ['own', [], [exists('q')]],
  ['own', [exists('d')], conflict('namespace')],
  ['odd', [], 'unexpected end of JSON input'],
  ['wrong', [], 'json: cannot unmarshal object into Go value of type []v1.Toleration'],
];

describe('PodTolerationRestriction', () => {
  const listed = '[{"key":"q","operator":"Exists"}]';
  const server = admissionServer({
    plugins: ['PodTolerationRestriction'],
    configuration: configuration({ default: [exists('d')], whitelist: [exists('d'), exists('w')] }),
    objects: [
      namespace('silent'),
      namespace('empty', { defaultTolerations: '', tolerationsWhitelist: '' }),
      namespace('own', { defaultTolerations: listed, tolerationsWhitelist: listed }),
      namespace('odd', { defaultTolerations: '[{' }),
      namespace('wrong', { defaultTolerations: '{}' }),
    ],
  });

  for (const [name, tolerations, expected] of cases) {
    test(`a pod in ${name} that tolerates ${JSON.stringify(tolerations)}: ${JSON.stringify(expected)}`, async () => {
      const spec = { containers: [{ name: 'c', image: 'i' }], tolerations };
      const { object, message } = await server.tryCreate<Pod>(`/api/v1/namespaces/${name}/pods`, { metadata: { name: 'p' }, spec });
      assert.deepEqual(message ?? object.spec.tolerations, expected);
    });
  }
});

describe('PodTolerationRestriction, without a configuration', () => {
  const server = admissionServer({ plugins: ['PodTolerationRestriction'] });

  test('a pod that asks for memory tolerates nodes that run short of it', async () => {
    const spec = { containers: [{ name: 'c', image: 'i', resources: { requests: { memory: '1Gi' } } }] };
    const { object } = await server.tryCreate<Pod>('/api/v1/namespaces/default/pods', { metadata: { name: 'p' }, spec });
    assert.deepEqual(object.spec.tolerations, [{ key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' }]);
  });
});

test('a server with tolerations of an unknown operator does not start', async () => {
  const wrong = configuration({ default: [{ key: 'a', operator: 'Nope' }] });
  await assert.rejects(new AdmissionServer({ plugins: ['PodTolerationRestriction'], configuration: wrong }).start(), {
    message:
      'failed to apply admission: couldn\'t init admission plugin "PodTolerationRestriction": invalid config: [podtolerationrestriction.default[0].operator: Unsupported value: "Nope": supported values: "Equal", "Exists"]',
  });
});
