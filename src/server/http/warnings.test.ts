import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Request } from './request.ts';
import { warningHeaders } from './warnings.ts';

test('texts are quoted, and those that no header can hold are left out', () => {
  assert.deepEqual(warningHeaders(['say "a\\b"', 'two\nlines', '', 'é']), ['299 - "say \\"a\\\\b\\""', '299 - "Ã©"']);
});

test('together they may have 4096 characters', () => {
  assert.deepEqual(
    warningHeaders(['a'.repeat(4000), 'b'.repeat(96)]).map(({ length }) => length),
    [4008, 104],
  );
});

test('beyond that each is cut, and no more are sent once they fill the room', () => {
  const many = Array.from({ length: 30 }, (_, i) => String(i % 10).repeat(300));
  const headers = warningHeaders(many);
  assert.deepEqual(new Set(headers.map(({ length }) => length)), new Set([256 + 8]));
  assert.equal(headers.length, 16);
});

test('a request is warned of each thing once, of as many as there are', { timeout: 20_000 }, () => {
  const source = { method: 'GET', target: '/', headers: {} } as unknown as ConstructorParameters<typeof Request>[0];
  const request = new Request(source, 0);
  for (let round = 0; round < 2; round++) for (let index = 0; index < 50_000; index++) request.warn(`unknown field "k${index}"`);
  assert.equal(request.warnings.length, 50_000);
  assert.equal(request.warnings[1], 'unknown field "k1"');
});
