import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { admissionServer } from '../../../test/support/admission-server.ts';
import { turnsOf } from '../../../test/support/turns.ts';

interface Container {
  readonly resources: { readonly requests?: object; readonly limits?: object };
}

interface Pod {
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: { readonly containers: readonly Container[]; readonly initContainers?: readonly Container[] };
}

const range = (name: string, ...limits: readonly object[]): object => ({ metadata: { name }, spec: { limits } });
/** namespaces, by what their ranges say */
const ranges: Readonly<Record<string, readonly object[]>> = {
  defaults: [range('r', { type: 'Container', default: { cpu: '2', memory: '1Gi' }, defaultRequest: { cpu: '1' } })],
  'two-defaults': [range('r', { type: 'Container', default: { cpu: '1' } }), range('s', { type: 'Container', default: { memory: '1Gi' } })],
  containers: [range('r', { type: 'Container', min: { cpu: '100m' }, max: { cpu: '1', memory: '1Gi' }, default: { memory: '1Gi' } })],
  ratios: [range('r', { type: 'Container', maxLimitRequestRatio: { cpu: '2' } })],
  least: [range('r', { type: 'Container', min: { cpu: '100m' } })],
  pods: [range('r', { type: 'Pod', min: { cpu: '500m' }, max: { cpu: '2' } })],
  claims: [range('r', { type: 'PersistentVolumeClaim', min: { storage: '1Gi' }, max: { storage: '10Gi' } })],
  several: [range('r', { type: 'Pod', max: { cpu: '1' } }), range('s', { type: 'Pod', max: { memory: '1Gi' } })],
};
const path = (namespace: string, plural: string): string => `/api/v1/namespaces/${namespace}/${plural}`;
const container = (name: string, requests?: object, limits?: object): object => ({
  name,
  image: 'i',
  resources: { ...(requests && { requests }), ...(limits && { limits }) },
});
const pod = (containers: readonly object[], spec: object = {}): object => ({ metadata: { name: 'p' }, spec: { containers, ...spec } });
const cpu = (amount: string): object => ({ cpu: amount });

const podCases: readonly (readonly [namespace: string, what: string, pod: object, problem: string | undefined])[] = [
  ['containers', 'between minimum and maximum', pod([container('c', cpu('100m'), cpu('1'))]), undefined],
  ['containers', 'that says nothing and gets the maximum', pod([container('c')]), undefined],
  [
    'containers',
    'below the minimum',
    pod([container('c', cpu('50m'), cpu('1'))]),
    'minimum cpu usage per Container is 100m, but request is 50m',
  ],
  [
    'containers',
    'above the maximum',
    pod([container('c', cpu('100m'), cpu('1500m'))]),
    'maximum cpu usage per Container is 1, but limit is 1500m',
  ],
  [
    'containers',
    'with an init container above the maximum',
    pod([container('c', cpu('1'), cpu('1'))], { initContainers: [container('i', cpu('1'), cpu('2'))] }),
    'maximum cpu usage per Container is 1, but limit is 2',
  ],
  [
    'containers',
    'whose containers are wrong in the same way',
    pod([container('a', cpu('1'), cpu('2')), container('b', cpu('1'), cpu('2'))]),
    'maximum cpu usage per Container is 1, but limit is 2',
  ],
  // Upstream rounds all up to whole units where one does not fit into thousandths.
  ['least', 'whose limit is too large to be compared exactly', pod([container('c', cpu('50m'), cpu('10P'))]), undefined],
  ['ratios', 'that may use twice what it asks for', pod([container('c', cpu('1'), cpu('2'))]), undefined],
  [
    'ratios',
    'that may use more than twice what it asks for',
    pod([container('c', cpu('800m'), cpu('2'))]),
    'cpu max limit to request ratio per Container is 2, but provided ratio is 2.500000',
  ],
  [
    'ratios',
    'without a request',
    pod([container('c', cpu('0'), cpu('2'))]),
    'cpu max limit to request ratio per Container is 2, but no request is specified or request is 0',
  ],
  [
    'ratios',
    'without a limit',
    pod([container('c', cpu('1'))]),
    'cpu max limit to request ratio per Container is 2, but no limit is specified or limit is 0',
  ],
  ['pods', 'whose containers add up', pod([container('a', cpu('1'), cpu('1')), container('b', cpu('1'), cpu('1'))]), undefined],
  [
    'pods',
    'whose containers add up to too much',
    pod([container('a', cpu('1'), cpu('1')), container('b', cpu('1'), cpu('1001m'))]),
    'maximum cpu usage per Pod is 2, but limit is 2001m',
  ],
  [
    'pods',
    'with an init container that is larger than all others together',
    pod([container('a', cpu('1'), cpu('1'))], { initContainers: [container('i', cpu('1'), cpu('3'))] }),
    'maximum cpu usage per Pod is 2, but limit is 3',
  ],
  [
    'pods',
    'that speaks for itself',
    pod([container('a', cpu('1'), cpu('1'))], { resources: { requests: cpu('1'), limits: cpu('3') } }),
    'maximum cpu usage per Pod is 2, but limit is 3',
  ],
  [
    'pods',
    'that says nothing',
    pod([container('c')]),
    '[minimum cpu usage per Pod is 500m.  No request is specified, maximum cpu usage per Pod is 2.  No limit is specified]',
  ],
  [
    'several',
    'against the first of two ranges',
    pod([container('c', undefined, { cpu: '2', memory: '1Gi' })]),
    'maximum cpu usage per Pod is 1, but limit is 2',
  ],
  [
    'several',
    'against the second of two ranges',
    pod([container('c', undefined, { cpu: '1', memory: '2Gi' })]),
    'maximum memory usage per Pod is 1Gi, but limit is 2Gi',
  ],
  ['claims', 'where only claims are limited', pod([container('c')]), undefined],
];

