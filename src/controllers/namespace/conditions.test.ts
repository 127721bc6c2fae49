import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Findings } from './conditions.ts';
import { updatedConditions } from './conditions.ts';

const nothing: Findings = { undiscovered: new Map(), failures: [], remaining: new Map(), finalizers: new Map() };
const type = {
  discovery: 'NamespaceDeletionDiscoveryFailure',
  content: 'NamespaceDeletionContentFailure',
  remaining: 'NamespaceContentRemaining',
  finalizers: 'NamespaceFinalizersRemaining',
} as const;

test('all five conditions are there, in order, when there is nothing to complain of', () => {
  assert.deepEqual(
    updatedConditions([], nothing, 'now').map(({ type: name, status, reason }) => [name, status, reason]),
    [
      ['NamespaceDeletionDiscoveryFailure', 'False', 'ResourcesDiscovered'],
      ['NamespaceDeletionGroupVersionParsingFailure', 'False', 'ParsedGroupVersions'],
      ['NamespaceDeletionContentFailure', 'False', 'ContentDeleted'],
      ['NamespaceContentRemaining', 'False', 'ContentRemoved'],
      ['NamespaceFinalizersRemaining', 'False', 'ContentHasNoFinalizers'],
    ],
  );
});

const complaints: readonly {
  readonly about: string;
  readonly findings: Partial<Findings>;
  readonly reason: string;
  readonly message: string;
}[] = [
  {
    about: type.discovery,
    findings: { undiscovered: new Map([['metrics.k8s.io/v1', 'stale GroupVersion discovery: metrics.k8s.io/v1']]) },
    reason: 'DiscoveryFailed',
    message:
      'Discovery failed for some groups, 1 failing: unable to retrieve the complete list of server APIs: metrics.k8s.io/v1: stale GroupVersion discovery: metrics.k8s.io/v1',
  },
  {
    about: type.content,
    findings: { failures: ['b failed', 'a failed'] },
    reason: 'ContentDeletionFailed',
    message: 'Failed to delete all resource types, 2 remaining: a failed, b failed',
  },
  {
    about: type.remaining,
    findings: {
      remaining: new Map([
        ['pods.', 2],
        ['deployments.apps', 1],
      ]),
    },
    reason: 'SomeResourcesRemain',
    message: 'Some resources are remaining: deployments.apps has 1 resource instances, pods. has 2 resource instances',
  },
  {
    about: type.finalizers,
    findings: { finalizers: new Map([['example.com/hold', 3]]) },
    reason: 'SomeFinalizersRemain',
    message: 'Some content in the namespace has finalizers remaining: example.com/hold in 3 resource instances',
  },
];

for (const { about, findings, reason, message } of complaints) {
  test(`${about} says what is the matter`, () => {
    const condition = updatedConditions([], { ...nothing, ...findings }, 'now').find((one) => one.type === about);
    assert.deepEqual(condition, { type: about, status: 'True', lastTransitionTime: 'now', reason, message });
  });
}

test('conditions that say what was said before are left alone', () => {
  const known = updatedConditions([], nothing, 'before');
  assert.equal(updatedConditions(known, nothing, 'now'), known);
});

test('the time is that of the last change of status, whatever the message says meanwhile', () => {
  const held = (count: number): Findings => ({ ...nothing, finalizers: new Map([['example.com/hold', count]]) });
  const timeOf = (conditions: ReturnType<typeof updatedConditions>): unknown =>
    conditions.find((one) => one.type === type.finalizers)?.lastTransitionTime;
  const first = updatedConditions([], held(2), 'first');
  const second = updatedConditions(first, held(1), 'second');
  assert.notEqual(second, first);
  assert.equal(timeOf(second), 'first');
  assert.equal(timeOf(updatedConditions(second, nothing, 'third')), 'third');
});
