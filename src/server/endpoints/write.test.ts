import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dedupOwnerReferences } from './write.ts';

function dedup(ownerReferences: object[]): { kept: unknown; warnings: string[] } {
  const warnings: string[] = [];
  const object = { metadata: { ownerReferences } };
  const request = { warn: (text: string) => void warnings.push(text) };
  const [asObject, asRequest] = [object, request] as unknown as Parameters<typeof dedupOwnerReferences>;
  dedupOwnerReferences(asObject, asRequest, false);
  return { kept: object.metadata.ownerReferences, warnings };
}

const owner = (uid: string, more: object = {}): object => ({ apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid, ...more });

test('the same owner twice is one owner, and those that differ in anything are two', () => {
  const { kept, warnings } = dedup([owner('1'), owner('2'), owner('1'), owner('1', { controller: true }), owner('2')]);
  assert.deepEqual(kept, [owner('1'), owner('2'), owner('1', { controller: true })]);
  assert.equal(warnings.length, 1);
  assert.match(warnings[0]!, /duplicate UID\(s\) observed: 1, 2$/);
});

test('owners are not compared each with each', { timeout: 20_000 }, () => {
  const owners = Array.from({ length: 100_000 }, (_, index) => owner(`${index}`));
  assert.deepEqual(dedup(owners), { kept: owners, warnings: [] });
});
