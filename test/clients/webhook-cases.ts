/** Admission webhooks, their responses, and requests that they are asked about. `{ns}` is the case's own namespace. */
import type { Behaviour, Review } from './webhook-server.ts';

export type Step = readonly [method: string, path: string, body?: unknown, patch?: 'json' | 'merge' | 'strategic' | 'apply'];

export interface WebhookSpec {
  readonly mutating?: boolean;
  readonly answers: Behaviour;
  /** what differs from a webhook for config maps that fails closed */
  readonly spec?: Readonly<Record<string, unknown>>;
  /** where it is, when not on the server of webhooks */
  readonly clientConfig?: Readonly<Record<string, unknown>>;
}

export interface WebhookCase {
  readonly webhooks: readonly WebhookSpec[];
  readonly steps: readonly Step[];
}

const configMaps = '/api/v1/namespaces/{ns}/configmaps';
const configMap = (name: string, content: object = {}): object => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, ...content });
const post: Step = ['POST', configMaps, configMap('one', { data: { a: '1' } })];
const again = (name: string, content: object = {}): Step => ['POST', configMaps, configMap(name, content)];

const rule = (resource: string, more: object = {}): object[] => [
  { apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: [resource], ...more },
];

const allow: Behaviour = () => ({ response: { allowed: true } });
const answer =
  (response: object): Behaviour =>
  () => ({ response });
const deny = (status?: object): Behaviour => answer({ allowed: false, ...(status && { status }) });
const encode = (patch: unknown): string => Buffer.from(typeof patch === 'string' ? patch : JSON.stringify(patch)).toString('base64');
const patched = (patch: unknown, more: object = {}): Behaviour =>
  answer({ allowed: true, patch: encode(patch), patchType: 'JSONPatch', ...more });
const raw =
  (text: string, status = 200, headers: Record<string, string> = {}): Behaviour =>
  () => ({ raw: text, status, headers });

const validating = (answers: Behaviour, spec: object = {}): WebhookSpec => ({ answers, spec: spec as Record<string, unknown> });
const mutating = (answers: Behaviour, spec: object = {}): WebhookSpec => ({ mutating: true, ...validating(answers, spec) });
const one = (webhook: WebhookSpec, ...steps: Step[]): WebhookCase => ({ webhooks: [webhook], steps: steps.length === 0 ? [post] : steps });
/** The same for both kinds of webhook. */
const both = (answers: Behaviour, spec: object = {}): WebhookCase => ({
  webhooks: [
    { ...mutating(answers, spec), spec: { ...spec, objectSelector: { matchLabels: { kind: 'mutating' } } } },
    { ...validating(answers, spec), spec: { ...spec, objectSelector: { matchLabels: { kind: 'validating' } } } },
  ],
  steps: ['mutating', 'validating'].map((kind) => ['POST', configMaps, { ...configMap(kind), metadata: { name: kind, labels: { kind } } }]),
});
const annotate = (name: string): object => ({ op: 'add', path: '/metadata/annotations', value: { [name]: 'yes' } });
const objectOf = ({ request }: Review): { metadata: { annotations?: Record<string, string>; labels?: Record<string, string> } } =>
  request['object'] as ReturnType<typeof objectOf>;

const deployment = (replicas: number): object => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'd' },
  spec: {
    replicas,
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  },
});
const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } };

