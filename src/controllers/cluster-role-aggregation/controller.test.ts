import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClusterRole, PolicyRule } from '../../schema/types/rbac-v1.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import { startTestServer } from '../../testing/index.ts';
import { RawClient } from '../../../test/support/raw-client.ts';
import { aggregatedRules } from './controller.ts';

type Role = ClusterRole & KubeObject;

const path = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
const rule = (resource: string): PolicyRule => ({ apiGroups: [''], resources: [resource], verbs: ['get'] });
const role = (name: string, labels: Record<string, string>, ...resources: string[]): Role =>
  ({ metadata: { name, labels }, rules: resources.map(rule) }) as Role;
const aggregate = (...selectors: Record<string, string>[]): Role =>
  ({
    metadata: { name: 'all', labels: { a: 'x' } },
    rules: [rule('old')],
    aggregationRule: { clusterRoleSelectors: selectors.map((matchLabels) => ({ matchLabels })) },
  }) as Role;

test('rules come in the order of selectors and names, each once, and never from the role itself', () => {
  const all = aggregate({ b: 'x' }, { a: 'x' });
  const roles = [
    role('z', { a: 'x' }, 'pods'),
    role('y', { a: 'x' }, 'secrets', 'pods'),
    all,
    role('x', { b: 'x' }, 'nodes'),
    role('w', {}, 'jobs'),
  ];
  assert.deepEqual(aggregatedRules(all, roles), [rule('nodes'), rule('secrets'), rule('pods')]);
});

test('an aggregated role follows the roles that it is made of', { timeout: 30_000 }, async () => {
  await using server = await startTestServer({ controllers: ['clusterrole-aggregation-controller'] });
  await using client = new RawClient(server);
  const settled = async (name: string, holds: (resources: string[]) => boolean): Promise<Role> => {
    for (;;) {
      const found = await client.json<Role>('GET', `${path}/${name}`);
      if (holds((found.rules ?? []).flatMap(({ resources }) => resources ?? []))) return found;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  await settled('view', (resources) => resources.includes('pods'));
  const { metadata, aggregationRule } = aggregate({ mine: 'yes' });
  await client.call('POST', path, { body: { metadata, aggregationRule } });
  await client.call('POST', path, { body: role('part', { mine: 'yes' }, 'pods') });
  const filled = await settled('all', (resources) => resources.join() === 'pods');
  assert.ok(
    filled.metadata.managedFields?.some(
      ({ manager, operation }) => manager === 'clusterrole-aggregation-controller' && operation === 'Apply',
    ),
  );
  await client.call('DELETE', `${path}/part`);
  await settled('all', (resources) => resources.length === 0);
});
