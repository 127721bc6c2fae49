import { create, describeKind, merge, replace, table } from '../../../../test/support/kind-suite.ts';

const podGroup = (spec: object = {}): object => ({ spec: { schedulingPolicy: { gang: { minCount: 3 } }, ...spec } });
const condition = (type: string, status: string): object => ({
  type,
  status,
  reason: 'R',
  message: 'm',
  lastTransitionTime: '2024-01-01T00:00:00Z',
});
const claim = { name: 'c', resourceClaimName: 'claim' };

describeKind('a PodGroup', {
  path: '/apis/scheduling.k8s.io/v1beta1/namespaces/{ns}/podgroups',
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
      'is a gang, or pods by themselves, and preempts those below',
      [create(podGroup())],
      {
        fields: {
          spec: { schedulingPolicy: { gang: { minCount: 3 } }, preemptionPolicy: 'PreemptLowerPriority', priority: 0 },
          status: {},
        },
      },
    ],
    [
      'needs a policy',
      [create({ spec: {} })],
      { causes: ['spec.schedulingPolicy: Invalid value: "": must specify one of: `basic`, `gang`'] },
    ],
    [
      'has one policy',
      [create(podGroup({ schedulingPolicy: { basic: {}, gang: { minCount: 1 } } }))],
      { causes: ['spec.schedulingPolicy: Invalid value: "{basic, gang}": must specify exactly one of: `basic`, `gang`'] },
    ],
    [
      'is a gang of one at least',
      [create(podGroup({ schedulingPolicy: { gang: { minCount: 0 } } }))],
      { causes: ['spec.schedulingPolicy.gang.minCount: Required value'] },
    ],
    [
      'is of a template of a workload',
      [create(podGroup({ workloadRef: { workloadName: 'w', templateName: 't' } }))],
      { fields: { spec: { workloadRef: { workloadName: 'w', templateName: 't' } } } },
    ],
    [
      'needs the names of both',
      [create(podGroup({ workloadRef: {} }))],
      { causes: ['spec.workloadRef.workloadName: Required value', 'spec.workloadRef.templateName: Required value'] },
    ],
    [
      'has a parent only when it is of a workload',
      [create(podGroup({ parentCompositePodGroupName: 'parent' }))],
      { causes: ['spec.workloadRef: Required value: must be set when parentCompositePodGroupName is set'] },
    ],
    [
      'keeps its template',
      [
        create(podGroup({ workloadRef: { workloadName: 'w', templateName: 't' } })),
        replace({ spec: { workloadRef: { workloadName: 'other' } } }),
      ],
      { causes: ['spec.workloadRef: Invalid value: null: field is immutable'] },
    ],
    [
      'does not take a status with its spec',
      [create({ ...podGroup(), status: { conditions: [condition('PodGroupInitiallyScheduled', 'True')] } })],
      { fields: { status: { conditions: undefined } } },
    ],
    [
      'takes a status alone',
      [
        create(podGroup()),
        merge({ metadata: { labels: { a: 'b' } }, status: { conditions: [condition('PodGroupInitiallyScheduled', 'True')] } }, 'status'),
      ],
      { fields: { metadata: { labels: undefined }, status: { conditions: [{ type: 'PodGroupInitiallyScheduled', status: 'True' }] } } },
    ],
    [
      'has a status of claims that it has',
      [
        create(podGroup({ resourceClaims: [claim] })),
        merge({ status: { resourceClaimStatuses: [{ name: 'other', resourceClaimName: 'x' }] } }, 'status'),
      ],
      {
        causes: ['status.resourceClaimStatuses[0].name: Invalid value: "other": must match the name of an entry in `spec.resourceClaims`'],
      },
    ],
    [
      'is pending',
      [create(podGroup()), table],
      { cells: { Name: '{name}', Policy: 'Gang', Workload: '<none>', Status: 'Pending', Age: /./ } },
    ],
    [
      'is scheduled',
      [create(podGroup()), merge({ status: { conditions: [condition('PodGroupInitiallyScheduled', 'True')] } }, 'status'), table],
      { cells: { Name: '{name}', Policy: 'Gang', Workload: '<none>', Status: 'Scheduled', Age: /./ } },
    ],
  ],
});
