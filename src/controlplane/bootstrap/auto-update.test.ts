import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FlowControlObject } from './auto-update.ts';
import { autoUpdate, revise } from './auto-update.ts';

const wanted = { type: 'Limited', limited: { nominalConcurrencyShares: 30, limitResponse: { type: 'Reject' } } };
const changed = { type: 'Limited', limited: { nominalConcurrencyShares: 1, limitResponse: { type: 'Reject' } } };

interface Case {
  readonly what: string;
  readonly said?: string;
  readonly generation: number;
  readonly mandatory?: boolean;
  readonly revised: boolean;
  readonly says: string;
}

const cases: readonly Case[] = [
  { what: 'one that is kept up to date', said: 'true', generation: 3, revised: true, says: 'true' },
  { what: 'one that an administrator has taken over', said: 'false', generation: 3, revised: false, says: 'false' },
  { what: 'one that says nothing and was never changed', generation: 1, revised: true, says: 'true' },
  { what: 'one that says nothing and was changed', generation: 2, revised: false, says: 'false' },
  { what: 'one that says nonsense and was changed', said: 'maybe', generation: 2, revised: false, says: 'false' },
  { what: 'a mandatory one, whatever it says', said: 'false', generation: 2, mandatory: true, revised: true, says: 'true' },
];

for (const { what, said, generation, mandatory = false, revised, says } of cases) {
  test(`${revised ? 'revises' : 'leaves alone'} ${what}`, () => {
    const annotations = said === undefined ? {} : { [autoUpdate]: said };
    const object: FlowControlObject = { metadata: { name: 'a', generation, annotations }, spec: structuredClone(changed) };
    revise(object, wanted, mandatory);
    assert.deepEqual(object.spec, revised ? wanted : changed);
    assert.equal(object.metadata.annotations?.[autoUpdate], says);
  });
}

test('the exempt level keeps the shares that an administrator gave it', () => {
  const exempt = { nominalConcurrencyShares: 9 };
  const object: FlowControlObject = { metadata: { name: 'exempt' }, spec: { type: 'Limited', exempt } };
  revise(object, { type: 'Exempt', exempt: { nominalConcurrencyShares: 0 } }, true);
  assert.deepEqual(object.spec, { type: 'Exempt', exempt });
});
