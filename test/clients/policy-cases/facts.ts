import type { PolicyCases } from './builders.ts';
import {
  autoscaler,
  configMap,
  configMaps,
  deny,
  deployment,
  deployments,
  on,
  pod,
  rule,
  showing,
  validating,
  widget,
  widgets,
} from './builders.ts';

const requestFacts = [
  'request.operation',
  "request.kind.group + '/' + request.kind.version + ' ' + request.kind.kind",
  "request.resource.group + '/' + request.resource.version + ' ' + request.resource.resource",
  "request.requestKind.group + '/' + request.requestKind.version + ' ' + request.requestKind.kind",
  "request.requestResource.version + ' ' + request.requestResource.resource",
  "has(request.subResource) ? request.subResource : 'none'",
  "has(request.requestSubResource) ? request.requestSubResource : 'none'",
  "has(request.name) ? request.name : 'unnamed'",
  "has(request.namespace) ? request.namespace : 'nowhere'",
  'string(request.dryRun)',
  'request.userInfo.username',
  "request.userInfo.groups.join(',')",
  "has(request.userInfo.uid) ? 'uid' : 'no uid'",
  "has(request.userInfo.extra) ? 'extra' : 'no extra'",
  "dyn(request.options) == null ? 'no options' : request.options.kind + ' ' + request.options.apiVersion",
  "dyn(request.options) == null ? '' : (has(request.options.fieldManager) ? request.options.fieldManager : 'no manager')",
  "dyn(request.options) == null ? '' : (has(request.options.fieldValidation) ? request.options.fieldValidation : 'no validation')",
  "dyn(request.options) == null ? '' : (has(request.options.dryRun) ? request.options.dryRun.join(',') : 'wet')",
  "dyn(request.options) == null ? '' : (has(request.options.propagationPolicy) ? request.options.propagationPolicy : 'no propagation')",
  "dyn(request.options) == null ? '' : (has(request.options.gracePeriodSeconds) ? string(request.options.gracePeriodSeconds) : 'no grace')",
  "object == null ? 'no object' : object.apiVersion + ' ' + object.kind",
  "oldObject == null ? 'no old object' : oldObject.apiVersion + ' ' + oldObject.kind",
  "object == null || !has(object.metadata) || !has(object.metadata.name) ? 'no name' : object.metadata.name",
  "object == null ? '' : (has(object.metadata) && has(object.metadata.uid) ? 'has uid' : 'no uid')",
  "object == null ? '' : (has(object.metadata) && has(object.metadata.resourceVersion) ? 'has version' : 'no version')",
  "object == null ? '' : (has(object.metadata) && has(object.metadata.creationTimestamp) ? 'has time' : 'no time')",
  "object == null ? '' : (has(object.metadata) && has(object.metadata.generation) ? string(object.metadata.generation) : 'no generation')",
  "object == null ? '' : (has(object.metadata) && has(object.metadata.managedFields) ? string(object.metadata.managedFields.size()) : 'no owners')",
  "object == null ? '' : (has(object.status) ? 'has status' : 'no status')",
  "namespaceObject == null ? 'no namespace' : namespaceObject.metadata.name",
  "namespaceObject == null ? '' : namespaceObject.metadata.labels.map(k, k).sort().join(',')",
  "namespaceObject == null ? '' : namespaceObject.status.phase + namespaceObject.spec.finalizers.join(',')",
  "namespaceObject == null ? '' : (has(namespaceObject.metadata.annotations) ? 'annotated' : 'bare')",
];

