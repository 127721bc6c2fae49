import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiServerProcess } from '../servers/api-server-process.ts';
import type { Scenario } from './controller-scenarios.ts';
import type { Estate } from './estate.ts';

const type = 'kubernetes.io/service-account-token';
const ofAccount = (account: string, more: object = {}): object => ({
  fields: { type },
  metadata: { annotations: { 'kubernetes.io/service-account.name': account, ...more } },
});
const token = async (estate: Estate, name: string, account: string, more: object = {}): Promise<void> =>
  void (await estate.create('secrets', name, ofAccount(account, more)));
const account = async (estate: Estate, name: string): Promise<void> => void (await estate.create('serviceaccounts', name));

export const tokenScenarios: readonly Scenario[] = [
  {
    name: 'token-of-an-account',
    steps: [
      async (estate) => {
        await account(estate, 'a');
        await token(estate, 't', 'a');
      },
      (estate) => estate.delete('serviceaccounts', 'a', 'Background'),
    ],
  },
  { name: 'token-of-no-account', steps: [(estate) => token(estate, 't', 'none').catch(() => {})] },
  {
    name: 'token-of-another-account',
    steps: [
      async (estate) => {
        await account(estate, 'a');
        await token(estate, 't', 'a', { 'kubernetes.io/service-account.uid': '00000000-0000-0000-0000-000000000000' }).catch(() => {});
      },
    ],
  },
  {
    name: 'token-altered',
    steps: [
      async (estate) => {
        await account(estate, 'a');
        await token(estate, 't', 'a');
      },
      (estate) => estate.patch('secrets', 't', { data: { 'ca.crt': 'eA==', namespace: 'eA==', more: 'eA==' } }),
      (estate) => estate.patch('secrets', 't', { data: { token: null } }),
    ],
  },
  {
    name: 'token-deleted',
    steps: [
      async (estate) => {
        await account(estate, 'a');
        await token(estate, 't', 'a');
        await estate.patch('serviceaccounts', 'a', { secrets: [{ name: 't' }, { name: 'other' }] });
      },
      (estate) => estate.delete('secrets', 't', 'Background'),
    ],
  },
  {
    name: 'token-of-an-account-made-again',
    steps: [
      async (estate) => {
        await account(estate, 'a');
        await token(estate, 't', 'a');
      },
      async (estate) => {
        await estate.delete('serviceaccounts', 'a', 'Background');
        await account(estate, 'a');
      },
    ],
  },
  {
    name: 'token-that-is-another-secret',
    steps: [
      async (estate) => {
        await account(estate, 'a');
        await estate.create('secrets', 't', { metadata: { annotations: { 'kubernetes.io/service-account.name': 'a' } } });
      },
    ],
  },
];

/** The cleaner leaves tokens alone until their use has been noted for long enough. */
export async function trackTokensSince(server: ApiServerProcess, since: string): Promise<void> {
  const path = '/api/v1/namespaces/kube-system/configmaps/kube-apiserver-legacy-service-account-token-tracking';
  while ((await server.request('GET', path)).status !== 200) await sleep(50);
  const { status, body } = await server.request('PATCH', path, { data: { since } });
  if (status !== 200) throw new Error(`${path}: ${status} ${body}`);
}

interface OldToken {
  readonly labels?: Readonly<Record<string, string>>;
  /** whether its account names it, as those name it that were generated; true */
  readonly isGenerated?: boolean;
  readonly isMounted?: boolean;
  readonly finalizers?: readonly string[];
}

const lastUsed = 'kubernetes.io/legacy-token-last-used';
const invalidSince = 'kubernetes.io/legacy-token-invalid-since';
const today = new Date().toISOString().slice(0, 10);

/** A token from before there were controllers. */
const oldToken = (name: string, { labels, isGenerated = true, isMounted = false, finalizers }: OldToken): Scenario => ({
  name: `old-token-${name}`,
  before: async (estate) => {
    await estate.createNamespace();
    await estate.create('serviceaccounts', 'a', { fields: { secrets: isGenerated ? [{ name: 't' }] : [] } });
    const annotations = { 'kubernetes.io/service-account.name': 'a' };
    await estate.create('secrets', 't', {
      fields: { type },
      metadata: { annotations },
      ...(labels !== undefined && { labels }),
      ...(finalizers !== undefined && { finalizers }),
    });
    if (!isMounted) return;
    const volumes = [{ name: 'v', secret: { secretName: 't' } }];
    await estate.create('pods', 'p', { spec: { serviceAccountName: 'a', automountServiceAccountToken: false, volumes } });
  },
  steps: [async () => {}],
});

export const oldTokenScenarios: readonly Scenario[] = [
  oldToken('never-used', {}),
  oldToken('used-long-ago', { labels: { [lastUsed]: '2021-05-05' } }),
  oldToken('used-today', { labels: { [lastUsed]: today } }),
  oldToken('used-at-an-unknown-time', { labels: { [lastUsed]: 'sometime' } }),
  oldToken('made-by-hand', { isGenerated: false }),
  oldToken('of-a-mounted-volume', { isMounted: true }),
  oldToken('invalid-since-long-ago', { labels: { [invalidSince]: '2022-01-01' } }),
  oldToken('invalid-since-today', { labels: { [invalidSince]: today } }),
  oldToken('invalid-since-an-unknown-time', { labels: { [invalidSince]: 'sometime' } }),
  oldToken('invalid-and-held', { labels: { [invalidSince]: '2022-01-01' }, finalizers: ['example.com/hold'] }),
];

