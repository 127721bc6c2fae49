import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serverFlagGroups, serverFlags } from './index.ts';
import { upstreamFlags } from './upstream-flags.ts';

test('flags have the names, groups, value words and defaults of upstream', () => {
  const ours = serverFlagGroups
    .filter(({ title }) => title !== 'Wheelhouse')
    .flatMap(({ title, flags }) =>
      Object.entries(flags)
        .filter(([, { hidden }]) => hidden !== true)
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, { kind, fallback }]) => [name, title, kind.word, kind.show(fallback)]),
    );
  assert.deepEqual(ours, upstreamFlags);
});

test('flags that help leaves out are the deprecated ones', () => {
  const hidden = Object.entries(serverFlags).filter(([, flag]) => flag.hidden === true);
  assert.deepEqual(hidden.map(([name]) => name).toSorted(), [
    'apiserver-count',
    'audit-webhook-batch-initial-backoff',
    'default-watch-cache-size',
    'kubelet-port',
    'kubelet-read-only-port',
  ]);
  assert.ok(hidden.every(([, { deprecated }]) => deprecated !== undefined));
});

test('no flag is in two groups', () => {
  const names = serverFlagGroups.flatMap(({ flags }) => Object.keys(flags));
  assert.equal(new Set(names).size, names.length);
  assert.equal(names.length, Object.keys(serverFlags).length);
});
