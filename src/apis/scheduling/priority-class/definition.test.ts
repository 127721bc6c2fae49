import { create, describeKind, merge, remove, replace, send, table } from '../../../../test/support/kind-suite.ts';

const path = '/apis/scheduling.k8s.io/v1/priorityclasses';

describeKind('a PriorityClass', {
  path,
  cases: [
    [
      'preempts those below unless it says otherwise',
      [create({ value: 5 })],
      { fields: { metadata: { generation: 1 }, value: 5, preemptionPolicy: 'PreemptLowerPriority', globalDefault: undefined } },
    ],
    ['is of value zero unless it says otherwise', [create({})], { fields: { value: 0 } }],
    ['may preempt never', [create({ value: 1, preemptionPolicy: 'Never' })], { fields: { preemptionPolicy: 'Never' } }],
    [
      'preempts or not',
      [create({ value: 1, preemptionPolicy: 'Maybe' })],
      { causes: ['preemptionPolicy: Unsupported value: "Maybe": supported values: "PreemptLowerPriority", "Never"'] },
    ],
    [
      'leaves values above a billion to the system',
      [create({ value: 1_000_000_001 })],
      { causes: ['value: Forbidden: maximum allowed value of a user defined priority is 1000000000'] },
    ],
    [
      'leaves names of the system to the system',
      [create({ metadata: { name: 'system-mine' }, value: 1 })],
      {
        causes: [
          "metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: system-mine is not a known system priority class",
        ],
      },
    ],
    [
      'keeps its value and policy',
      [create({ value: 5 }), replace({ value: 6, preemptionPolicy: 'Never' })],
      { causes: ['value: Forbidden: may not be changed in an update.', 'preemptionPolicy: Invalid value: "Never": field is immutable'] },
    ],
    [
      'gets another description',
      [create({ value: 5 }), merge({ description: 'for tests' })],
      { fields: { description: 'for tests', metadata: { generation: 1 } } },
    ],
    [
      'of the system is there from the start',
      [send('GET', `${path}/system-node-critical`)],
      {
        fields: {
          value: 2_000_001_000,
          description: 'Used for system critical pods that must not be moved from their current node.',
          preemptionPolicy: 'PreemptLowerPriority',
        },
      },
    ],
    [
      'is replaced without a precondition',
      [create({ value: 5 }), send('PUT', `${path}/{name}`, { metadata: { name: '{name}' }, value: 5, description: 'x' })],
      { fields: { description: 'x' } },
    ],
    [
      'becomes the default and is no longer',
      [create({ value: 5 }), merge({ globalDefault: true }), merge({ globalDefault: false }), remove()],
      { fields: { status: 'Success' } },
    ],
    [
      'shows its value',
      [create({ value: 5 }), table],
      { cells: { Name: '{name}', Value: 5, 'Global-Default': false, Age: /./, PreemptionPolicy: 'PreemptLowerPriority' } },
    ],
  ],
});
