import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PodSpec } from '../../schema/types/core-v1.ts';
import { describe, violations } from './evaluate.ts';
import { policyOf, showLevel } from './checks/level.ts';
import type { Level } from './checks/level.ts';

const container = (securityContext: object = {}): object => ({ name: 'c', image: 'i', securityContext });
const restricted = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  runAsNonRoot: true,
  seccompProfile: { type: 'RuntimeDefault' },
};

const cases: readonly (readonly [level: Level, minor: number, spec: object, expected: string])[] = [
  ['privileged', Infinity, { hostPID: true, containers: [container({ privileged: true })] }, ''],
  ['baseline', Infinity, { containers: [container()] }, ''],
  [
    'baseline',
    Infinity,
    { hostNetwork: true, containers: [container({ privileged: true })] },
    'host namespaces (hostNetwork=true), privileged (container "c" must not set securityContext.privileged=true)',
  ],
  ['baseline', 33, { containers: [{ ...container(), livenessProbe: { httpGet: { host: 'h', port: 1 } } }] }, ''],
  [
    'baseline',
    34,
    { containers: [{ ...container(), livenessProbe: { httpGet: { host: 'h', port: 1 } } }] },
    'probe or lifecycle host (container "c" uses probe or lifecycle host "h")',
  ],
  ['restricted', Infinity, { containers: [container(restricted)] }, ''],
  [
    'restricted',
    Infinity,
    { containers: [container({ ...restricted, capabilities: { drop: ['ALL'], add: ['CHOWN'] } })], volumes: [{ name: 'v', nfs: {} }] },
    'unrestricted capabilities (container "c" must not include "CHOWN" in securityContext.capabilities.add), restricted volume types (volume "v" uses restricted volume type "nfs")',
  ],
  // A pod with users of its own may be root there, from 1.35 on.
  [
    'restricted',
    34,
    { hostUsers: false, containers: [container({ ...restricted, runAsUser: 0 })] },
    'runAsUser=0 (container "c" must not set runAsUser=0)',
  ],
  ['restricted', 35, { hostUsers: false, containers: [container({ ...restricted, runAsUser: 0 })] }, ''],
];

for (const [level, minor, spec, expected] of cases) {
  test(`${showLevel({ level, minor })} finds ${JSON.stringify(expected)}`, () => {
    assert.equal(describe(violations({ level, minor }, { annotations: {}, spec: spec as PodSpec })), expected);
  });
}

const lax = { level: 'privileged', minor: Infinity } as const;
const defaults = { enforce: lax, audit: lax, warn: lax };

test('what is enforced is warned about too, unless the namespace says otherwise', () => {
  const { policy } = policyOf(
    { 'pod-security.kubernetes.io/enforce': 'baseline', 'pod-security.kubernetes.io/enforce-version': 'v1.30' },
    defaults,
  );
  assert.equal(showLevel(policy.warn), 'baseline:v1.30');
});

test('a level that does not exist is the strictest where it is enforced, and reported', () => {
  const { policy, errors } = policyOf({ 'pod-security.kubernetes.io/enforce': 'bad' }, defaults);
  assert.equal(policy.enforce.level, 'restricted');
  assert.match(String(errors[0]), /must be one of privileged, baseline, restricted/);
});
