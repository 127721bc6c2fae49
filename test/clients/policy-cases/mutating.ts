import type { PolicyCases } from './builders.ts';
import {
  applying,
  autoscaler,
  configMap,
  configMapKind,
  configMaps,
  deny,
  deployment,
  deployments,
  labelled,
  limit,
  limitKind,
  mutating,
  on,
  paramMap,
  patching,
  validating,
  widget,
  widgets,
} from './builders.ts';

/** Policies that change objects. */
export const mutatingCases: PolicyCases = {
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
  'mutated-custom-resources-of-another-version': {
    policies: [
      mutating([applying("Object{spec: Object.spec{color: 'of ' + object.apiVersion}}")], {}, on('widgets', { versions: ['v1'] })),
    ],
    steps: [
      ['POST', widgets.replace('v1', 'v2'), widget('two', { size: 3 }, 'v2')],
      ['PATCH', `${widgets.replace('v1', 'v2')}/two`, { spec: { size: 4 } }, 'merge'],
      ['GET', `${widgets}/two`],
      ['POST', widgets, widget('one')],
      ['GET', `${widgets.replace('v1', 'v2')}/one`],
    ],
  },
  'mutated-in-v2-custom-resources': {
    policies: [
      mutating(
        [patching("[JSONPatch{op: 'add', path: '/spec/color', value: 'of ' + object.apiVersion}]")],
        {},
        on('widgets', { versions: ['v2'] }),
      ),
    ],
    steps: [
      ['POST', widgets, widget('one')],
      ['GET', `${widgets.replace('v1', 'v2')}/one`],
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
