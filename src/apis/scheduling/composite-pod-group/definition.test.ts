import { create, describeKind, merge, replace, table } from '../../../../test/support/kind-suite.ts';

const group = (spec: object = {}): object => ({
  spec: { workloadRef: { workloadName: 'w', templateName: 't' }, schedulingPolicy: { gang: { minGroupCount: 2 } }, ...spec },
});
const scheduled = { type: 'Scheduled', status: 'True', reason: 'R', message: 'm', lastTransitionTime: '2024-01-01T00:00:00Z' };

describeKind('a CompositePodGroup', {
  path: '/apis/scheduling.k8s.io/v1alpha3/namespaces/{ns}/compositepodgroups',
  server: {
    features: {
      GenericWorkload: true,
      CompositePodGroup: true,
      TopologyAwareWorkloadScheduling: true,
      PodGroupPreemptionPolicy: true,
      DRAWorkloadResourceClaims: true,
    },
    apis: { 'api/all': true },
  },
  cases: [
    [
      'is a gang of groups that preempts those below',
      [create(group())],
      { fields: { spec: { schedulingPolicy: { gang: { minGroupCount: 2 } }, preemptionPolicy: 'PreemptLowerPriority' }, status: {} } },
    ],
    [
      'needs a workload and a policy',
      [create({ spec: {} })],
      { causes: ['spec.workloadRef: Required value', 'spec.schedulingPolicy: Invalid value: "": must specify one of: `basic`, `gang`'] },
    ],
    [
      'has one policy',
      [create(group({ schedulingPolicy: { basic: {}, gang: { minGroupCount: 1 } } }))],
      { causes: ['spec.schedulingPolicy: Invalid value: "{basic, gang}": must specify exactly one of: `basic`, `gang`'] },
    ],
    [
      'is a gang of one at least',
      [create(group({ schedulingPolicy: { gang: { minGroupCount: 0 } } }))],
      { causes: ['spec.schedulingPolicy.gang.minGroupCount: Required value'] },
    ],
    [
      'has a parent',
      [create(group({ parentCompositePodGroupName: 'parent' }))],
      { fields: { spec: { parentCompositePodGroupName: 'parent' } } },
    ],
    [
      'has a parent of a name that can be',
      [create(group({ parentCompositePodGroupName: 'A_b' }))],
      {
        causes: [
          `spec.parentCompositePodGroupName: Invalid value: "A_b": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
        ],
      },
    ],
    [
      'has the preemption policy of its priority class',
      [create(group({ preemptionPolicy: 'Never' }))],
      {
        status: 403,
        message:
          'compositepodgroups.scheduling.k8s.io "{name}" is forbidden: the string value of PreemptionPolicy (Never) must not be provided in composite pod group spec; priority admission controller computed PreemptLowerPriority from the given PriorityClass name',
      },
    ],
    [
      'keeps its workload',
      [create(group()), replace({ spec: { workloadRef: { workloadName: 'other' } } })],
      { causes: ['spec.workloadRef: Invalid value: null: field is immutable'] },
    ],
    [
      'does not take a status with its spec',
      [create({ ...group(), status: { conditions: [scheduled] } })],
      { fields: { status: { conditions: undefined } } },
    ],
    [
      'takes a status alone',
      [create(group()), merge({ metadata: { labels: { a: 'b' } }, status: { conditions: [scheduled] } }, 'status')],
      { fields: { metadata: { labels: undefined }, status: { conditions: [scheduled] } } },
    ],
    ['shows its policy', [create(group()), table], { cells: { Name: '{name}', Policy: 'Gang', Workload: 'w', Age: /./ } }],
  ],
});
