import type { Choice, Json } from './choice.ts';
import type { Subject } from './subject.ts';

/** Keys of a port are its number and its protocol, and the protocol has a default. */
const ports: readonly Json[] = [
  { port: 80, name: 'http', protocol: 'TCP' },
  { port: 80, name: 'quic', protocol: 'UDP' },
  { port: 81, name: 'admin' },
  { port: 53, name: 'dns', protocol: 'UDP', targetPort: 'dns' },
];

function somePorts(choice: Choice, whole: boolean): Json[] {
  const picked = choice
    .shuffled(ports)
    .map((port) => ({ ...port, ...choice.maybe(0.3, () => ({ targetPort: choice.pick([8080, 'web']) })) }));
  return picked.length === 0 && whole ? [{ port: 80, name: 'http' }] : picked;
}

/** Headless ones: addresses that are allocated differ between servers. */
export const services: Subject = {
  name: 'service',
  collection: '/api/v1/namespaces/default/services',
  apiVersion: 'v1',
  kind: 'Service',
  object: (choice, whole) => ({
    metadata: choice.metadata(''),
    spec: {
      ...((whole || choice.chance(0.3)) && { clusterIP: 'None' }),
      ...((whole || choice.chance(0.7)) && { ports: somePorts(choice, whole) }),
      ...choice.maybe(0.5, () => ({ selector: choice.labels() })),
      ...choice.maybe(0.2, () => ({ sessionAffinity: choice.pick(['None', 'ClientIP']) })),
      ...choice.maybe(0.2, () => ({ externalIPs: choice.shuffled(['192.0.2.1', '192.0.2.2']) })),
    },
  }),
  status: (choice) => ({
    ...choice.maybe(0.5, () => ({ loadBalancer: { ingress: [{ ip: '192.0.2.7' }] } })),
    ...choice.maybe(0.7, () => ({
      conditions: choice.shuffled(['Ready', 'Synced']).map((type) => ({
        type,
        status: 'True',
        reason: choice.pick(['Why', 'Because']),
        message: '',
        lastTransitionTime: '2024-01-01T00:00:00Z',
      })),
    })),
  }),
  mergePatch: (choice) => ({
    metadata: { labels: { a: choice.pick(['1', '2', null]) } },
    ...choice.maybe(0.5, () => ({ spec: { ports: somePorts(choice, true) } })),
  }),
  strategicPatch: (choice) => ({
    spec: {
      ports: choice.chance(0.3) ? [{ port: 81, $patch: 'delete' }] : somePorts(choice, true),
      selector: { a: choice.pick(['1', null]) },
    },
  }),
  jsonPatch: (choice) => [
    { op: 'add', path: '/metadata/annotations', value: choice.labels() },
    ...(choice.chance(0.5) ? [{ op: 'add', path: '/spec/ports/-', value: { port: choice.pick([90, 91]), name: 'late' } }] : []),
  ],
};
