import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RuleWithOperations } from '../../schema/types/admissionregistration-v1.ts';
import type { ServedResource } from '../common/served-resources.ts';
import { kindsOf } from './kinds.ts';

const serve = (group: string, version: string, resource: string, kind: string): ServedResource => ({
  group,
  version,
  kind,
  resource,
  singular: kind.toLowerCase(),
  namespaced: true,
  verbs: [],
});
const served = [
  serve('', 'v1', 'pods', 'Pod'),
  serve('', 'v1', 'events', 'Event'),
  serve('events.k8s.io', 'v1', 'events', 'Event'),
  serve('apps', 'v1', 'deployments', 'Deployment'),
  ...Array.from({ length: 12 }, (_, i) => serve('many', 'v1', `things${i}`, `Thing${i}`)),
];

const shown = (...rules: RuleWithOperations[]): string[] =>
  kindsOf(rules, served).map(({ group, version, kind }) => `${group}/${version} ${kind}`);
const rule = (apiGroups: string[], resources: string[]): RuleWithOperations => ({ apiGroups, apiVersions: ['v1'], resources });

test('kinds are those that rules name, each once and in order', () => {
  const rules = [rule(['apps', ''], ['pods', 'deployments']), rule([''], ['pod', 'POD'])];
  assert.deepEqual(shown(...rules), ['/v1 Pod', 'apps/v1 Deployment']);
});

test('an empty group stands for any', () => {
  assert.deepEqual(shown(rule([''], ['events'])), ['/v1 Event', 'events.k8s.io/v1 Event']);
});

test('rules for everything, subresources and what nobody serves have no kind', () => {
  assert.deepEqual(shown(rule(['*'], ['pods']), rule(['apps'], ['*', 'deployments/scale', 'nothing'])), []);
});

test('ten kinds are enough, whatever else there is', () => {
  const many = rule(
    ['many'],
    Array.from({ length: 12 }, (_, i) => `things${i}`),
  );
  assert.equal(shown(many, rule(['apps'], ['deployments'])).length, 10);
});
