import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completeOptions } from './complete-options.ts';
import { serverFlags } from './flags/index.ts';
import { parseFlags } from './parse-flags.ts';
import { validateOptions } from './validate-options.ts';

const sound = [
  '--service-account-issuer=https://x',
  '--service-account-key-file=k',
  '--service-account-signing-key-file=k',
  '--authorization-mode=RBAC',
];

function problemsOf(...args: string[]): string[] {
  const { values, changed } = parseFlags(serverFlags, [...sound, ...args]);
  return validateOptions(completeOptions(values, changed));
}

/** What upstream ends with, word for word. */
const refused: readonly (readonly [flag: string, text: string])[] = [
  ['--emulated-version=1.38', 'emulation version 1.38 is not between [1.34, 1.37.0]'],
  ['--min-compatibility-version=1.33', 'minCompatibilityVersion version 1.33 is not between [1.34, 1.37]'],
  ['--min-compatibility-version=1.38', 'minCompatibilityVersion version 1.38 is not between [1.34, 1.37]'],
  ['--tls-curve-preferences=1', 'curve preference 1 is not supported by the current Go version'],
  ['--tls-curve-preferences=23,23', 'duplicate curve preference 23'],
  ['--tls-curve-preferences=70000', 'curve preference 70000 is out of range (must be 1-65535)'],
  ['--watch-cache-sizes=pods', 'invalid value of watch cache size: pods'],
  ['--watch-cache-sizes=pods#x', 'invalid size of watch cache size: pods#x'],
  ['--watch-cache-sizes=pods#-1', 'watch cache size cannot be negative: pods#-1'],
  ['--shutdown-watch-termination-grace-period=-1s', 'shutdown-watch-termination-grace-period, if provided, can not be a negative value'],
  [
    '--etcd-servers-overrides=pods#http://a',
    '--etcd-servers-overrides invalid, must be of format: group/resource#servers, where servers are URLs, semicolon separated',
  ],
  [
    '--etcd-servers-overrides=/pods#',
    '--etcd-servers-overrides invalid, must be of format: group/resource#servers, where servers are URLs, semicolon separated',
  ],
];

test('times of embedded controllers that make no sense are refused', () => {
  assert.deepEqual(problemsOf('--cluster-signing-duration=0'), ['--cluster-signing-duration must be greater than 0']);
  assert.deepEqual(problemsOf('--legacy-service-account-token-clean-up-period=-1s'), [
    '--legacy-service-account-token-clean-up-period can not be a negative value',
  ]);
});

test('sound options are taken', () => {
  assert.deepEqual(problemsOf(), []);
  assert.deepEqual(problemsOf('--tls-curve-preferences=23,4588', '--watch-cache-sizes=pods#0,deployments.apps#100'), []);
});

for (const [flag, text] of refused) test(`${flag} is refused`, () => assert.deepEqual(problemsOf(flag), [text]));

/** What ends the start before anything else is looked at. */
const unreadable: readonly (readonly [flag: string, text: string])[] = [
  ['--emulated-version=foo', 'could not parse "foo" as version'],
  ['--emulated-version=kube=1.36,kube=1.35', 'duplicate version flag, kube=1.36 and kube=1.35'],
  ['--emulated-version=bar=1.36', 'component not registered: bar'],
  ['--emulated-version=1.36.1', 'patch version not allowed, got: kube=1.36.1'],
];

for (const [flag, message] of unreadable) test(`${flag} cannot be read`, () => assert.throws(() => problemsOf(flag), { message }));

test('sizes of watch caches that say nothing are warned of, and none counts where there is no watch cache', () => {
  const { values, changed } = parseFlags(serverFlags, [...sound, '--watch-cache-sizes=pods#0,deployments.apps#100']);
  const [, ...warnings] = completeOptions(values, changed).warnings;
  assert.deepEqual(warnings, ['Dropping watch-cache-size for deployments.apps - watchCache size is now dynamic']);
  assert.deepEqual(problemsOf('--watch-cache=false', '--watch-cache-sizes=pods'), []);
});
