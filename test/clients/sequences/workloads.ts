import type { Choice, Json } from './choice.ts';
import type { Subject } from './subject.ts';

function container(choice: Choice, name: string): Json {
  return {
    name,
    image: choice.pick(['i:1', 'i:2']),
    ...choice.maybe(0.4, () => ({ env: choice.shuffled(['X', 'Y', 'Z']).map((key) => ({ name: key, value: choice.pick(['u', 'v']) })) })),
    ...choice.maybe(0.3, () => ({ args: [choice.pick(['p', 'q']), 'r'] })),
    ...choice.maybe(0.3, () => ({ ports: choice.shuffled(ports).map((port) => ({ ...port })) })),
    ...choice.maybe(0.2, () => ({ resources: { limits: { cpu: choice.pick(['1', '1000m', '2']) } } })),
  };
}

/** Some leave out what is a key with a default. */
const ports: readonly Json[] = [
  { containerPort: 80, protocol: 'TCP' },
  { containerPort: 81 },
  { containerPort: 53, protocol: 'UDP', name: 'dns' },
];

function podSpec(choice: Choice, whole: boolean): Json {
  const containers = ['one', 'two', 'three']
    .filter((_, index) => (whole && index === 0) || choice.chance(0.4))
    .map((name) => container(choice, name));
  return {
    ...((whole || choice.chance(0.8)) && { containers }),
    ...choice.maybe(0.2, () => ({ nodeSelector: choice.labels() })),
    ...choice.maybe(0.2, () => ({ tolerations: [{ key: choice.pick(['k', 'l']), operator: 'Exists' }] })),
    ...choice.maybe(0.2, () => ({ imagePullSecrets: choice.shuffled([{ name: 's' }, { name: 't' }]) })),
    ...choice.maybe(0.05, () => ({ containers: [{ image: 'without-a-name' }] })),
  };
}

export const deployments: Subject = {
  name: 'deployment',
  collection: '/apis/apps/v1/namespaces/default/deployments',
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  scale: true,
  object: (choice, whole) => ({
    metadata: choice.metadata(''),
    spec: {
      ...choice.maybe(0.5, () => ({ replicas: choice.below(3) })),
      ...choice.maybe(0.2, () => ({ paused: choice.chance(0.5) })),
      selector: { matchLabels: { app: 'x' } },
      template: { metadata: { labels: { app: 'x', ...choice.maybe(0.4, () => choice.labels()) } }, spec: podSpec(choice, whole) },
    },
  }),
  status: (choice) => ({
    ...choice.maybe(0.7, () => ({ observedGeneration: choice.below(3), replicas: choice.below(3) })),
    ...choice.maybe(0.7, () => ({ conditions: conditions(choice) })),
  }),
  mergePatch: (choice) => ({
    metadata: { labels: { a: choice.pick(['1', '2', null]), c: choice.pick(['1', null]) } },
    ...choice.maybe(0.5, () => ({ spec: { replicas: choice.pick([1, 3, null]) } })),
  }),
  strategicPatch: (choice) => ({ spec: { template: { spec: { containers: [patchedContainer(choice)] } } } }),
  jsonPatch: (choice) => [
    { op: 'add', path: '/metadata/annotations', value: choice.labels() },
    ...(choice.chance(0.5) ? [{ op: 'replace', path: '/spec/replicas', value: choice.pick([1, 2]) }] : []),
  ],
};

function patchedContainer(choice: Choice): Json {
  return choice.chance(0.3) ? { name: 'two', $patch: 'delete' } : container(choice, choice.pick(['one', 'two']));
}

export function conditions(choice: Choice): Json[] {
  return choice.shuffled(['Ready', 'Synced', 'Old']).map((type) => ({
    type,
    status: choice.pick(['True', 'False']),
    ...choice.maybe(0.5, () => ({ reason: choice.pick(['Why', 'Because']), message: 'm' })),
  }));
}

/** Of a pod's spec hardly anything can be changed: most writes after the first are refused, and must be in the same way. */
export const pods: Subject = {
  name: 'pod',
  collection: '/api/v1/namespaces/default/pods',
  apiVersion: 'v1',
  kind: 'Pod',
  object: (choice, whole) => ({
    metadata: choice.metadata(''),
    spec: whole
      ? { containers: [{ name: 'one', image: choice.pick(['i:1', 'i:2']) }], automountServiceAccountToken: false }
      : choice.chance(0.4)
        ? { containers: [{ name: 'one', image: choice.pick(['i:1', 'i:2']) }] }
        : choice.chance(0.5)
          ? {}
          : podSpec(choice, false),
  }),
  status: (choice) => ({
    ...choice.maybe(0.7, () => ({ phase: choice.pick(['Pending', 'Running', 'Failed']) })),
    ...choice.maybe(0.7, () => ({ conditions: conditions(choice) })),
    ...choice.maybe(0.3, () => ({ podIPs: choice.shuffled([{ ip: '10.0.0.1' }, { ip: 'fd00::1' }]) })),
  }),
  mergePatch: (choice) => ({
    metadata: { labels: { a: choice.pick(['1', '2', null]) } },
    ...choice.maybe(0.4, () => ({ spec: { activeDeadlineSeconds: choice.pick([10, 20]) } })),
  }),
  strategicPatch: (choice) => ({ spec: { containers: [{ name: 'one', image: choice.pick(['i:1', 'i:3']) }] } }),
  jsonPatch: (choice) => [{ op: 'replace', path: '/spec/containers/0/image', value: choice.pick(['i:1', 'i:4']) }],
};
