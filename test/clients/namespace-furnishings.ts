import type { Scenario } from './controller-scenarios.ts';
import type { Estate } from './estate.ts';

const bundle = 'kube-root-ca.crt';
const describes = 'kubernetes.io/description';
const hold = { metadata: { finalizers: ['example.com/hold'] } };
const release = { metadata: { finalizers: null } };
const deletes =
  (plural: string, name: string) =>
  (estate: Estate): Promise<void> =>
    estate.delete(plural, name, 'Background');
const patches =
  (plural: string, name: string, patch: object) =>
  (estate: Estate): Promise<void> =>
    estate.patch(plural, name, patch);
const again = async (estate: Estate): Promise<void> => {
  await estate.deleteNamespace();
  await estate.lost();
  await estate.createNamespace();
};
/** The namespace stays, for what is held in it. */
const ends = async (estate: Estate): Promise<void> => {
  await estate.create('secrets', 'held', { finalizers: ['example.com/hold'] });
  await estate.deleteNamespace();
};

/** What every namespace has: a service account and a bundle of authorities. */
export const furnishings: readonly Scenario[] = [
  {
    name: 'service-account-and-certificate',
    steps: [
      async () => {},
      async (estate) => {
        await estate.delete('serviceaccounts', 'default', 'Background');
        await estate.delete('configmaps', bundle, 'Background');
      },
      patches('configmaps', bundle, { metadata: { annotations: null }, data: { more: 'x' } }),
    ],
  },
  { name: 'account-deleted', steps: [deletes('serviceaccounts', 'default')] },
  {
    name: 'account-altered',
    steps: [patches('serviceaccounts', 'default', { metadata: { labels: { a: 'b' } }, secrets: [{ name: 'x' }] })],
  },
  {
    name: 'account-held',
    steps: [
      patches('serviceaccounts', 'default', hold),
      deletes('serviceaccounts', 'default'),
      patches('serviceaccounts', 'default', release),
    ],
  },
  {
    name: 'account-of-another-name',
    steps: [async (estate) => void (await estate.create('serviceaccounts', 'other')), deletes('serviceaccounts', 'other')],
  },
  { name: 'account-of-a-namespace-that-ends', steps: [ends, patches('secrets', 'held', release)] },
  { name: 'account-of-a-namespace-made-again', steps: [again] },
  {
    name: 'account-from-before',
    before: async (estate) => {
      await estate.createNamespace();
      await estate.create('serviceaccounts', 'default', { labels: { made: 'before' } });
    },
    steps: [async () => {}],
  },
  { name: 'bundle-deleted', steps: [deletes('configmaps', bundle)] },
  { name: 'bundle-altered', steps: [patches('configmaps', bundle, { data: { 'ca.crt': 'x' } })] },
  { name: 'bundle-emptied', steps: [patches('configmaps', bundle, { data: null })] },
  { name: 'bundle-with-bytes', steps: [patches('configmaps', bundle, { binaryData: { more: 'eA==' } })] },
  {
    name: 'bundle-described-by-others',
    steps: [
      patches('configmaps', bundle, { metadata: { annotations: { [describes]: 'mine', other: 'x' } } }),
      patches('configmaps', bundle, { metadata: { annotations: { [describes]: '' } } }),
    ],
  },
  {
    name: 'bundle-held',
    steps: [patches('configmaps', bundle, hold), deletes('configmaps', bundle), patches('configmaps', bundle, release)],
  },
  {
    name: 'bundle-from-before',
    before: async (estate) => {
      await estate.createNamespace();
      await estate.create('configmaps', bundle, { labels: { made: 'before' }, fields: { data: { 'ca.crt': 'x', other: 'y' } } });
    },
    steps: [async () => {}],
  },
  { name: 'bundle-of-a-namespace-that-ends', steps: [ends] },
];