const claimCases: readonly (readonly [what: string, size: string, problem: string | undefined])[] = [
  ['between minimum and maximum', '10Gi', undefined],
  ['below the minimum', '512Mi', 'minimum storage usage per PersistentVolumeClaim is 1Gi, but request is 512Mi'],
  ['above the maximum', '11Gi', 'maximum storage usage per PersistentVolumeClaim is 10Gi, but request is 11Gi'],
];

describe('LimitRanger', () => {
  const server = admissionServer({
    plugins: ['LimitRanger'],
    objects: Object.entries(ranges).flatMap(([namespace, objects]) =>
      objects.map((object) => [path(namespace, 'limitranges'), object] as const),
    ),
  });

  test('a pod among many ranges lets others through while they are looked at', async (context) => {
    for (let index = 0; index < 60; index++)
      await server.given(path('many', 'limitranges'), range(`r${index}`, { type: 'Container', max: { cpu: '1' } }));
    const { result, turns } = await turnsOf(context, () => server.tryCreate(path('many', 'pods'), pod([container('c')])));
    assert.equal(result.status, 201);
    // Each gives its defaults and is kept to.
    assert.ok(turns > 120, `${turns} turns of the event loop for 60 ranges`);
  });

  test('containers get the defaults that they leave open, and the pod says which', async () => {
    const { object } = await server.tryCreate<Pod>(
      path('defaults', 'pods'),
      pod([container('c'), container('d', { cpu: '1', memory: '1Mi' }, { cpu: '3', memory: '2Gi' })], {
        initContainers: [container('i', { cpu: '1', memory: '1Mi' })],
      }),
    );
    const [c, d] = object.spec.containers;
    // The range itself asks for as much memory as it allows: its own defaults say so.
    assert.deepEqual(c?.resources, { requests: { cpu: '1', memory: '1Gi' }, limits: { cpu: '2', memory: '1Gi' } });
    assert.deepEqual(d?.resources, { requests: { cpu: '1', memory: '1Mi' }, limits: { cpu: '3', memory: '2Gi' } });
    assert.deepEqual(object.spec.initContainers?.[0]?.resources, {
      requests: { cpu: '1', memory: '1Mi' },
      limits: { cpu: '2', memory: '1Gi' },
    });
    assert.equal(
      object.metadata.annotations?.['kubernetes.io/limit-ranger'],
      'LimitRanger plugin set: cpu, memory request for container c; cpu, memory limit for container c; cpu, memory limit for init container i',
    );
  });

  test('containers get the defaults of every range', async () => {
    const { object } = await server.tryCreate<Pod>(path('two-defaults', 'pods'), pod([container('c')]));
    assert.deepEqual(object.spec.containers[0]?.resources.limits, { cpu: '1', memory: '1Gi' });
  });

  for (const [namespace, what, object, problem] of podCases) {
    test(`limits of ${namespace}: a pod ${what} is ${problem === undefined ? 'admitted' : 'refused'}`, async () => {
      const { message } = await server.tryCreate(path(namespace, 'pods'), object);
      assert.equal(message, problem && `pods "p" is forbidden: ${problem}`);
    });
  }

  for (const [what, storage, problem] of claimCases) {
    test(`a claim ${what} is ${problem === undefined ? 'admitted' : 'refused'}`, async () => {
      const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } };
      const { message } = await server.tryCreate(path('claims', 'persistentvolumeclaims'), { metadata: { name: 'c' }, spec });
      assert.equal(message, problem && `persistentvolumeclaims "c" is forbidden: ${problem}`);
    });
  }

  test('a pod that is there keeps to the limits when it is resized, and is not looked at otherwise', async () => {
    const own = [container('c', cpu('1'), cpu('1'))];
    await server.given(path('later', 'pods'), pod(own));
    await server.given(path('later', 'limitranges'), range('r', { type: 'Container', max: cpu('500m') }));
    const labelled = await server.patch(`${path('later', 'pods')}/p`, { metadata: { labels: { a: 'b' } } });
    assert.equal(labelled.message, undefined);
    const resized = await server.patch(`${path('later', 'pods')}/p/resize`, {
      spec: { containers: [container('c', cpu('600m'), cpu('600m'))] },
    });
    assert.equal(resized.message, 'pods "p" is forbidden: maximum cpu usage per Container is 500m, but limit is 600m');
  });
});
