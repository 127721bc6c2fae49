import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EvictionStatus, ResponderStatus, TargetResponder } from '../../../schema/types/lifecycle-v1alpha1.ts';
import { typedContext } from '../../../../test/support/write-context.ts';
import { validateStatus } from './status-validation.ts';
import { inTurn } from './turn.ts';

const context = typedContext({ group: 'lifecycle.k8s.io', version: 'v1alpha1', kind: 'Eviction' });
const at = (minutes: number): string => new Date(Date.parse(context.now) + minutes * 60_000).toISOString().replace('.000Z', 'Z');

const target = (name: string, state: string, priority = 2000): TargetResponder => ({ name, priority, state });
const eviction = (status: EvictionStatus): Parameters<typeof validateStatus>[0] => ({
  metadata: { name: 'e' },
  spec: { target: {} },
  status,
});
const condition = (conditionType: string, reason = 'Because'): NonNullable<EvictionStatus['conditions']>[number] => ({
  type: conditionType,
  status: 'True',
  reason,
  message: '',
  lastTransitionTime: context.now,
});

/** Two responders, the first at work. */
const running = (first: Partial<ResponderStatus> = {}, states = ['Active', 'Inactive']): EvictionStatus => ({
  targetResponders: [target('a.io/x', states[0] as string), target('b.io/x', states[1] as string)],
  responders: [{ name: 'a.io/x', startTime: at(-5), ...first }, { name: 'b.io/x' }],
});

test('inTurn() goes by priority, then by domain from the top, then by name', () => {
  const sorted = inTurn([
    { name: 'x.io/b', priority: null, state: '' },
    target('b.z.io/a', '', 1000),
    target('a.io/b', '', 1000),
    target('a.io/a', '', 1000),
    target('z.io/a', '', 1000),
    target('q.io/a', '', 3000),
  ]);
  assert.deepEqual(
    sorted.map(({ name }) => name),
    ['q.io/a', 'a.io/a', 'a.io/b', 'z.io/a', 'b.z.io/a', 'x.io/b'],
  );
});

const cases: readonly (readonly [what: string, before: EvictionStatus, after: EvictionStatus, errors: readonly string[]])[] = [
  ['a start', {}, running({ startTime: at(0) }), []],
  [
    'a start with the second',
    {},
    running({ startTime: at(0) }, ['Inactive', 'Active']),
    [
      'status.targetResponders[0].state: Invalid value: "Inactive": must be one of: Active, because this responder is next in line',
      'status.targetResponders[1].state: Invalid value: "Active": must be one of: Inactive, because the previously active has not finished processing',
      'status.responders[1].startTime: Required value: is required for an active responder',
    ],
  ],
  ['work that goes on', running(), running({ heartbeatTime: at(0), message: 'soon' }), []],
  [
    'an end that nobody reported',
    running(),
    running({}, ['Completed', 'Active']),
    [
      'status.targetResponders[0].state: Forbidden: must stay Active because the responder is in progress and it should report status.responders.heartbeatTime or status.responders.completionTime',
      `status.targetResponders[0].state: Invalid value: "Completed": cannot become Completed because the responder didn't report status.responders.completionTime`,
      'status.responders[1].startTime: Required value: is required for an active responder',
    ],
  ],
  [
    'a responder that fell silent',
    running({ startTime: at(-30) }),
    {
      ...running({ startTime: at(-30) }, ['Interrupted', 'Active']),
      responders: [
        { name: 'a.io/x', startTime: at(-30) },
        { name: 'b.io/x', startTime: at(0) },
      ],
    },
    [],
  ],
  [
    'a report of one whose turn it is not',
    running(),
    {
      ...running(),
      responders: [
        { name: 'a.io/x', startTime: at(-5) },
        { name: 'b.io/x', message: 'me!' },
      ],
    },
    [
      'status.responders[1]: Invalid value: {"Name":"b.io/x","StartTime":null,"HeartbeatTime":null,"ExpectedCompletionTime":null,"CompletionTime":null,"Message":"me!"}: field is immutable',
    ],
  ],
  [
    'times that cannot be',
    running({ heartbeatTime: at(-1) }),
    running({ heartbeatTime: at(-2), expectedCompletionTime: at(-3), completionTime: at(9) }),
    [
      `status.responders[0].heartbeatTime: Invalid value: "${at(-2)}": cannot be decreased`,
      `status.responders[0].expectedCompletionTime: Invalid value: "${at(-3)}": cannot be set to the past time`,
      `status.responders[0].completionTime: Invalid value: "${at(9)}": must be set to the present time`,
    ],
  ],
  [
    'a responder that is gone',
    running(),
    { targetResponders: [target('a.io/x', 'Active')], responders: [{ name: 'a.io/x', startTime: at(-5) }] },
    [
      'status.targetResponders: Invalid value: [{"Name":"a.io/x","Priority":2000,"State":"Active"}]: must preserve the same length and the same keys',
    ],
  ],
  [
    'a final condition while somebody is at work',
    running(),
    { ...running(), conditions: [condition('Failed')] },
    [
      'status.targetResponders[0].state: Invalid value: "Active": must be one of: Canceled, Completed, Interrupted, because the eviction request has finished processing',
    ],
  ],
  [
    'a final condition that changes its reason',
    { conditions: [condition('TargetEvicted', 'PodDeleted')] },
    { conditions: [condition('TargetEvicted', 'PodTerminal')] },
    [
      `status.conditions: Invalid value: [{"type":"TargetEvicted","status":"True","lastTransitionTime":"${context.now}","reason":"PodTerminal","message":""}]: TargetEvicted condition status cannot be reverted`,
    ],
  ],
];

for (const [what, before, after, errors] of cases) {
  test(`validateStatus() judges ${what}`, () => {
    assert.deepEqual(validateStatus(eviction(after), eviction(before), context).map(String), errors);
  });
}

test('validateStatus() knows the priorities of Kubernetes', () => {
  const name = 'imperative-eviction.k8s.io/evictor';
  const status = (priority: number, of: string): EvictionStatus => ({
    targetResponders: [target(of, 'Active', priority)],
    responders: [{ name: of, startTime: at(0) }],
  });
  assert.deepEqual(validateStatus(eviction(status(100, name)), eviction({}), context), []);
  assert.deepEqual(validateStatus(eviction(status(101, name)), eviction({}), context).map(String), [
    'status.targetResponders[0].priority: Invalid value: 101: core k8s responder is expected to have priority: 100',
  ]);
  assert.deepEqual(validateStatus(eviction(status(999, 'a.io/x')), eviction({}), context).map(String), [
    'status.targetResponders[0].priority: Invalid value: 999: priorities 0-999 are reserved for responders with *.k8s.io suffix',
  ]);
});
