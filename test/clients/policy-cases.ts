/** Admission policies and the requests that they judge. `{ns}` is the case's own namespace. */

export type PolicyRequest = readonly [method: string, path: string, body?: unknown, patch?: 'json' | 'merge' | 'apply'];
export type Step = PolicyRequest;

export interface PolicyCase {
  readonly policies: readonly PolicySpec[];
  /** what is there before the policies are */
  readonly before?: readonly { readonly path: string; readonly body: unknown }[];
  readonly steps: readonly Step[];
}

export interface PolicySpec {
  readonly mutating?: boolean;
  readonly spec: Readonly<Record<string, unknown>> & { readonly matchConstraints: Readonly<Record<string, unknown>> };
  /** of the bindings; one that says nothing but Deny unless told */
  readonly bindings?: readonly Readonly<Record<string, unknown>>[];
}

const configMaps = '/api/v1/namespaces/{ns}/configmaps';
const configMap = (name: string, content: object = {}): object => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, ...content });
const labelled = (name: string, labels: object): object => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels } });

interface Rule {
  readonly operations?: readonly string[];
  readonly groups?: readonly string[];
  readonly versions?: readonly string[];
  readonly names?: readonly string[];
}

const rule = (resource: string, { operations = ['*'], groups = ['*'], versions = ['*'], names }: Rule = {}): object => ({
  apiGroups: groups,
  apiVersions: versions,
  operations,
  resources: [resource],
  ...(names !== undefined && { resourceNames: names }),
});
const on = (resource: string, more: Rule = {}): { resourceRules: object[] } => ({ resourceRules: [rule(resource, more)] });

const validating = (validations: readonly object[], more: object = {}, matchConstraints: object = on('configmaps')): PolicySpec => ({
  spec: { matchConstraints: matchConstraints as Record<string, unknown>, validations, ...more },
});
const deny = (expression: string, more: object = {}): object => ({ expression, ...more });

/** A policy that shows values of expressions in warnings. */
const showing = (expressions: readonly string[], matchConstraints: object, more: object = {}): PolicySpec => ({
  spec: {
    matchConstraints: matchConstraints as Record<string, unknown>,
    validations: expressions.map((expression, i) => ({
      expression: 'false',
      message: `${i} could not be shown`,
      messageExpression: `'${i} ' + string(${expression})`,
    })),
    ...more,
  },
  bindings: [{ validationActions: ['Warn', 'Audit'] }],
});

const mutating = (mutations: readonly object[], more: object = {}, matchConstraints: object = on('configmaps')): PolicySpec => ({
  mutating: true,
  spec: { matchConstraints: matchConstraints as Record<string, unknown>, mutations, failurePolicy: 'Fail', ...more },
});
const applying = (expression: string): object => ({ patchType: 'ApplyConfiguration', applyConfiguration: { expression } });
const patching = (expression: string): object => ({ patchType: 'JSONPatch', jsonPatch: { expression } });

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

const deployment = (name: string, replicas = 1): object => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'c', image: 'i', ports: [{ containerPort: 80 }] }] } },
  },
});
const deployments = '/apis/apps/v1/namespaces/{ns}/deployments';
const autoscaler = (version: string, name: string, metric: object): object => ({
  apiVersion: `autoscaling/${version}`,
  kind: 'HorizontalPodAutoscaler',
  metadata: { name },
  spec: { scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' }, maxReplicas: 3, ...metric },
});
const pod = (name: string, spec: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'i' }], automountServiceAccountToken: false, ...spec },
});

const widgetVersion = (name: string, storage: boolean): object => ({
  name,
  served: true,
  storage,
  subresources: { status: {}, scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } },
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          properties: {
            size: { type: 'integer', default: 7 },
            color: { type: 'string' },
            replicas: { type: 'integer' },
            tags: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
            list: { type: 'array', items: { type: 'string' } },
          },
        },
        status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
  },
});

