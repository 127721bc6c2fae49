import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '../../src/testing/index.ts';
import type { RecordedCase, Result } from './case.ts';
import { ParityClient } from './client.ts';
import { compare } from './comparison.ts';
import { freshCases } from './fresh/fresh-cases.ts';
import { playAll } from './play-all.ts';
import { readRecorded, select } from './recording.ts';

/** The rest is replayed by `npm run test:parity`. */
const casesPerKind = 5;
/** Tables and documents have prose in them, which a clone has only after a build. */
const hasProse = ({ case: { category, steps } }: RecordedCase): boolean =>
  category === 'openapi' || category === 'discovery' || steps.some(({ headers }) => String(headers?.['accept']).includes('as=Table'));

function slice(): RecordedCase[] {
  const kinds = new Map<string, RecordedCase[]>();
  for (const one of readRecorded()) {
    const { kind } = one.case;
    if (!kind?.includes('/') || hasProse(one)) continue;
    const known = kinds.get(kind);
    if (known === undefined) kinds.set(kind, [one]);
    else known.push(one);
  }
  return [...kinds.values()].flatMap((cases) => select(cases, { limit: casesPerKind }));
}

test('some recorded requests of every kind are answered as upstream answered them', async () => {
  await using server = await startTestServer({
    authorization: 'Node,RBAC',
    controllers: false,
    services: { ranges: ['10.96.0.0/12'] },
  });
  const { certificate: cert, key } = server.admin;
  using client = new ParityClient({ url: server.url, ca: server.authority.certificate, cert, key });
  const recorded = slice();
  const results = new Map<string, readonly Result[]>();
  await playAll(
    client,
    recorded.map((one) => one.case),
    ({ name }, answered) => results.set(name, answered),
  );
  const different = recorded.flatMap((one) => {
    const { exact, causes } = compare(one, results.get(one.case.name) ?? []);
    return exact ? [] : [`${one.case.name}: ${causes[0]?.cause ?? 'fewer answers'}`];
  });
  assert.ok(recorded.length > 300, `only ${recorded.length} cases`);
  assert.deepEqual(different, []);
});

test('compare() sees a changed message as not exact, a changed reason as not the same', () => {
  const body = {
    kind: 'Status',
    status: 'Failure',
    reason: 'Invalid',
    message: 'a',
    details: { causes: [{ field: 'spec', reason: 'FieldValueInvalid' }] },
  };
  const recorded: RecordedCase = {
    case: { name: 'x', category: 'create', steps: [{ method: 'POST' }] },
    result: [{ status: 422, headers: {}, body }],
  };
  const verdict = (change: object): object => {
    const { exact, semantic } = compare(recorded, [{ status: 422, headers: {}, body: { ...body, ...change } }]);
    return { exact, semantic };
  };
  assert.deepEqual(verdict({}), { exact: true, semantic: true });
  assert.deepEqual(verdict({ message: 'b' }), { exact: false, semantic: true });
  assert.deepEqual(verdict({ reason: 'BadRequest' }), { exact: false, semantic: false });
  assert.deepEqual(verdict({ details: {} }), { exact: false, semantic: false });
});

test('freshCases() makes the same cases of the same seed, and others of another', () => {
  const made = freshCases(1, 200);
  assert.deepEqual(freshCases(1, 200), made);
  assert.notDeepEqual(freshCases(2, 200), made);
  assert.ok(new Set(made.map(({ kind }) => kind)).size > 50);
});