const rule = (resource: string, ...verbs: string[]): object => ({ apiGroups: [''], resources: [resource], verbs });
const marked = (estate: Estate, value = 'yes'): Record<string, string> => ({ [estate.namespace]: value });
const selecting = (...clusterRoleSelectors: object[]): object => ({ aggregationRule: { clusterRoleSelectors } });
const role = async (estate: Estate, name: string, labels: Record<string, string>, ...rules: object[]): Promise<void> =>
  void (await estate.create('clusterroles', name, { labels, fields: { rules } }));
const sum = async (estate: Estate, name: string, selectors: readonly object[], labels: Record<string, string> = {}): Promise<void> =>
  void (await estate.create('clusterroles', name, { labels, fields: selecting(...selectors) }));
const all = (estate: Estate, value = 'yes'): object => ({ matchLabels: marked(estate, value) });

/** Roles that are the sum of others. */
export const aggregationScenarios: readonly Scenario[] = [
  {
    name: 'aggregated-roles',
    steps: [
      async (estate) => {
        await sum(estate, 'all', [all(estate)]);
        for (const [name, resource] of Object.entries({ b: 'pods', a: 'secrets', c: 'pods' }))
          await role(estate, name, marked(estate), rule(resource, 'get'));
      },
      deletes('clusterroles', 'a'),
      async (estate) => {
        await estate.delete('clusterroles', 'b', 'Background');
        await estate.delete('clusterroles', 'c', 'Background');
      },
    ],
  },
  {
    name: 'aggregated-by-several-selectors',
    steps: [
      async (estate) => {
        await role(estate, 'a', marked(estate, 'second'), rule('pods', 'get'), rule('secrets', 'list'));
        await role(estate, 'b', marked(estate, 'first'), rule('configmaps', 'get'));
        await role(estate, 'c', { ...marked(estate, 'first'), other: 'x' }, rule('nodes', 'get'));
        const expression = { matchExpressions: [{ key: 'other', operator: 'DoesNotExist' }], matchLabels: marked(estate, 'second') };
        await sum(estate, 'all', [all(estate, 'first'), expression]);
      },
    ],
  },
  {
    name: 'aggregated-of-aggregated',
    steps: [
      async (estate) => {
        await sum(estate, 'outer', [all(estate, 'outer')]);
        await sum(estate, 'inner', [all(estate, 'inner')], marked(estate, 'outer'));
        await role(estate, 'a', marked(estate, 'inner'), rule('pods', 'get'));
      },
      deletes('clusterroles', 'inner'),
    ],
  },
  {
    name: 'aggregated-of-itself',
    steps: [
      async (estate) => {
        await role(estate, 'a', marked(estate), rule('pods', 'get'));
        await sum(estate, 'all', [all(estate)], marked(estate));
      },
    ],
  },
  {
    name: 'aggregated-altered',
    steps: [
      async (estate) => {
        await role(estate, 'a', marked(estate), rule('pods', 'get'));
        await sum(estate, 'all', [all(estate)]);
      },
      patches('clusterroles', 'all', { rules: [rule('secrets', 'get')] }),
      patches('clusterroles', 'all', { rules: null }),
    ],
  },
  {
    name: 'aggregated-no-more',
    steps: [
      async (estate) => {
        await role(estate, 'a', marked(estate), rule('pods', 'get'));
        await sum(estate, 'all', [all(estate)]);
      },
      (estate) => estate.patch('clusterroles', 'a', { metadata: { labels: { [estate.namespace]: 'no' } } }),
      (estate) => estate.patch('clusterroles', 'a', { metadata: { labels: marked(estate) } }),
      patches('clusterroles', 'all', { aggregationRule: null }),
      patches('clusterroles', 'a', { rules: [] }),
    ],
  },
  { name: 'aggregated-of-none', steps: [(estate) => sum(estate, 'all', [all(estate)])] },
  {
    name: 'aggregated-of-equal-rules',
    steps: [
      async (estate) => {
        await role(estate, 'a', marked(estate), rule('pods', 'get'), rule('pods', 'get'), rule('pods', 'list'));
        await role(estate, 'b', marked(estate), rule('pods', 'list'), rule('pods', 'get', 'list'));
        await sum(estate, 'all', [all(estate), all(estate)]);
      },
    ],
  },
];