export const customResources: readonly object[] = [
  {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.policies.example.com' },
    spec: {
      group: 'policies.example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [widgetVersion('v1', true), widgetVersion('v2', false)],
    },
  },
  {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'limits.policies.example.com' },
    spec: {
      group: 'policies.example.com',
      scope: 'Cluster',
      names: { plural: 'limits', kind: 'Limit' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { max: { type: 'integer' } } } },
        },
      ],
    },
  },
];
const widget = (name: string, spec: object = {}, version = 'v1'): object => ({
  apiVersion: `policies.example.com/${version}`,
  kind: 'Widget',
  metadata: { name },
  spec,
});
const widgets = '/apis/policies.example.com/v1/namespaces/{ns}/widgets';
const limit = (name: string, max: number, labels: object = {}): { path: string; body: object } => ({
  path: '/apis/policies.example.com/v1/limits',
  body: { apiVersion: 'policies.example.com/v1', kind: 'Limit', metadata: { name, labels }, max },
});
const paramMap = (name: string, data: object, labels: object = {}): { path: string; body: object } => ({
  path: configMaps,
  body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels }, data },
});
const limitKind = { paramKind: { apiVersion: 'policies.example.com/v1', kind: 'Limit' } };
const configMapKind = { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } };
const sized = (size: number): object => ({ data: { size: String(size) } });
const paramCheck = deny('int(object.data.size) <= params.max', { messageExpression: "'at most ' + string(params.max)" });