export const webhookCases: Readonly<Record<string, WebhookCase>> = {
  allowed: both(allow),
  denied: both(deny()),
  'denied-with-message': both(deny({ message: 'no, really' })),
  'denied-with-reason': both(deny({ reason: 'Forbidden' })),
  'denied-with-code': both(deny({ code: 418, message: 'teapot' })),
  'denied-with-success': both(deny({ status: 'Success', code: 200, message: 'x' })),
  'denied-with-details': both(
    deny({
      status: 'Failure',
      code: 422,
      reason: 'Invalid',
      message: 'm',
      metadata: {},
      details: { name: 'n', group: 'g', kind: 'k', uid: 'u', retryAfterSeconds: 3, causes: [{ reason: 'r', message: 'cm', field: 'f' }] },
    }),
  ),
  'denied-with-odd-status': both(deny({ status: 'Perhaps', message: 'x' })),
  warnings: both(answer({ allowed: true, warnings: ['careful', 'with "quotes" and \\', 'careful'], auditAnnotations: { a: 'b' } })),
  'denied-with-warnings': both(answer({ allowed: false, warnings: ['careful'], status: { message: 'm' } })),
  'many-warnings': both(answer({ allowed: true, warnings: ['x'.repeat(300), 'y'.repeat(5000), 'ü'] })),
  'wrong-uid': both(answer({ uid: 'wrong', allowed: true })),
  'no-uid': both(answer({ uid: '', allowed: true })),
  'no-response': both(raw('{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1"}')),
  'null-response': both(raw('{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","response":null}')),
  'no-kind': both(({ request: { uid } }) => ({ raw: JSON.stringify({ response: { uid, allowed: true } }) })),
  'no-version': both(() => ({ response: { allowed: true }, apiVersion: '' })),
  'other-version': both(() => ({ response: { allowed: true }, apiVersion: 'admission.k8s.io/v1beta1' })),
  'unknown-version': both(() => ({ response: { allowed: true }, apiVersion: 'admission.k8s.io/v2' })),
  'other-kind': both(() => ({ response: { allowed: true }, kind: 'Other' })),
  'other-group': both(() => ({ response: { allowed: true }, apiVersion: 'v1', kind: 'Pod' })),
  'status-answer': both(
    raw('{"kind":"Status","apiVersion":"v1","status":"Failure","message":"I failed","code":503,"reason":"ServiceUnavailable"}'),
  ),
  'status-success': both(raw('{"kind":"Status","apiVersion":"v1","status":"Success"}')),
  'empty-answer': both(raw('')),
  'empty-answer-typed': both(raw('', 200, { 'content-type': 'text/plain' })),
  'text-answer': both(raw('hello')),
  'broken-json': both(raw('{"kind":')),
  'odd-json': both(raw('[1,2]')),
  'null-json': both(raw('null')),
  'wrong-type': both(raw('{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","response":{"allowed":"yes"}}')),
  'unknown-fields': both(answer({ allowed: true, other: 1 })),
  huge: both(answer({ allowed: true, auditAnnotations: { a: 'x'.repeat(5_000_000) } })),
  'code-500': both(raw('something broke', 500)),
  'code-500-typed': both(raw('something broke\n', 500, { 'content-type': 'text/plain; charset=utf-8' })),
  'code-500-json': both(raw('{"a":1}', 500, { 'content-type': 'application/json' })),
  'code-500-status': both(
    raw('{"kind":"Status","apiVersion":"v1","status":"Failure","message":"told you","code":500}', 500, {
      'content-type': 'application/json',
    }),
  ),
  'code-400': both(raw('bad', 400)),
  'code-401': both(raw('who', 401)),
  'code-403': both(raw('no', 403, { 'content-type': 'text/plain' })),
  'code-403-json': both(raw('{}', 403, { 'content-type': 'application/json' })),
  'code-404': both(raw('not here', 404)),
  'code-409': both(raw('conflict', 409)),
  'code-415': both(raw('media', 415)),
  'code-418': both(raw('teapot', 418)),
  'code-429': both(raw('busy', 429)),
  'code-503': both(raw('away', 503)),
  'code-504': both(raw('late', 504)),
  'code-201': both(({ kind, apiVersion, request: { uid } }) => ({
    raw: JSON.stringify({ kind, apiVersion, response: { uid, allowed: true } }),
    status: 201,
  })),
  'code-302': both(raw('', 302)),
  'retry-after': one(validating(raw('busy', 503, { 'retry-after': '1' }), { timeoutSeconds: 2 })),
  timeout: both(() => 'never', { timeoutSeconds: 1 }),
  'timeout-ignored': both(() => 'never', { timeoutSeconds: 1, failurePolicy: 'Ignore' }),
  'hang-up': both(() => 'hang up'),
  'break-off': both(() => 'break off'),
  'ignored-500': both(raw('x', 500), { failurePolicy: 'Ignore' }),
  'ignored-bad-uid': both(answer({ uid: 'wrong', allowed: true }), { failurePolicy: 'Ignore' }),
  'ignored-denial': both(deny({ message: 'still no' }), { failurePolicy: 'Ignore' }),
  'nobody-there': {
    webhooks: [{ ...validating(allow), clientConfig: { url: 'https://127.0.0.1:1/x/' } }],
    steps: [post],
  },
  'unknown-host': {
    webhooks: [{ ...validating(allow), clientConfig: { url: 'https://no-such-host.invalid/x' } }],
    steps: [post],
  },
  untrusted: { webhooks: [{ ...validating(allow), clientConfig: { url: '{url}', caBundle: '' } }], steps: [post] },
  'other-authority': { webhooks: [{ ...validating(allow), clientConfig: { url: '{url}', caBundle: '{otherCa}' } }], steps: [post] },
  'same-named-authority': { webhooks: [{ ...validating(allow), clientConfig: { url: '{url}', caBundle: '{twinCa}' } }], steps: [post] },
  'wrong-name': { webhooks: [{ ...validating(allow), clientConfig: { url: '{localhost6}', caBundle: '{ca}' } }], steps: [post] },
  'by-name': { webhooks: [{ ...validating(allow), clientConfig: { url: '{localhost}', caBundle: '{ca}' } }], steps: [post] },
  'no-such-service': {
    webhooks: [{ ...validating(allow), clientConfig: { service: { namespace: '{ns}', name: 'none', path: '/a/b/' } } }],
    steps: [post],
  },
  'service-port': {
    webhooks: [{ ...validating(allow), clientConfig: { service: { namespace: 'services', name: 'plain', port: 8443 } } }],
    steps: [post],
  },
  'headless-service': {
    webhooks: [{ ...validating(allow), clientConfig: { service: { namespace: 'services', name: 'headless' } } }],
    steps: [post],
  },
  'external-service': {
    webhooks: [
      {
        ...validating(deny({ message: 'from the service' })),
        clientConfig: { service: { namespace: 'services', name: 'hook', port: '{port}', path: '{path}' }, caBundle: '{ca}' },
      },
    ],
    steps: [post],
  },
  'external-service-of-other-name': {
    webhooks: [
      {
        ...validating(allow),
        clientConfig: { service: { namespace: 'services', name: 'other', port: '{port}', path: '{path}' }, caBundle: '{ca}' },
      },
    ],
    steps: [post],
  },
  patch: one(
    mutating(patched([annotate('a'), { op: 'add', path: '/data/b', value: '2' }])),
    post,
    again('two', { data: {} }),
    again('three'),
  ),
  'patch-nothing': one(mutating(patched([]))),
  'patch-same': one(mutating(patched([{ op: 'replace', path: '/data/a', value: '1' }]))),
  'patch-test': one(mutating(patched([{ op: 'test', path: '/data/a', value: '2' }]))),
  'patch-missing-path': one(mutating(patched([{ op: 'add', path: '/nope/x', value: 1 }]))),
  'patch-replace-missing': one(mutating(patched([{ op: 'replace', path: '/nope/x', value: 1 }]))),
  'patch-remove-missing': one(mutating(patched([{ op: 'remove', path: '/data/nope' }]))),
  'patch-index': one(mutating(patched([{ op: 'add', path: '/metadata/managedFields/99', value: {} }]))),
  'patch-no-index': one(mutating(patched([{ op: 'add', path: '/metadata/managedFields/x', value: {} }]))),
  'patch-move': one(mutating(patched([{ op: 'move', from: '/data/a', path: '/data/c' }]))),
  'patch-move-missing': one(mutating(patched([{ op: 'move', from: '/nope/a', path: '/data/c' }]))),
  'patch-copy-missing': one(mutating(patched([{ op: 'copy', from: '/data/nope', path: '/nope/c' }]))),
  'patch-unknown-op': one(mutating(patched([{ op: 'jump', path: '/data/c' }]))),
  'patch-no-path': one(mutating(patched([{ op: 'add', value: 1 }]))),
  'patch-not-a-list': one(mutating(patched({ op: 'add' }))),
  'patch-of-strings': one(mutating(patched(['x']))),
  'patch-broken': one(mutating(patched('[{'))),
  'patch-null': one(mutating(patched('null'))),
  'patch-text': one(mutating(patched('hello'))),
  'patch-wrong-type': one(mutating(patched([{ op: 'add', path: '/data', value: { a: 1 } }]))),
  'patch-wrong-type-2': one(mutating(patched([{ op: 'add', path: '/data', value: 'x' }]))),
  'patch-unknown-field': one(mutating(patched([{ op: 'add', path: '/other', value: 'x' }]))),
  'patch-kind': one(mutating(patched([{ op: 'replace', path: '/kind', value: 'Secret' }]))),
  'patch-unknown-kind': one(mutating(patched([{ op: 'replace', path: '/kind', value: 'Nope' }]))),
  'patch-version': one(mutating(patched([{ op: 'replace', path: '/apiVersion', value: 'v2' }]))),
  'patch-root': one(mutating(patched([{ op: 'replace', path: '', value: configMap('root') }]))),
  'patch-name': one(mutating(patched([{ op: 'replace', path: '/metadata/name', value: 'other' }]))),
  'patch-invalid': one(mutating(patched([{ op: 'add', path: '/data/bad key', value: 'x' }]))),
  'patch-base64': one(mutating(answer({ allowed: true, patch: '%%%', patchType: 'JSONPatch' }))),
  'patch-without-type': one(mutating(answer({ allowed: true, patch: encode([]) }))),
  'type-without-patch': one(mutating(answer({ allowed: true, patchType: 'JSONPatch' }))),
  'empty-type': one(mutating(answer({ allowed: true, patch: encode([annotate('a')]), patchType: '' }))),
  'other-type': one(mutating(answer({ allowed: true, patch: encode([annotate('a')]), patchType: 'MergePatch' }))),
  'patch-ignored': one(mutating(patched('[{'), { failurePolicy: 'Ignore' })),
  'patch-missing-ignored': one(mutating(patched([{ op: 'remove', path: '/data/nope' }]), { failurePolicy: 'Ignore' })),
  'patch-from-validating': one(validating(patched([annotate('a')]))),
  'type-from-validating': one(validating(answer({ allowed: true, patchType: 'JSONPatch' }))),
  'patch-and-deny': one(mutating(patched([annotate('a')], { allowed: false }))),
  'owners-twice': one(
    mutating(
      patched([
        {
          op: 'add',
          path: '/metadata/ownerReferences',
          value: [1, 2].map(() => ({ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: '11111111-1111-1111-1111-111111111111' })),
        },
      ]),
    ),
  ),
  'managed-fields-broken': one(mutating(patched([{ op: 'add', path: '/metadata/managedFields/0/fieldsType', value: 'Other' }])), post),
  'managed-fields-gone': one(mutating(patched([{ op: 'remove', path: '/metadata/managedFields' }])), post),
  'deletion-patched': {
    webhooks: [
      mutating(({ request }) =>
        request['operation'] === 'DELETE' ? patched([annotate('a')])({ request } as Review) : { response: { allowed: true } },
      ),
    ],
    steps: [post, ['DELETE', `${configMaps}/one`]],
  },
  defaults: one(
    mutating(
      patched([{ op: 'add', path: '/spec/containers/-', value: { name: 'second', image: 'x:1', ports: [{ containerPort: 80 }] } }]),
      {
        rules: rule('pods', { operations: ['CREATE'] }),
      },
    ),
    ['POST', '/api/v1/namespaces/{ns}/pods', pod],
  ),
  'in-order': {
    webhooks: ['a', 'b', 'c'].map((name) =>
      mutating((review) => {
        const { annotations } = objectOf(review).metadata;
        const seen = Object.keys(annotations ?? {})
          .sort()
          .join('');
        return patched([annotations ? { op: 'add', path: `/metadata/annotations/${name}`, value: seen } : annotate(name)])(review);
      }),
    ),
    steps: [post],
  },
  reinvoked: {
    webhooks: [
      mutating(
        (review) => ({
          response: { allowed: true, warnings: [`first sees ${Object.keys(objectOf(review).metadata.annotations ?? {}).join()}`] },
        }),
        {
          reinvocationPolicy: 'IfNeeded',
        },
      ),
      mutating((review) => ({
        response: { allowed: true, warnings: [`never sees ${Object.keys(objectOf(review).metadata.annotations ?? {}).join()}`] },
      })),
      mutating(patched([annotate('a')]), { reinvocationPolicy: 'IfNeeded' }),
    ],
    steps: [post],
  },
  'not-reinvoked': {
    webhooks: [mutating(allow, { reinvocationPolicy: 'IfNeeded' }), mutating(allow)],
    steps: [post],
  },
  'two-deny': { webhooks: [mutating(deny({ message: 'first' })), mutating(deny({ message: 'second' }))], steps: [post] },
  'mutated-then-validated': {
    webhooks: [
      mutating(patched([annotate('a')])),
      validating((review) => ({
        response: { allowed: false, status: { message: JSON.stringify(objectOf(review).metadata.annotations) } },
      })),
    ],
    steps: [post],
  },
  operations: {
    webhooks: [mutating(allow), validating(allow)],
    steps: [
      post,
      ['PUT', `${configMaps}/one`, configMap('one', { data: { b: '1' } })],
      ['PATCH', `${configMaps}/one?fieldManager=me&fieldValidation=Strict`, { data: { c: '1' } }, 'merge'],
      ['PATCH', `${configMaps}/one`, { data: { c: '2' } }, 'strategic'],
      ['PATCH', `${configMaps}/one?fieldManager=applier&force=true`, configMap('one', { data: { d: '1' } }), 'apply'],
      ['PATCH', `${configMaps}/new?fieldManager=applier`, configMap('new', { data: { d: '1' } }), 'apply'],
      ['POST', `${configMaps}?dryRun=All`, configMap('dry')],
      ['POST', configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'gen-' } }],
      ['DELETE', `${configMaps}/one`, { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0, propagationPolicy: 'Background' }],
      ['DELETE', `${configMaps}/new?dryRun=All`],
      ['DELETE', `${configMaps}?labelSelector=a%3Db`],
      ['DELETE', `${configMaps}/missing`],
      ['GET', `${configMaps}/new`],
    ],
  },
  'dry-run': one(validating(allow, { sideEffects: 'NoneOnDryRun' }), ['POST', `${configMaps}?dryRun=All`, configMap('dry')]),
  deployments: {
    webhooks: [mutating(allow, { rules: rule('deployments/*') }), validating(allow, { rules: rule('deployments') })],
    steps: [
      ['POST', '/apis/apps/v1/namespaces/{ns}/deployments', deployment(1)],
      [
        'PUT',
        '/apis/apps/v1/namespaces/{ns}/deployments/d/scale',
        { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'd' }, spec: { replicas: 3 } },
      ],
      ['PATCH', '/apis/apps/v1/namespaces/{ns}/deployments/d/status', { status: { replicas: 1 } }, 'merge'],
      ['DELETE', '/apis/apps/v1/namespaces/{ns}/deployments/d?propagationPolicy=Foreground'],
    ],
  },
  'scale-patched': {
    webhooks: [mutating(patched([{ op: 'replace', path: '/spec/replicas', value: 7 }]), { rules: rule('deployments/scale') })],
    steps: [
      ['POST', '/apis/apps/v1/namespaces/{ns}/deployments', deployment(1)],
      [
        'PUT',
        '/apis/apps/v1/namespaces/{ns}/deployments/d/scale',
        { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'd' }, spec: { replicas: 3 } },
      ],
    ],
  },
  'subresources-of-pods': {
    webhooks: [mutating(allow, { rules: rule('pods/*') }), validating(allow, { rules: rule('pods/*') })],
    steps: [
      ['POST', '/api/v1/namespaces/{ns}/pods', pod],
      [
        'POST',
        '/api/v1/namespaces/{ns}/pods/p/binding',
        { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'p' }, target: { kind: 'Node', name: 'n' } },
      ],
      [
        'POST',
        '/api/v1/namespaces/{ns}/pods/p/eviction?dryRun=All',
        { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p' } },
      ],
      [
        'POST',
        '/api/v1/namespaces/{ns}/serviceaccounts/default/token',
        { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { audiences: [] } },
      ],
    ],
  },
  'other-versions': {
    webhooks: [
      mutating(allow, { rules: rule('horizontalpodautoscalers', { apiVersions: ['v1'] }), matchPolicy: 'Equivalent' }),
      validating(allow, { rules: rule('horizontalpodautoscalers', { apiVersions: ['v1'] }), matchPolicy: 'Exact' }),
    ],
    steps: [
      [
        'POST',
        '/apis/autoscaling/v2/namespaces/{ns}/horizontalpodautoscalers',
        {
          apiVersion: 'autoscaling/v2',
          kind: 'HorizontalPodAutoscaler',
          metadata: { name: 'h' },
          spec: {
            maxReplicas: 3,
            scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' },
            metrics: [{ type: 'Resource', resource: { name: 'memory', target: { type: 'Utilization', averageUtilization: 50 } } }],
          },
        },
      ],
    ],
  },
  'other-groups': {
    webhooks: [
      mutating(patched([{ op: 'add', path: '/message', value: 'patched' }]), {
        rules: rule('events', { apiGroups: [''], operations: ['CREATE'] }),
      }),
      validating(allow, { rules: rule('events', { apiGroups: [''] }) }),
    ],
    steps: [
      [
        'POST',
        '/apis/events.k8s.io/v1/namespaces/{ns}/events',
        {
          apiVersion: 'events.k8s.io/v1',
          kind: 'Event',
          metadata: { name: 'e' },
          eventTime: '2026-01-01T00:00:00.000000Z',
          action: 'a',
          reason: 'r',
          type: 'Normal',
          reportingController: 'example.com/c',
          reportingInstance: 'i',
          regarding: { kind: 'Pod', name: 'p', namespace: '{ns}' },
        },
      ],
    ],
  },
  'control-characters': both(answer({ allowed: true, warnings: ['a\nb', ' blanks ', '', 'ok'] })),
  'long-warnings': both(answer({ allowed: true, warnings: Array.from({ length: 40 }, (_, i) => `${i} ${'é'.repeat(i * 20)}`) })),
  'old-reviews': {
    webhooks: [
      mutating(patched([annotate('a')], { patchType: undefined, uid: 'any' }), { admissionReviewVersions: ['v0', 'v1beta1', 'v1'] }),
      validating(patched([annotate('a')]), { admissionReviewVersions: ['v1beta1'] }),
    ],
    steps: [post],
  },
  conditions: {
    webhooks: [
      validating(deny({ message: 'matched' }), { matchConditions: [{ name: 'a', expression: "object.metadata.name == 'two'" }] }),
      validating(allow, {
        matchConditions: [
          { name: 'a', expression: "object.data.missing == 'x'" },
          { name: 'b', expression: "request.operation == 'CREATE'" },
        ],
      }),
    ],
    steps: [again('one', { data: { missing: 'x' } }), again('two', { data: { missing: 'x' } }), again('three', { data: { a: 'x' } })],
  },
  selectors: {
    webhooks: [validating(deny({ message: 'selected' }), { objectSelector: { matchExpressions: [{ key: 'a', operator: 'Exists' }] } })],
    steps: [post, ['POST', configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'two', labels: { a: 'b' } } }]],
  },
};
