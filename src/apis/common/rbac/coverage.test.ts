import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Rule } from './coverage.ts';
import { describePermissions, missingPermissions } from './coverage.ts';

const cases: readonly (readonly [what: string, held: readonly Rule[], wanted: readonly Rule[], missing: string])[] = [
  [
    'stars cover everything of their kind',
    [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
    [{ verbs: ['get'], apiGroups: ['apps'], resources: ['deployments/scale'], resourceNames: ['a'] }],
    '',
  ],
  [
    'a rule for names does not cover the whole',
    [{ verbs: ['get'], apiGroups: [''], resources: ['secrets'], resourceNames: ['a'] }],
    [{ verbs: ['get'], apiGroups: [''], resources: ['secrets'] }],
    '{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}',
  ],
  [
    'a subresource of every resource covers that of one',
    [{ verbs: ['get'], apiGroups: [''], resources: ['*/log'] }],
    [{ verbs: ['get'], apiGroups: [''], resources: ['pods/log', 'pods'] }],
    '{APIGroups:[""], Resources:["pods"], Verbs:["get"]}',
  ],
  [
    'URLs are covered by their prefix',
    [{ verbs: ['get'], nonResourceURLs: ['/healthz*'] }],
    [{ verbs: ['get', 'post'], nonResourceURLs: ['/healthz/ping'] }],
    '{NonResourceURLs:["/healthz/ping"], Verbs:["post"]}',
  ],
  [
    'what is missing is told by target, in order, with all verbs',
    [],
    [{ verbs: ['list', 'get'], apiGroups: ['', 'apps'], resources: ['x'] }],
    '{APIGroups:[""], Resources:["x"], Verbs:["list" "get"]}\n{APIGroups:["apps"], Resources:["x"], Verbs:["list" "get"]}',
  ],
];

for (const [what, held, wanted, missing] of cases) {
  test(what, () => assert.equal(describePermissions(missingPermissions(held, wanted)), missing));
}
