// FlowSchemas and PriorityLevelConfigurations that are refused, or are accepted although no request can make use of them.

const queuing = (more: object = {}): object => ({ queues: 8, handSize: 2, queueLengthLimit: 10, ...more });
const limited = (more: object = {}): object => ({
  type: 'Limited',
  limited: { nominalConcurrencyShares: 1, limitResponse: { type: 'Queue', queuing: queuing() }, ...more },
});

export const oddLevels: readonly unknown[] = [
  {},
  { type: 'Limited' },
  { type: 'Exempt' },
  { type: 'Exempt', exempt: {} },
  { type: 'Other' },
  { type: 'Limited', exempt: {} },
  { ...limited(), exempt: {} },
  limited({ nominalConcurrencyShares: 0 }),
  limited({ nominalConcurrencyShares: -1 }),
  limited({ lendablePercent: 101 }),
  limited({ lendablePercent: -1 }),
  limited({ borrowingLimitPercent: -1 }),
  limited({ limitResponse: { type: 'Queue' } }),
  limited({ limitResponse: { type: 'Reject', queuing: queuing() } }),
  limited({ limitResponse: { type: 'Wait' } }),
  limited({ limitResponse: {} }),
  limited({ limitResponse: { type: 'Queue', queuing: queuing({ queues: 0 }) } }),
  limited({ limitResponse: { type: 'Queue', queuing: queuing({ queues: -1 }) } }),
  limited({ limitResponse: { type: 'Queue', queuing: queuing({ queues: 100_000_000 }) } }),
  limited({ limitResponse: { type: 'Queue', queuing: queuing({ handSize: 0 }) } }),
  limited({ limitResponse: { type: 'Queue', queuing: queuing({ handSize: 9 }) } }),
  limited({ limitResponse: { type: 'Queue', queuing: queuing({ queues: 1_000_000, handSize: 20 }) } }),
  limited({ limitResponse: { type: 'Queue', queuing: queuing({ queueLengthLimit: 0 }) } }),
];

const subjects = [{ kind: 'Group', group: { name: 'nobody' } }];
const resources = { verbs: ['get'], apiGroups: [''], resources: ['pods'], namespaces: ['*'] };
const schema = (more: object = {}): object => ({
  priorityLevelConfiguration: { name: 'mine' },
  matchingPrecedence: 1000,
  rules: [{ subjects, resourceRules: [resources] }],
  ...more,
});
const withRule = (more: object): object => schema({ rules: [{ subjects, resourceRules: [resources], ...more }] });
const withResources = (more: object): object => withRule({ resourceRules: [{ ...resources, ...more }] });
const withPaths = (...nonResourceURLs: string[]): object =>
  withRule({ resourceRules: [], nonResourceRules: [{ verbs: ['get'], nonResourceURLs }] });

export const oddSchemas: readonly unknown[] = [
  {},
  schema({ priorityLevelConfiguration: {} }),
  schema({ priorityLevelConfiguration: { name: 'Not a name' } }),
  schema({ priorityLevelConfiguration: { name: 'nowhere' } }),
  schema({ matchingPrecedence: 0 }),
  schema({ matchingPrecedence: 1 }),
  schema({ matchingPrecedence: -1 }),
  schema({ matchingPrecedence: 10_001 }),
  schema({ distinguisherMethod: { type: 'ByShoe' } }),
  schema({ distinguisherMethod: {} }),
  schema({ rules: [] }),
  schema({ rules: [{}] }),
  withRule({ subjects: [] }),
  withRule({ subjects: [{}] }),
  withRule({ subjects: [{ kind: 'Robot' }] }),
  withRule({ subjects: [{ kind: 'User' }] }),
  withRule({ subjects: [{ kind: 'User', user: { name: '' } }] }),
  withRule({ subjects: [{ kind: 'User', user: { name: 'a' }, group: { name: 'b' } }] }),
  withRule({ subjects: [{ kind: 'Group', group: { name: '' } }] }),
  withRule({ subjects: [{ kind: 'ServiceAccount', serviceAccount: { namespace: '', name: 'a' } }] }),
  withRule({ subjects: [{ kind: 'ServiceAccount', serviceAccount: { namespace: 'Not a name', name: 'No' } }] }),
  withRule({ resourceRules: [] }),
  withResources({ verbs: [] }),
  withResources({ verbs: ['dance'] }),
  withResources({ verbs: ['*', 'get'] }),
  withResources({ apiGroups: [] }),
  withResources({ apiGroups: ['*', 'apps'] }),
  withResources({ resources: [] }),
  withResources({ resources: ['*', 'pods'] }),
  withResources({ namespaces: [] }),
  withResources({ namespaces: [], clusterScope: true }),
  withResources({ namespaces: ['*', 'default'] }),
  withResources({ namespaces: ['Not a name'] }),
  withPaths(),
  withPaths('*', '/healthz'),
  withPaths('healthz'),
  withPaths('/a b'),
  withPaths('/a//b'),
  withPaths('/*/b'),
  withPaths('/'),
  withPaths(''),
];
