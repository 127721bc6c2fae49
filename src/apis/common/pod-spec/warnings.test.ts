import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PodSpec } from '../../../schema/types/core-v1.ts';
import { noFeatures } from '../../../server/registry/features.ts';
import { podWarnings } from './warnings.ts';

const cases: readonly (readonly [name: string, spec: Partial<PodSpec>, warnings: readonly string[]])[] = [
  ['an ordinary pod', {}, []],
  [
    'a deprecated label of nodes',
    { nodeSelector: { 'beta.kubernetes.io/os': 'linux' } },
    ['spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead'],
  ],
  [
    'a git volume',
    { volumes: [{ name: 'g', gitRepo: { repository: 'r' } }] },
    ['spec.volumes[0].gitRepo: deprecated in v1.11, and disabled by default in v1.33+'],
  ],
  [
    'paths that hide each other',
    {
      volumes: [
        {
          name: 'v',
          configMap: {
            name: 'c',
            items: [
              { key: 'a', path: 'x' },
              { key: 'b', path: 'x/y' },
            ],
          },
        },
      ],
    },
    ['volume "v" (ConfigMap "c"): overlapping paths: "x/y" with "x"'],
  ],
  [
    'a variable defined twice',
    {
      containers: [
        {
          name: 'm',
          resources: {},
          env: [
            { name: 'A', value: '1' },
            { name: 'A', value: '2' },
          ],
        },
      ],
    },
    ['spec.containers[0].env[1]: hides previous definition of "A", which may be dropped when using apply'],
  ],
  [
    'ports that clash',
    {
      containers: [
        {
          name: 'm',
          resources: {},
          ports: [
            { containerPort: 1, name: 'p' },
            { containerPort: 1, name: 'p', hostPort: 2 },
          ],
        },
      ],
    },
    [
      'spec.containers[0].ports[1]: overlapping port definition with spec.containers[0].ports[0]',
      'spec.containers[0].ports[1]: duplicate port name "p" with spec.containers[0].ports[0], services and probes that select ports by name will use spec.containers[0].ports[0]',
    ],
  ],
  [
    'a fraction of a byte',
    { containers: [{ name: 'm', resources: { limits: { memory: '1m' } } }] },
    ['spec.containers[0].resources.limits[memory]: fractional byte value "1m" is invalid, must be an integer'],
  ],
];

for (const [name, spec, warnings] of cases) {
  test(`podWarnings() of ${name}`, () => {
    assert.deepEqual(podWarnings({ containers: [], ...spec }, {}, noFeatures), warnings);
  });
}
