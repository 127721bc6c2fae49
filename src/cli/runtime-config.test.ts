import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serverFlags } from './flags/index.ts';
import { parseFlags } from './parse-flags.ts';
import { apiPreferences, validateFairnessApis, validateRuntimeConfig } from './runtime-config.ts';

const flagsFor = (...args: string[]): ReturnType<typeof parseFlags<typeof serverFlags>>['values'] => parseFlags(serverFlags, args).values;
const config = (text: string): ReadonlyMap<string, string> => flagsFor(`--runtime-config=${text}`)['runtime-config'];

const faults: readonly (readonly [text: string, faults: readonly string[]])[] = [
  ['', []],
  ['api/all=true,apps/v1,v1/pods=false,api/legacy', []],
  ['imagepolicy.k8s.io/v1alpha1=true', []],
  ['foo', ['runtime-config invalid key foo']],
  ['v2', ['runtime-config invalid key v2']],
  ['a/b/c/d', ['runtime-config invalid key a/b/c/d']],
  ['zed/v1,foo/v1,apps/v9', ['unknown api groups foo/v1,zed/v1']],
  ['audit.k8s.io/v1', ['unknown api groups audit.k8s.io/v1']],
  ['api/all=false', ['invalid runtime-config with only api/all=false']],
];
for (const [text, expected] of faults) {
  test(`--runtime-config=${text} ${expected.length === 0 ? 'is fine' : `has the fault: ${expected[0]}`}`, () => {
    assert.deepEqual([...validateRuntimeConfig(config(text))], expected);
  });
}

const refusals: Readonly<Record<string, string>> = {
  'apps/v9': 'group version apps/v9 that has not been registered',
  'apps/v1/Deployments':
    'invalid key apps/v1/Deployments: group/version/resource and resource is always lowercase plural, not "Deployments"',
  'apps/v1=maybe': 'invalid value of apps/v1: maybe, err: strconv.ParseBool: parsing "maybe": invalid syntax',
  'api/all=maybe': 'invalid value api/all=maybe',
  'api/beta': 'invalid value api/beta=',
};
for (const [text, message] of Object.entries(refusals)) {
  test(`--runtime-config=${text} is refused when it is read`, () => {
    assert.throws(() => apiPreferences(config(text)), { message });
  });
}

test('a key without a value means true, and what is said of v1 is said of the core group', () => {
  assert.deepEqual(
    [...apiPreferences(config('apps/v1,batch/v1/jobs=0,v1/pods=false'))],
    [
      ['apps/v1', true],
      ['batch/v1/jobs', false],
      ['/v1', false],
    ],
  );
});

test('priority and fairness needs its kinds, unless it is off or a narrower key has them', () => {
  const conflict = (key: string): string[] => [`--runtime-config=${key}=false conflicts with --enable-priority-and-fairness=true`];
  const check = (...args: string[]): string[] => [...validateFairnessApis(flagsFor(...args))];
  assert.deepEqual(check('--runtime-config=api/ga=false'), conflict('api/ga'));
  assert.deepEqual(check('--runtime-config=api/all=false'), conflict('api/all'));
  assert.deepEqual(check('--runtime-config=api/all=false,flowcontrol.apiserver.k8s.io/v1=true'), []);
  assert.deepEqual(check('--runtime-config=api/ga=false', '--enable-priority-and-fairness=false'), []);
});
