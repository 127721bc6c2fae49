import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { admissionServer } from '../../../test/support/admission-server.ts';

interface Pod {
  readonly spec: { readonly overhead?: object; readonly nodeSelector?: object; readonly tolerations?: readonly object[] };
}

const pods = '/api/v1/namespaces/a/pods';
const pod = (spec: object): object => ({ metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }], ...spec } });
const runtimeClass = (name: string, more: object = {}): readonly [string, object] => [
  '/apis/node.k8s.io/v1/runtimeclasses',
  { metadata: { name }, handler: 'h', ...more },
];
const podFixed = { cpu: '250m', memory: '100Mi' };
const exists = (key: string): object => ({ key, operator: 'Exists', effect: 'NoSchedule' });

const cases: readonly (readonly [what: string, spec: object, expected: Pod['spec'] | string])[] = [
  ['that names no runtime', {}, {}],
  ['of a runtime without overhead', { runtimeClassName: 'plain' }, {}],
  ['of a runtime that is not there', { runtimeClassName: 'gone' }, 'pod rejected: RuntimeClass "gone" not found'],
  ['of a runtime with overhead', { runtimeClassName: 'heavy' }, { overhead: podFixed }],
  [
    'with the same overhead in other words',
    { runtimeClassName: 'heavy', overhead: { cpu: '0.25', memory: '102400Ki' } },
    { overhead: podFixed },
  ],
  [
    'with another overhead',
    { runtimeClassName: 'heavy', overhead: { cpu: '1' } },
    "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead",
  ],
  [
    'with overhead, of a runtime without',
    { runtimeClassName: 'plain', overhead: podFixed },
    'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead',
  ],
  [
    'with overhead and no runtime',
    { overhead: podFixed },
    'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead',
  ],
  [
    'of a runtime that is on some nodes only',
    { runtimeClassName: 'placed', nodeSelector: { mine: 'a' }, tolerations: [exists('mine')] },
    { nodeSelector: { mine: 'a', runtime: 'r' }, tolerations: [exists('mine'), exists('runtime')] },
  ],
  [
    'that selects those nodes and tolerates their taint',
    { runtimeClassName: 'placed', nodeSelector: { runtime: 'r' }, tolerations: [exists('runtime')] },
    { nodeSelector: { runtime: 'r' }, tolerations: [exists('runtime')] },
  ],
  [
    'that selects other nodes than its runtime',
    { runtimeClassName: 'placed', nodeSelector: { runtime: 'q' } },
    'conflict: runtimeClass.scheduling.nodeSelector[runtime] = r; pod.spec.nodeSelector[runtime] = q',
  ],
];

describe('RuntimeClass', () => {
  const server = admissionServer({
    plugins: ['RuntimeClass'],
    objects: [
      runtimeClass('plain'),
      runtimeClass('heavy', { overhead: { podFixed } }),
      runtimeClass('placed', { scheduling: { nodeSelector: { runtime: 'r' }, tolerations: [exists('runtime')] } }),
    ],
  });

  for (const [what, given, expected] of cases) {
    test(`a pod ${what} ${typeof expected === 'string' ? 'is refused' : `gets ${JSON.stringify(expected)}`}`, async () => {
      const { object, message } = await server.tryCreate<Pod>(pods, pod(given));
      if (typeof expected === 'string') assert.equal(message, `pods "p" is forbidden: ${expected}`);
      else {
        const { overhead, nodeSelector, tolerations } = object.spec;
        assert.deepEqual(
          { ...(overhead && { overhead }), ...(nodeSelector && { nodeSelector }), ...(tolerations && { tolerations }) },
          expected,
        );
      }
    });
  }
});
