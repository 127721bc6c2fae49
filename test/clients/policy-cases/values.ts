import type { PolicyCases } from './builders.ts';
import {
  configMap,
  configMaps,
  deployment,
  deployments,
  mutating,
  on,
  applying,
  patching,
  pod,
  rule,
  showing,
  validating,
  deny,
} from './builders.ts';

const pods = '/api/v1/namespaces/{ns}/pods';
const services = '/api/v1/namespaces/{ns}/services';
const secrets = '/api/v1/namespaces/{ns}/secrets';
const service = (name: string): object => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name },
  spec: {
    clusterIP: 'None',
    selector: { a: 'b' },
    ports: [
      { name: 'n', port: 80, targetPort: 'http' },
      { name: 'i', port: 81 },
    ],
  },
});
const sidecar =
  "Object{spec: Object.spec{initContainers: [Object.spec.initContainers{name: 'side', image: 'car', restartPolicy: 'Always'}]}}";

/** How values of different kinds of fields look to expressions, and what subresources and other verbs make of them. */
export const valueCases: PolicyCases = {
  'values-of-pods': {
    policies: [
      showing(
        [
          'object.spec.containers[0].resources.limits.cpu',
          "quantity(object.spec.containers[0].resources.limits.memory).isGreaterThan(quantity('1Mi'))",
          'object.spec.terminationGracePeriodSeconds',
          'object.spec.containers[0].imagePullPolicy',
          'type(object.spec.containers) == list',
          'object.spec.containers.size()',
          'object.spec.containers[0].env.map(e, e.name).join(",")',
          'has(object.spec.containers[0].env[0].value)',
          'has(object.spec.containers[0].env[1].value)',
          'has(object.spec.hostNetwork)',
          'has(object.spec.containers[0].command)',
          'has(object.spec.securityContext)',
          'object.spec.securityContext.size()',
          'object.spec.tolerations.size()',
          'object.spec.containers[0].livenessProbe.httpGet.port == 8080',
          'object.spec.containers[0].livenessProbe.periodSeconds + 1',
          "timestamp(object.metadata.creationTimestamp) > timestamp('2020-01-01T00:00:00Z')",
          'object.metadata.creationTimestamp == string(object.metadata.creationTimestamp)',
          "object.metadata.?labels['app.kubernetes.io/name'].orValue('none')",
          'object.status.phase',
          'object.status.qosClass',
          'object.spec.?nodeName.orValue("nowhere")',
          'object.spec.volumes.exists(v, has(v.emptyDir))',
          'object.spec.volumes.filter(v, has(v.emptyDir))[0].emptyDir.size()',
          'object.spec.priority',
          'object.spec.enableServiceLinks',
          'object.spec.containers[0].resources.requests == object.spec.containers[0].resources.limits',
          'oldObject == null ? true : object.spec == oldObject.spec',
          'oldObject == null ? true : object == oldObject',
          'oldObject == null ? true : oldObject.metadata.resourceVersion == object.metadata.resourceVersion',
        ],
        on('pods', { operations: ['CREATE', 'UPDATE'] }),
      ),
    ],
    steps: [
      [
        'POST',
        pods,
        pod('p', {
          containers: [
            {
              name: 'c',
              image: 'i',
              env: [{ name: 'A', value: 'x' }, { name: 'B' }],
              resources: { limits: { cpu: '1500m', memory: '2Gi' } },
              livenessProbe: { httpGet: { port: 8080 } },
            },
          ],
          volumes: [{ name: 'v', emptyDir: {} }],
        }),
      ],
      ['PATCH', `${pods}/p`, { metadata: { labels: { a: 'b' } } }, 'merge'],
      ['PATCH', `${pods}/p`, { metadata: { labels: { a: 'b' } } }, 'merge'],
    ],
  },
  'values-of-services': {
    policies: [
      showing(
        [
          'object.spec.ports[0].targetPort',
          'object.spec.ports[1].targetPort',
          'type(object.spec.ports[1].targetPort) == int',
          'has(object.status)',
        ],
        on('services', { operations: ['CREATE'] }),
      ),
    ],
    steps: [['POST', services, service('s')]],
  },
  'values-of-secrets': {
    policies: [showing(['object.data.k', 'object.type', 'has(object.stringData)', 'type(object.data.k) == string'], on('secrets'))],
    steps: [['POST', secrets, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, stringData: { k: 'hello' } }]],
  },
  scopes: {
    policies: [
      validating(
        [deny('false', { message: 'namespaced' })],
        {},
        {
          resourceRules: [{ ...rule('*'), scope: 'Namespaced' }],
          objectSelector: { matchLabels: { scope: 'judged' } },
        },
      ),
      validating(
        [deny('false', { message: 'cluster' })],
        {},
        {
          resourceRules: [{ ...rule('*'), scope: 'Cluster' }],
          namespaceSelector: {},
          objectSelector: { matchLabels: { scope: 'judged' } },
        },
      ),
    ],
    steps: [
      ['POST', configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', labels: { scope: 'judged' } } }],
      [
        'POST',
        '/apis/scheduling.k8s.io/v1/priorityclasses',
        { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: 'scoped', labels: { scope: 'judged' } }, value: 1 },
      ],
      ['POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'scoped', labels: { scope: 'judged' } } }],
      [
        'POST',
        '/apis/rbac.authorization.k8s.io/v1/clusterroles',
        { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'scoped', labels: { scope: 'judged' } } },
      ],
    ],
  },
  'any-subresource': {
    policies: [
      validating([deny('false', { messageExpression: "'sub ' + request.subResource" })], {}, on('*/scale')),
      validating([deny('false', { messageExpression: "'sub ' + request.subResource" })], {}, on('pods/*', { operations: ['UPDATE'] })),
    ],
    steps: [
      ['POST', deployments, deployment('d')],
      ['PATCH', `${deployments}/d/scale`, { spec: { replicas: 3 } }, 'merge'],
      ['PATCH', `${deployments}/d/status`, { status: { replicas: 3 } }, 'merge'],
      ['POST', pods, pod('p')],
      ['PATCH', `${pods}/p/status`, { status: { message: 'x' } }, 'merge'],
      ['PATCH', `${pods}/p/ephemeralcontainers`, { spec: { ephemeralContainers: [{ name: 'e', image: 'i' }] } }, 'merge'],
      ['PATCH', `${pods}/p/resize`, { spec: { containers: [{ name: 'c', image: 'i' }] } }, 'merge'],
      ['PATCH', `${pods}/p`, { metadata: { labels: { a: 'b' } } }, 'merge'],
    ],
  },
  'pods-are-mutated': {
    policies: [
      mutating([applying(sidecar)], {}, on('pods', { operations: ['CREATE'] })),
      mutating(
        [
          patching(
            "[JSONPatch{op: 'add', path: '/spec/containers/-', value: Object.spec.containers{name: 'extra', image: 'x', env: [Object.spec.containers.env{name: 'N', value: string(object.spec.containers.size())}]}}]",
          ),
        ],
        {},
        on('pods', { operations: ['CREATE'] }),
      ),
      mutating([patching("[JSONPatch{op: 'add', path: '/spec/replicas', value: 7}]")], {}, on('deployments/scale')),
      mutating([patching("[JSONPatch{op: 'add', path: '/status/message', value: 'set by policy'}]")], {}, on('pods/status')),
      mutating([applying("Object{target: Object.target{name: 'other'}}")], {}, on('pods/binding')),
      mutating([applying('Object{}')], {}, on('configmaps')),
    ],
    steps: [
      ['POST', pods, pod('p')],
      ['POST', `${pods}?dryRun=All`, { ...pod('p'), metadata: { generateName: 'some-' } }],
      ['PATCH', `${pods}/p/status`, { status: { reason: 'x' } }, 'merge'],
      ['POST', `${pods}/p/binding`, { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'p' }, target: { kind: 'Node', name: 'n' } }],
      ['GET', `${pods}/p`],
      ['POST', deployments, deployment('d')],
      ['PATCH', `${deployments}/d/scale`, { spec: { replicas: 3 } }, 'merge'],
      ['GET', `${deployments}/d/scale`],
      ['POST', configMaps, configMap('a')],
      ['DELETE', `${configMaps}/a`],
    ],
  },
  'updates-are-mutated': {
    before: [{ path: configMaps, body: configMap('a', { data: { keep: '1' } }) }],
    policies: [
      mutating([applying("Object{data: {'old': string(oldObject.data.size())}}")], {}, on('configmaps', { operations: ['UPDATE'] })),
      mutating([patching("has(object.data.drop) ? [JSONPatch{op: 'remove', path: '/data/drop'}] : []")]),
    ],
    steps: [
      ['PUT', `${configMaps}/a`, configMap('a', { data: { keep: '2', drop: 'x' } })],
      ['PATCH', `${configMaps}/a?fieldManager=m`, configMap('a', { data: { applied: '1' } }), 'apply'],
      ['PATCH', `${configMaps}/b?fieldManager=m`, configMap('b', { data: { applied: '1', drop: 'y' } }), 'apply'],
      ['PATCH', `${configMaps}/a`, [{ op: 'add', path: '/data/drop', value: '3' }], 'json'],
    ],
  },
};