export const policyCases: Readonly<Record<string, PolicyCase>> = {
  'messages-and-reasons': {
    policies: [
      validating([
        deny("object.metadata.name != 'plain'"),
        deny("object.metadata.name != 'message'", { message: '  said so ' }),
        deny("object.metadata.name != 'expression'", { message: 'not used', messageExpression: "'name is ' + object.metadata.name" }),
        deny("object.metadata.name != 'broken'", { message: 'used', messageExpression: 'string(object.nope)' }),
        deny("object.metadata.name != 'broken-alone'", { messageExpression: 'string(object.nope)' }),
        deny("object.metadata.name != 'lines'", { message: 'used', messageExpression: "'a\\nb'" }),
        deny("object.metadata.name != 'blank'", { message: 'used', messageExpression: "'   '" }),
        deny("object.metadata.name != 'forbidden'", { reason: 'Forbidden' }),
        deny("object.metadata.name != 'invalid'", { reason: 'Invalid' }),
        deny("object.metadata.name != 'large'", { reason: 'RequestEntityTooLarge' }),
        deny("object.metadata.name != 'x'"),
        deny("object.metadata.name != 'error' || object.nope == 1"),
        deny("object.metadata.name != 'deep' || object.data.a.b == 'x'"),
      ]),
    ],
    steps: [
      'plain',
      'message',
      'expression',
      'broken',
      'broken-alone',
      'lines',
      'blank',
      'forbidden',
      'invalid',
      'large',
      'x',
      'error',
      'deep',
      'fine',
    ].map((name) => ['POST', configMaps, configMap(name, { data: { a: 'b' } })]),
  },
  'failure-ignored': {
    policies: [
      validating([deny('object.nope == 1'), deny("object.metadata.name != 'bad'")], { failurePolicy: 'Ignore' }),
      validating([deny('true')], { failurePolicy: 'Ignore', paramKind: { apiVersion: 'nobody.example.com/v1', kind: 'Nothing' } }),
    ],
    steps: [
      ['POST', configMaps, configMap('good')],
      ['POST', configMaps, configMap('bad')],
    ],
  },
  'param-kind-unknown': {
    policies: [validating([deny('true')], { paramKind: { apiVersion: 'nobody.example.com/v1', kind: 'Nothing' } })],
    steps: [['POST', configMaps, configMap('a')]],
  },
  actions: {
    policies: [
      {
        ...validating([deny('false', { message: 'one' }), deny('false', { message: 'two "quoted"' })]),
        bindings: [{ validationActions: ['Warn'] }],
      },
      { ...validating([deny("object.metadata.name != 'both'")]), bindings: [{ validationActions: ['Deny', 'Audit'] }] },
    ],
    steps: [
      ['POST', configMaps, configMap('warned')],
      ['POST', configMaps, configMap('both')],
    ],
  },
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
  rules: {
    before: [{ path: configMaps, body: configMap('old') }],
    policies: [
      validating([deny('false', { message: 'named' })], {}, on('configmaps', { names: ['named', 'other'] })),
      validating(
        [deny('false', { message: 'excluded' })],
        {},
        {
          ...on('*', { groups: [''], operations: ['DELETE'] }),
          excludeResourceRules: [rule('configmaps', { names: ['spared'] }), rule('secrets')],
        },
      ),
      validating([deny('false', { message: 'labelled' })], {}, { ...on('configmaps'), objectSelector: { matchLabels: { a: 'b' } } }),
      {
        ...validating([deny('false', { message: 'bound' })], {}, on('configmaps', { operations: ['CREATE'] })),
        bindings: [{ matchResources: on('configmaps', { names: ['bound'] }) }, { matchResources: on('pods') }],
      },
      {
        ...validating([deny('false', { message: 'elsewhere' })]),
        bindings: [{ matchResources: { namespaceSelector: { matchLabels: { case: 'nowhere' } } } }],
      },
    ],
    steps: [
      ['POST', configMaps, configMap('named')],
      ['POST', configMaps, configMap('spared')],
      ['DELETE', `${configMaps}/spared`],
      ['DELETE', `${configMaps}/old`],
      ['POST', configMaps, labelled('labelled', { a: 'b' })],
      ['PATCH', `${configMaps}/old`, { metadata: { labels: { a: 'b' } } }, 'merge'],
      ['POST', configMaps, configMap('bound')],
      ['POST', configMaps, configMap('unbound')],
      ['DELETE', `${configMaps}?labelSelector=!x`],
    ],
  },
  conditions: {
    policies: [
      validating([deny('false', { message: 'conditions hold' })], {
        matchConditions: [
          { name: 'a', expression: "object.metadata.name.startsWith('c')" },
          { name: 'b', expression: "object.metadata.name != 'cerror' || object.nope == 1" },
          { name: 'c', expression: "object.metadata.name != 'ctwo' || object.nope == 1" },
          { name: 'd', expression: "object.metadata.name != 'ctwo' || object.nothing == 1" },
        ],
      }),
      validating([deny('false', { message: 'ignored' })], {
        failurePolicy: 'Ignore',
        matchConditions: [{ name: 'a', expression: "object.metadata.name == 'x' || object.nope == 1" }],
      }),
      validating([deny('variables.flag')], {
        variables: [{ name: 'flag', expression: "object.metadata.name != 'v'" }],
        matchConditions: [{ name: 'n', expression: "namespaceObject == null && object.metadata.name == 'v'" }],
      }),
    ],
    steps: ['c', 'd', 'cerror', 'ctwo', 'x', 'v'].map((name) => ['POST', configMaps, configMap(name)]),
  },
  variables: {
    policies: [
      validating(
        [
          deny("variables.parts.size() == 2 && variables.first != 'bad'", { messageExpression: "'first is ' + variables.first" }),
          deny("object.metadata.name != 'uses-broken' || variables.broken"),
          deny("variables.name != 'allowed' || variables.allowed"),
          deny("variables.name != 'denied' || !variables.allowed", {
            messageExpression: "variables.allowed ? 'yes' : 'no'",
            message: 'fallback',
          }),
        ],
        {
          variables: [
            { name: 'name', expression: 'object.metadata.name' },
            { name: 'parts', expression: "(variables.name + '.x').split('.')" },
            { name: 'first', expression: 'variables.parts[0]' },
            { name: 'broken', expression: 'object.nope' },
            { name: 'allowed', expression: "authorizer.group('').resource('pods').check('get').allowed()" },
          ],
        },
      ),
    ],
    steps: ['good', 'bad', 'uses-broken', 'allowed', 'denied', 'a.b'].map((name) => ['POST', configMaps, configMap(name)]),
  },
  authorizer: {
    policies: [
      validating([
        deny("authorizer.requestResource.check('create').allowed()"),
        deny(
          "object.metadata.name != 'sa' || authorizer.serviceAccount('{ns}', 'default').group('').resource('secrets').namespace('x').check('get').allowed()",
        ),
        deny("object.metadata.name != 'reason' || authorizer.requestResource.check('frobnicate').reason() == 'x'", {
          message: 'reason',
        }),
        deny("object.metadata.name != 'path' || !authorizer.path('/metrics').check('get').allowed()"),
        deny("object.metadata.name != 'empty' || authorizer.group('').resource('').check('get').allowed()"),
        deny("object.metadata.name != 'errored' || !authorizer.path('/x').check('get').errored()"),
        deny("object.metadata.name != 'account' || authorizer.serviceAccount('!', 'x').path('/x').check('get').allowed()"),
      ]),
    ],
    steps: ['fine', 'sa', 'reason', 'path', 'empty', 'errored', 'account'].map((name) => ['POST', configMaps, configMap(name)]),
  },
  budgets: {
    policies: [
      validating(
        [
          deny("object.metadata.name != 'one' || object.data.all(a, object.data.all(b, object.data.all(c, a + b + c != 'xyz')))"),
          deny("object.metadata.name != 'message'", {
            message: 'short',
            messageExpression: "object.data.map(a, object.data.map(b, a + b).join('')).join('')",
          }),
          ...Array.from({ length: 16 }, () =>
            deny(
              "object.metadata.name != 'many' || authorizer.path('/a').check('x').allowed() && authorizer.path('/b').check('x').allowed()",
            ),
          ),
        ],
        {},
      ),
    ],
    steps: ['one', 'message', 'many', 'none'].map((name) => [
      'POST',
      configMaps,
      configMap(name, { data: Object.fromEntries(Array.from({ length: name === 'one' ? 150 : 250 }, (_, i) => [`key-${i}`, 'v'])) }),
    ]),
  },
  'audit-annotations': {
    policies: [
      validating([deny('true')], {
        auditAnnotations: [
          { key: 'ok', valueExpression: "'created ' + object.metadata.name" },
          { key: 'none', valueExpression: 'null' },
          { key: 'broken', valueExpression: "object.metadata.name == 'bad' ? string(object.nope) : ''" },
        ],
      }),
    ],
    steps: [
      ['POST', configMaps, configMap('good')],
      ['POST', configMaps, configMap('bad')],
    ],
  },
  params: {
    before: [limit('three', 3, { tier: 'low' }), limit('nine', 9, { tier: 'high' }), paramMap('p', { max: '4' })],
    policies: [
      {
        ...validating([paramCheck], limitKind, on('configmaps', { names: ['by-name', 'by-name-large'] })),
        bindings: [{ paramRef: { name: 'three', parameterNotFoundAction: 'Deny' } }],
      },
      {
        ...validating([paramCheck], limitKind, on('configmaps', { names: ['by-label', 'by-label-large'] })),
        bindings: [{ paramRef: { selector: { matchLabels: { tier: 'high' } }, parameterNotFoundAction: 'Deny' } }],
      },
      {
        ...validating([paramCheck], limitKind, on('configmaps', { names: ['missing'] })),
        bindings: [{ paramRef: { name: 'nobody', parameterNotFoundAction: 'Deny' } }],
      },
      {
        ...validating([paramCheck], limitKind, on('configmaps', { names: ['none-selected'] })),
        bindings: [{ paramRef: { selector: { matchLabels: { tier: 'nobody' } }, parameterNotFoundAction: 'Deny' } }],
      },
      {
        ...validating([paramCheck], limitKind, on('configmaps', { names: ['missing-allowed'] })),
        bindings: [{ paramRef: { name: 'nobody', parameterNotFoundAction: 'Allow' } }],
      },
      {
        ...validating([paramCheck], limitKind, on('configmaps', { names: ['namespaced-ref'] })),
        bindings: [{ paramRef: { name: 'three', namespace: 'default', parameterNotFoundAction: 'Deny' } }],
      },
      { ...validating([deny('params == null', { message: 'params' })], limitKind, on('configmaps', { names: ['no-ref'] })) },
      {
        ...validating(
          [
            deny("params.kind == 'ConfigMap' && params.apiVersion == 'v1' && int(object.data.size) <= int(params.data.max)", {
              messageExpression: 'string(params.kind + params.data.max)',
            }),
          ],
          configMapKind,
          on('configmaps', { names: ['own-namespace', 'own-namespace-large'] }),
        ),
        bindings: [{ paramRef: { name: 'p', parameterNotFoundAction: 'Deny' } }],
      },
      {
        ...validating([deny("params.data.max == '5'")], configMapKind, on('configmaps', { names: ['other-namespace'] })),
        bindings: [{ paramRef: { name: 'p', namespace: 'default', parameterNotFoundAction: 'Deny' } }],
      },
    ],
    steps: [
      ['by-name', 3],
      ['by-name-large', 4],
      ['by-label', 9],
      ['by-label-large', 10],
      ['missing', 1],
      ['none-selected', 1],
      ['missing-allowed', 100],
      ['namespaced-ref', 1],
      ['no-ref', 1],
      ['own-namespace', 4],
      ['own-namespace-large', 5],
      ['other-namespace', 1],
    ].map(([name, size]) => ['POST', configMaps, configMap(name as string, sized(size as number))]),
  },
  'params-of-cluster-scoped': {
    policies: [
      {
        ...validating([deny('true')], configMapKind, { ...on('priorityclasses'), objectSelector: { matchLabels: { params: 'yes' } } }),
        bindings: [{ paramRef: { name: 'p', parameterNotFoundAction: 'Deny' } }],
      },
    ],
    steps: [
      [
        'POST',
        '/apis/scheduling.k8s.io/v1/priorityclasses',
        { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: 'params', labels: { params: 'yes' } }, value: 1 },
      ],
    ],
  },
  'several-bindings': {
    before: [limit('three-b', 3), limit('five-b', 5)],
    policies: [
      {
        ...validating([paramCheck], limitKind),
        bindings: [
          { paramRef: { name: 'three-b', parameterNotFoundAction: 'Deny' }, validationActions: ['Warn'] },
          { paramRef: { name: 'five-b', parameterNotFoundAction: 'Deny' } },
        ],
      },
    ],
    steps: [
      ['POST', configMaps, configMap('two', sized(2))],
      ['POST', configMaps, configMap('four', sized(4))],
      ['POST', configMaps, configMap('six', sized(6))],
    ],
  },
  'apply-configurations': {
    policies: [
      mutating([
        applying('Object{metadata: Object.metadata{labels: Object.metadata.labels{mutated: "yes"}}}'),
        applying("object.metadata.name == 'data' ? Object{data: {'added': object.metadata.labels.mutated}} : Object{}"),
        applying("object.metadata.name == 'error' ? Object{data: {'x': object.nope}} : Object{}"),
        applying("object.metadata.name == 'unknown' ? Object{nope: 1} : Object{}"),
        applying("object.metadata.name == 'type' ? Object{data: {'x': 1}} : Object{}"),
        applying("object.metadata.name == 'misnamed' ? Object{metadata: Object.spec{labels: Object.metadata.labels{a: 'b'}}} : Object{}"),
        applying("object.metadata.name == 'invalid' ? Object{data: {'bad key!': 'x'}} : Object{}"),
        applying(
          "object.metadata.name == 'atomic' ? Object{metadata: Object.metadata{ownerReferences: [Object.metadata.ownerReferences{apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'u'}]}} : Object{}",
        ),
      ]),
    ],
    steps: ['plain', 'data', 'error', 'unknown', 'type', 'misnamed', 'invalid', 'atomic'].map((name) => [
      'POST',
      configMaps,
      configMap(name),
    ]),
  },
  'applied-to-deployments': {
    policies: [
      mutating(
        [
          applying(
            "Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: [Object.spec.template.spec.containers{name: 'c', imagePullPolicy: 'Never'}, Object.spec.template.spec.containers{name: 'side', image: 'car'}]}}}}",
          ),
        ],
        {},
        on('deployments', { operations: ['CREATE'] }),
      ),
      mutating(
        [
          applying(
            "object.metadata.name == 'args' ? Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: [Object.spec.template.spec.containers{name: 'c', args: ['a']}]}}}} : Object{}",
          ),
        ],
        {},
        on('deployments', { operations: ['CREATE'] }),
      ),
    ],
    steps: [
      ['POST', deployments, deployment('d')],
      ['POST', deployments, deployment('args')],
    ],
  },
  'json-patches': {
    policies: [
      mutating([
        patching(
          '[JSONPatch{op: "add", path: "/metadata/labels", value: {"a": "b"}}, JSONPatch{op: "add", path: "/metadata/labels/" + jsonpatch.escapeKey("x.io/y"), value: "z"}]',
        ),
        patching(
          '[JSONPatch{op: "test", path: "/metadata/name", value: "tested"}, JSONPatch{op: "add", path: "/metadata/labels/tested", value: "yes"}]',
        ),
        patching("object.metadata.name == 'remove' ? [JSONPatch{op: 'remove', path: '/nope'}] : []"),
        patching("object.metadata.name == 'deep' ? [JSONPatch{op: 'add', path: '/nope/deep', value: 1}] : []"),
        patching("object.metadata.name == 'unknown' ? [JSONPatch{op: 'add', path: '/nope', value: 1}] : []"),
        patching("object.metadata.name == 'type' ? [JSONPatch{op: 'add', path: '/data', value: 1}] : []"),
        patching("object.metadata.name == 'op' ? [JSONPatch{op: 'frob', path: '/data', value: 1}] : []"),
        patching("object.metadata.name == 'move' ? [JSONPatch{op: 'move', from: '/metadata/labels', path: '/metadata/annotations'}] : []"),
        patching("object.metadata.name == 'copy' ? [JSONPatch{op: 'copy', from: '/nope/x', path: '/metadata/annotations'}] : []"),
        patching(
          "object.metadata.name == 'object' ? [JSONPatch{op: 'add', path: '/metadata/annotations', value: Object.metadata.annotations{a: 'b'}}] : []",
        ),
        patching("object.metadata.name == 'error' ? [JSONPatch{op: 'add', path: '/data', value: object.nope}] : []"),
        patching("object.metadata.name == 'rename' ? [JSONPatch{op: 'replace', path: '/metadata/name', value: 'renamed'}] : []"),
      ]),
    ],
    steps: ['plain', 'tested', 'remove', 'deep', 'unknown', 'type', 'op', 'move', 'copy', 'object', 'error', 'rename'].map((name) => [
      'POST',
      configMaps,
      configMap(name),
    ]),
  },
  'mutations-ignored': {
    policies: [
      mutating([applying('Object{data: {"x": object.nope}}'), applying('Object{data: {"y": "z"}}')], { failurePolicy: 'Ignore' }),
      mutating([applying('Object{data: {"p": "q"}}')], {
        failurePolicy: 'Ignore',
        matchConditions: [{ name: 'c', expression: "object.metadata.name == 'x' || object.nope == 1" }],
      }),
    ],
    steps: [
      ['POST', configMaps, configMap('a')],
      ['POST', configMaps, configMap('x')],
    ],
  },
  'mutations-with-conditions': {
    before: [limit('mutation-limit', 12), paramMap('mp', { k: 'v' })],
    policies: [
      {
        ...mutating(
          [applying("Object{data: {'max': string(params.max), 'v': variables.v, 'ns': namespaceObject.metadata.name}}")],
          {
            ...limitKind,
            variables: [{ name: 'v', expression: "'v' + object.metadata.name" }],
            matchConditions: [{ name: 'c', expression: "object.metadata.name.startsWith('m')" }],
          },
          on('configmaps', { operations: ['CREATE'] }),
        ),
        bindings: [{ paramRef: { name: 'mutation-limit', parameterNotFoundAction: 'Deny' } }],
      },
      {
        ...mutating(
          [applying("Object{data: {'haskind': string(has(params.kind)), 'k': string(params.data.k)}}")],
          configMapKind,
          on('configmaps', { names: ['kind'] }),
        ),
        bindings: [{ paramRef: { name: 'mp', parameterNotFoundAction: 'Deny' } }],
      },
      {
        ...mutating([applying('Object{}')], configMapKind, on('configmaps', { names: ['lost'] })),
        bindings: [{ paramRef: { name: 'nobody', parameterNotFoundAction: 'Deny' } }],
      },
      mutating(
        [applying('Object{}')],
        { matchConditions: [{ name: 'c', expression: 'object.nope == 1' }] },
        on('configmaps', { names: ['condition-error'] }),
      ),
    ],
    steps: ['m1', 'other', 'kind', 'lost', 'condition-error'].map((name) => ['POST', configMaps, configMap(name)]),
  },
  'mutations-then-validations': {
    policies: [
      mutating([applying('Object{metadata: Object.metadata{labels: Object.metadata.labels{m: "1"}}}')]),
      validating([deny("object.metadata.labels.m == '2'", { messageExpression: "'m is ' + object.metadata.labels.m" })]),
    ],
    steps: [
      ['POST', configMaps, configMap('a')],
      ['POST', configMaps, labelled('b', { m: '2' })],
    ],
  },
  reinvocation: {
    policies: [
      mutating(
        [
          patching(
            "[JSONPatch{op: 'add', path: '/data', value: {'seen': has(object.metadata.labels) ? 'labels' : 'none', 'count': string(int(object.?data.?count.orValue('0')) + 1)}}]",
          ),
        ],
        { reinvocationPolicy: 'IfNeeded' },
      ),
      mutating([applying('Object{metadata: Object.metadata{labels: Object.metadata.labels{late: "yes"}}}')]),
    ],
    steps: [
      ['POST', configMaps, configMap('a')],
      ['PATCH', `${configMaps}/a`, { metadata: { annotations: { x: 'y' } } }, 'merge'],
    ],
  },
  'mutated-custom-resources': {
    policies: [
      mutating(
        [
          applying("Object{spec: Object.spec{color: 'green', tags: ['policy']}}"),
          applying("object.metadata.name == 'list' ? Object{spec: Object.spec{list: ['a']}} : Object{}"),
          applying("object.metadata.name == 'unknown' ? Object{spec: Object.spec{nope: 'a'}} : Object{}"),
          patching("object.metadata.name == 'patched' ? [JSONPatch{op: 'add', path: '/spec/list', value: ['x', 'y']}] : []"),
        ],
        {},
        on('widgets'),
      ),
    ],
    steps: [
      ['POST', widgets, widget('one', { tags: ['own'] })],
      ['POST', widgets, widget('list')],
      ['POST', widgets, widget('unknown')],
      ['POST', widgets, widget('patched')],
      ['POST', widgets.replace('v1', 'v2'), widget('two', { size: 3 }, 'v2')],
      ['PATCH', `${widgets}/one`, { spec: { color: 'red' } }, 'merge'],
    ],
  },
  'mutated-other-version': {
    policies: [
      mutating(
        [applying('Object{spec: Object.spec{targetCPUUtilizationPercentage: 42}}')],
        {},
        on('horizontalpodautoscalers', { groups: ['autoscaling'], versions: ['v1'] }),
      ),
    ],
    steps: [['POST', '/apis/autoscaling/v2/namespaces/{ns}/horizontalpodautoscalers', autoscaler('v2', 'two', {})]],
  },
  'mutated-scale': {
    policies: [mutating([applying('Object{spec: Object.spec{replicas: 9}}')], {}, on('deployments/scale'))],
    steps: [
      ['POST', deployments, deployment('d')],
      ['PATCH', `${deployments}/d/scale`, { spec: { replicas: 2 } }, 'merge'],
    ],
  },
};
