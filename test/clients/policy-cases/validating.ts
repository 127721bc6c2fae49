import type { PolicyCases } from './builders.ts';
import {
  configMap,
  configMapKind,
  configMaps,
  deny,
  labelled,
  limit,
  limitKind,
  on,
  paramCheck,
  paramMap,
  rule,
  sized,
  validating,
} from './builders.ts';

/** Policies that refuse. */
export const validatingCases: PolicyCases = {
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
};