const quota = async (estate: Estate, hard: object, more: object = {}): Promise<void> =>
  void (await estate.create('resourcequotas', 'q', { spec: { hard, ...more } }));
const pod = (name: string, cpu: string, more: object = {}): [string, string, { spec: object }] => [
  'pods',
  name,
  {
    spec: {
      containers: [{ name: 'c', image: 'example.com/x', resources: { requests: { cpu }, limits: { cpu: '2', memory: '1Gi' } } }],
      ...more,
    },
  },
];

export const quotaScenarios: readonly Scenario[] = [
  {
    name: 'quota-of-pods',
    steps: [
      (estate) => quota(estate, { pods: '5', 'requests.cpu': '4', 'limits.memory': '8Gi' }),
      async (estate) => {
        await estate.create(...pod('a', '500m'));
        await estate.create(...pod('b', '1'));
      },
      (estate) => estate.delete('pods', 'a', 'Background', { gracePeriodSeconds: 0 }),
    ],
  },
  {
    name: 'quota-of-what-is-there',
    steps: [
      async (estate) => {
        await estate.create('configmaps', 'a');
        await estate.create('secrets', 'a');
        await estate.create('services', 'a');
        await estate.create('things', 'a');
      },
      (estate) =>
        quota(estate, {
          configmaps: '10',
          secrets: '10',
          services: '10',
          'services.nodeports': '1',
          'count/things.example.com': '10',
          'count/deployments.apps': '3',
        }),
      async (estate) => {
        await estate.delete('things', 'a', 'Background');
        await estate.delete('configmaps', 'a', 'Background');
      },
    ],
  },
  {
    name: 'quota-of-scopes',
    steps: [
      (estate) => quota(estate, { pods: '5' }, { scopes: ['BestEffort'] }),
      async (estate) => {
        await estate.create('pods', 'best-effort');
        await estate.create(...pod('other', '1'));
      },
    ],
  },
  {
    name: 'quota-of-ended-pods',
    steps: [
      (estate) => quota(estate, { pods: '5', 'count/pods': '5' }),
      async (estate) => {
        await estate.create(...pod('a', '1'));
        await estate.create(...pod('b', '1'));
      },
      (estate) => estate.patchStatus('pods', 'a', { phase: 'Succeeded' }),
    ],
  },
  {
    name: 'quota-changed',
    steps: [
      async (estate) => {
        await estate.create('configmaps', 'a');
        await quota(estate, { configmaps: '10' });
      },
      (estate) => estate.patch('resourcequotas', 'q', { spec: { hard: { configmaps: '1', secrets: '7' } } }),
      (estate) => estate.patch('resourcequotas', 'q', { spec: { hard: { configmaps: null } } }),
    ],
  },
  {
    name: 'quota-of-claims',
    steps: [
      (estate) =>
        quota(estate, {
          persistentvolumeclaims: '3',
          'requests.storage': '10Gi',
          'fast.storageclass.storage.k8s.io/requests.storage': '5Gi',
        }),
      async (estate) => {
        await estate.create('persistentvolumeclaims', 'a');
        await estate.create('persistentvolumeclaims', 'b', { spec: { storageClassName: 'fast' } });
      },
      (estate) => estate.delete('persistentvolumeclaims', 'a', 'Background'),
    ],
  },
  {
    name: 'quota-of-nothing-known',
    steps: [(estate) => quota(estate, { 'count/nothings.example.com': '3', 'example.com/gpu': '1' }).catch(() => {})],
  },
];

const ended = (estate: Estate, name: string, type_: string, secondsAgo = 0): Promise<void> => {
  const at = new Date(Date.now() - secondsAgo * 1000).toISOString().replace(/\.\d+/, '');
  const before = type_ === 'Complete' ? 'SuccessCriteriaMet' : 'FailureTarget';
  const conditions = [before, type_].map((type) => ({ type, status: 'True', lastProbeTime: at, lastTransitionTime: at }));
  const counted = type_ === 'Complete' ? { succeeded: 1, completionTime: at } : { failed: 1 };
  return estate.patchStatus('jobs', name, { startTime: at, conditions, ...counted });
};
const job = async (estate: Estate, name: string, ttlSecondsAfterFinished?: number, finalizers?: string[]): Promise<void> =>
  void (await estate.create('jobs', name, {
    ...(ttlSecondsAfterFinished !== undefined && { spec: { ttlSecondsAfterFinished } }),
    ...(finalizers !== undefined && { finalizers }),
  }));
const ttl = (name: string, seconds: number | undefined, type_: string | undefined): Scenario => ({
  name: `ttl-${name}`,
  steps: [
    async (estate) => {
      await job(estate, 'j', seconds);
      if (type_ !== undefined) await ended(estate, 'j', type_);
    },
  ],
});

export const ttlScenarios: readonly Scenario[] = [
  ttl('of-a-complete-job', 1, 'Complete'),
  ttl('of-a-failed-job', 0, 'Failed'),
  ttl('of-a-job-that-runs', 0, undefined),
  ttl('none', undefined, 'Complete'),
  ttl('of-an-hour', 3600, 'Complete'),
  {
    name: 'ttl-shortened',
    steps: [
      async (estate) => {
        await job(estate, 'j', 3600);
        await ended(estate, 'j', 'Complete');
      },
      (estate) => estate.patch('jobs', 'j', { spec: { ttlSecondsAfterFinished: 1 } }),
    ],
  },
  {
    name: 'ttl-of-a-job-that-is-held',
    steps: [
      async (estate) => {
        await job(estate, 'j', 0, ['example.com/hold']);
        await ended(estate, 'j', 'Complete');
      },
    ],
  },
];
