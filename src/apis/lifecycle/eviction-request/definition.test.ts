import { create, describeKind, merge, replace, table } from '../../../../test/support/kind-suite.ts';

const pod = { name: 'p', uid: '11111111-2222-3333-4444-555555555555' };
const request = (spec: object = {}): object => ({
  spec: { target: { pod }, requester: 'example.com/requester', intent: 'Eviction', ...spec },
});
const ready = { type: 'Ready', status: 'True', reason: 'R', message: 'm', lastTransitionTime: '2024-01-01T00:00:00Z' };

describeKind('an EvictionRequest', {
  path: '/apis/lifecycle.k8s.io/v1alpha1/namespaces/{ns}/evictionrequests',
  server: { features: { EvictionRequestAPI: true }, apis: { 'api/all': true } },
  cases: [
    [
      'asks that a pod go',
      [create(request())],
      { fields: { metadata: { generation: 1 }, spec: { target: { pod }, requester: 'example.com/requester' }, status: {} } },
    ],
    [
      'needs a target, a requester and an intent',
      [create({ spec: {} })],
      {
        causes: [
          'spec.target: Invalid value: "": must specify one of: `pod`',
          'spec.requester: Required value',
          'spec.intent: Required value',
        ],
      },
    ],
    [
      'needs the name and uid of its pod',
      [create(request({ target: { pod: {} } }))],
      { causes: ['spec.target.pod.name: Required value', 'spec.target.pod.uid: Required value'] },
    ],
    [
      'needs a requester with a domain',
      [create(request({ requester: 'me' }))],
      { causes: [`spec.requester: Invalid value: "me": must include a prefix (e.g. 'example.com/key')`] },
    ],
    [
      'knows its intents',
      [create(request({ intent: 'Maybe' }))],
      { causes: ['spec.intent: Unsupported value: "Maybe": supported values: "Eviction", "Withdrawn"'] },
    ],
    [
      'keeps its target and requester',
      [create(request()), replace({ spec: { target: { pod: { name: 'q' } }, requester: 'example.com/other' } })],
      { causes: ['spec.target: Invalid value: null: field is immutable', 'spec.requester: Invalid value: null: field is immutable'] },
    ],
    [
      'does not take a status with its spec',
      [create({ ...request(), status: { conditions: [ready] } })],
      { fields: { status: { conditions: undefined } } },
    ],
    [
      'takes a status alone',
      [
        create(request()),
        merge({ metadata: { labels: { a: 'b' } }, spec: { requester: 'example.com/other' }, status: { conditions: [ready] } }, 'status'),
      ],
      { fields: { metadata: { labels: undefined }, spec: { requester: 'example.com/requester' }, status: { conditions: [ready] } } },
    ],
    [
      'has conditions that are whole',
      [create(request()), merge({ status: { conditions: [{ type: 'Ready', status: 'Perhaps' }] } }, 'status')],
      {
        causes: [
          'status.conditions[0].status: Unsupported value: "Perhaps": supported values: "False", "True", "Unknown"',
          'status.conditions[0].lastTransitionTime: Required value',
          'status.conditions[0].reason: Required value',
        ],
      },
    ],
    [
      'shows what should go and who asked',
      [create(request()), table],
      {
        cells: {
          Name: '{name}',
          Target: 'p',
          'Target Type': 'Pod',
          Status: 'Pending',
          Requester: 'example.com/requester',
          Intent: 'Eviction',
          Age: /./,
        },
      },
    ],
  ],
});