/** What expressions see of requests, shown in warnings. */
export const factCases: PolicyCases = {
  'facts-of-config-maps': {
    before: [{ path: configMaps, body: configMap('there', { data: { a: '1' } }) }],
    policies: [showing(requestFacts, on('configmaps'))],
    steps: [
      ['POST', configMaps, configMap('made')],
      ['POST', `${configMaps}?dryRun=All&fieldManager=me&fieldValidation=Strict`, configMap('dry')],
      ['POST', configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'some-' } }],
      ['PUT', `${configMaps}/there`, configMap('there', { data: { a: '2' } })],
      ['PUT', `${configMaps}/there?dryRun=All`, configMap('there', { data: { a: '3' } })],
      ['PATCH', `${configMaps}/there?fieldManager=patcher`, { data: { b: '1' } }, 'merge'],
      ['PATCH', `${configMaps}/there`, [{ op: 'add', path: '/data/c', value: '1' }], 'json'],
      ['PATCH', `${configMaps}/there?fieldManager=applier&force=true`, configMap('there', { data: { d: '1' } }), 'apply'],
      ['PATCH', `${configMaps}/fresh?fieldManager=applier`, configMap('fresh', { data: { d: '1' } }), 'apply'],
      ['DELETE', `${configMaps}/fresh`],
      ['DELETE', `${configMaps}/made`, { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background', gracePeriodSeconds: 3 }],
      ['DELETE', `${configMaps}/there?dryRun=All&propagationPolicy=Orphan`],
      ['DELETE', `${configMaps}?labelSelector=none=here`],
      ['DELETE', `${configMaps}?fieldSelector=metadata.name=there`],
    ],
  },
  'facts-of-deployments': {
    policies: [showing(requestFacts, { resourceRules: [rule('deployments'), rule('deployments/*')] })],
    steps: [
      ['POST', deployments, deployment('d')],
      ['PUT', `${deployments}/d`, deployment('d', 2)],
      ['PATCH', `${deployments}/d/status`, { status: { replicas: 1 } }, 'merge'],
      ['PATCH', `${deployments}/d/scale`, { spec: { replicas: 3 } }, 'merge'],
      [
        'PUT',
        `${deployments}/d/scale`,
        { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'd', namespace: '{ns}' }, spec: { replicas: 4 } },
      ],
      ['DELETE', `${deployments}/d`],
    ],
  },
  'scale-is-judged': {
    policies: [
      validating(
        [
          deny('object.spec.replicas <= 5', { messageExpression: "'not ' + string(object.spec.replicas)" }),
          deny('!has(object.spec.template)'),
          deny("has(object.status.selector) && oldObject.kind == 'Scale'"),
        ],
        {},
        on('deployments/scale'),
      ),
    ],
    steps: [
      ['POST', deployments, deployment('d')],
      ['PATCH', `${deployments}/d/scale`, { spec: { replicas: 5 } }, 'merge'],
      ['PATCH', `${deployments}/d/scale`, { spec: { replicas: 6 } }, 'merge'],
      ['PATCH', `${deployments}/d`, { spec: { replicas: 6 } }, 'merge'],
    ],
  },
  'facts-of-pods': {
    policies: [showing(requestFacts, { resourceRules: [rule('pods'), rule('pods/*')] })],
    steps: [
      ['POST', '/api/v1/namespaces/{ns}/pods', pod('p')],
      ['PATCH', '/api/v1/namespaces/{ns}/pods/p/status', { status: { message: 'x' } }, 'merge'],
      [
        'POST',
        '/api/v1/namespaces/{ns}/pods/p/binding',
        { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'p' }, target: { kind: 'Node', name: 'n' } },
      ],
      [
        'POST',
        '/api/v1/namespaces/{ns}/pods/p/eviction?dryRun=All',
        { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p', namespace: '{ns}' }, deleteOptions: { dryRun: ['All'] } },
      ],
      ['DELETE', '/api/v1/namespaces/{ns}/pods/p?gracePeriodSeconds=0'],
    ],
  },
  'exec-is-judged': {
    policies: [
      validating(
        [
          deny("object.kind == 'PodExecOptions' && request.operation == 'CONNECT'"),
          deny("!('rm' in object.command)", { messageExpression: "'not ' + object.command.join(' ') + ' in ' + object.container" }),
          deny('!has(object.tty) || !object.tty'),
        ],
        {},
        on('pods/exec', { operations: ['CONNECT'] }),
      ),
    ],
    steps: [
      ['POST', '/api/v1/namespaces/{ns}/pods', pod('p')],
      ['POST', '/api/v1/namespaces/{ns}/pods/p/exec?command=rm&command=-rf&container=c&stdout=true'],
      ['POST', '/api/v1/namespaces/{ns}/pods/p/exec?command=ls&container=c&tty=true'],
    ],
  },
  'facts-of-tokens': {
    before: [
      {
        path: '/api/v1/namespaces/{ns}/serviceaccounts',
        body: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 's' } },
      },
    ],
    policies: [
      showing(requestFacts, on('serviceaccounts/token')),
      validating([deny('object.spec.expirationSeconds < 5000')], {}, on('serviceaccounts/token')),
    ],
    steps: [
      [
        'POST',
        '/api/v1/namespaces/{ns}/serviceaccounts/s/token?dryRun=All',
        { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { audiences: ['a'], expirationSeconds: 6000 } },
      ],
    ],
  },
  namespaces: {
    policies: [showing(requestFacts, { ...on('namespaces'), namespaceSelector: { matchLabels: { judged: 'yes' } } })],
    steps: [
      ['POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'judged', labels: { judged: 'yes' } } }],
      ['PATCH', '/api/v1/namespaces/judged', { metadata: { annotations: { a: 'b' } } }, 'merge'],
      ['PATCH', '/api/v1/namespaces/judged/status', { status: { phase: 'Active' } }, 'merge'],
      ['PATCH', '/api/v1/namespaces/judged', { metadata: { labels: { judged: 'no' } } }, 'merge'],
      ['PATCH', '/api/v1/namespaces/judged', { metadata: { annotations: { a: 'c' } } }, 'merge'],
    ],
  },
  'cluster-scoped': {
    policies: [showing(requestFacts, { ...on('priorityclasses'), objectSelector: { matchLabels: { judged: 'yes' } } })],
    steps: [
      [
        'POST',
        '/apis/scheduling.k8s.io/v1/priorityclasses',
        { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: 'judged', labels: { judged: 'yes' } }, value: 1 },
      ],
      ['PATCH', '/apis/scheduling.k8s.io/v1/priorityclasses/judged', { metadata: { labels: { judged: 'no' } } }, 'merge'],
      ['DELETE', '/apis/scheduling.k8s.io/v1/priorityclasses/judged'],
    ],
  },
  'other-versions': {
    policies: [
      showing(
        [...requestFacts, "object == null ? '' : string(has(object.spec.targetCPUUtilizationPercentage))"],
        on('horizontalpodautoscalers', { groups: ['autoscaling'], versions: ['v1'] }),
      ),
      {
        ...validating(
          [deny('false', { message: 'exact' })],
          {},
          {
            ...on('horizontalpodautoscalers', { groups: ['autoscaling'], versions: ['v1'] }),
            matchPolicy: 'Exact',
          },
        ),
        bindings: [{ validationActions: ['Warn'] }],
      },
    ],
    steps: [
      [
        'POST',
        '/apis/autoscaling/v2/namespaces/{ns}/horizontalpodautoscalers',
        autoscaler('v2', 'two', {
          metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } }],
        }),
      ],
      [
        'POST',
        '/apis/autoscaling/v1/namespaces/{ns}/horizontalpodautoscalers',
        autoscaler('v1', 'one', { targetCPUUtilizationPercentage: 60 }),
      ],
    ],
  },
  'events-of-two-groups': {
    policies: [showing([...requestFacts, 'object.reason'], on('events', { groups: ['events.k8s.io'], versions: ['v1'] }))],
    steps: [
      [
        'POST',
        '/api/v1/namespaces/{ns}/events',
        {
          apiVersion: 'v1',
          kind: 'Event',
          metadata: { name: 'e' },
          involvedObject: { namespace: '{ns}' },
          reason: 'r',
          message: 'm',
          type: 'Normal',
        },
      ],
    ],
  },
  'custom-resources': {
    policies: [
      showing([...requestFacts, 'string(object.spec.size)'], {
        resourceRules: [rule('widgets', { versions: ['v1'] }), rule('widgets/status'), rule('widgets/scale')],
      }),
      validating([deny("object.spec.?color.orValue('') != 'red'", { message: 'not red' })], {}, on('widgets')),
    ],
    steps: [
      ['POST', widgets, widget('one', { color: 'blue' })],
      ['POST', widgets, widget('red', { color: 'red' })],
      ['POST', widgets.replace('v1', 'v2'), widget('two', { size: 3 }, 'v2')],
      ['PATCH', `${widgets}/one/status`, { status: { replicas: 1 } }, 'merge'],
      ['PATCH', `${widgets}/one/scale`, { spec: { replicas: 2 } }, 'merge'],
      ['PATCH', `${widgets}/one`, { spec: { color: 'red' } }, 'merge'],
    ],
  },
};
