import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { admissionServer } from '../../../test/support/admission-server.ts';

const hostname = 'kubernetes.io/hostname';
const term = (topologyKey: string): object => ({ topologyKey, labelSelector: {} });
const required = (...keys: readonly string[]): object => ({ requiredDuringSchedulingIgnoredDuringExecution: keys.map(term) });
const preferred = (key: string): object => ({
  preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: term(key) }],
});

const cases: readonly (readonly [what: string, affinity: object | undefined, admitted: boolean])[] = [
  ['without affinity', undefined, true],
  ['that keeps others away from its node', { podAntiAffinity: required(hostname) }, true],
  ['that would rather have a zone for itself', { podAntiAffinity: preferred('zone') }, true],
  ['that wants company in its zone', { podAffinity: required('zone') }, true],
  ['that keeps others away from its zone', { podAntiAffinity: required(hostname, 'zone') }, false],
];

describe('LimitPodHardAntiAffinityTopology', () => {
  const server = admissionServer({ plugins: ['LimitPodHardAntiAffinityTopology'] });

  for (const [what, affinity, admitted] of cases) {
    test(`a pod ${what} is ${admitted ? 'admitted' : 'refused'}`, async () => {
      const spec = { containers: [{ name: 'c', image: 'i' }], ...(affinity && { affinity }) };
      const { status, message } = await server.tryCreate('/api/v1/namespaces/a/pods', { metadata: { name: 'p' }, spec });
      const refusal =
        'pods "p" is forbidden: affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey zone but only key kubernetes.io/hostname is allowed';
      assert.deepEqual([status, message], admitted ? [201, undefined] : [403, refusal]);
    });
  }
});
