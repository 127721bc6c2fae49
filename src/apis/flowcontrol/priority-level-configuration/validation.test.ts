import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PriorityLevelConfigurationSpec, QueuingConfiguration } from '../../../schema/types/flowcontrol-v1.ts';
import { testContext } from '../../../../test/support/write-context.ts';
import type { PriorityLevelObject } from './validation.ts';
import { validatePriorityLevel } from './validation.ts';

function faults(spec: PriorityLevelConfigurationSpec, metadata: PriorityLevelObject['metadata'] = { name: 'mine' }): string[] {
  return validatePriorityLevel({ metadata, spec, status: {} } as PriorityLevelObject, testContext()).map(String);
}

function queued(queuing: Partial<QueuingConfiguration>): PriorityLevelConfigurationSpec {
  const all = { queues: 64, handSize: 8, queueLengthLimit: 50, ...queuing };
  return { type: 'Limited', limited: { nominalConcurrencyShares: 30, limitResponse: { type: 'Queue', queuing: all } } };
}

const at = 'spec.limited.limitResponse.queuing';
const cases: readonly [what: string, spec: PriorityLevelConfigurationSpec, ...expected: string[]][] = [
  ['nothing wrong', queued({})],
  ['a hand larger than the deck', queued({ queues: 4 }), `${at}.handSize: Invalid value: 8: should not be greater than queues (4)`],
  [
    'a hand that takes too many bits',
    queued({ queues: 512 }),
    `${at}.handSize: Invalid value: 8: required entropy bits of deckSize 512 and handSize 8 should not be greater than 60`,
  ],
  [
    'too many queues',
    queued({ queues: 10_000_001, handSize: 1 }),
    `${at}.queues: Invalid value: 10000001: must not be greater than 10000000`,
  ],
  ['a limit of no kind', { type: 'Limited' }, 'spec.limited: Required value: must not be empty when type is Limited'],
  [
    'queues where none wait',
    { type: 'Limited', limited: { limitResponse: { type: 'Reject', queuing: { queues: 1 } } } } as PriorityLevelConfigurationSpec,
    `${at}: Forbidden: must be nil if limited.limitResponse.type is not Limited`,
  ],
  ['another level exempt', { type: 'Exempt' }, "spec.type: Invalid value: \"Exempt\": must be 'Exempt' if and only if `name` is 'exempt'"],
];

for (const [what, spec, ...expected] of cases) test(`a priority level with ${what}`, () => assert.deepEqual(faults(spec), expected));

test('the exempt level may have other shares', () => {
  assert.deepEqual(faults({ type: 'Exempt', exempt: { nominalConcurrencyShares: 7 } }, { name: 'exempt' }), []);
});

test('an annotation of a version that is gone is refused', () => {
  const annotations = { 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares': '' };
  assert.match(
    faults(queued({}), { name: 'mine', annotations })[0] ?? '',
    /^metadata\.annotations: Forbidden: annotation '.*' is forbidden$/,
  );
});
