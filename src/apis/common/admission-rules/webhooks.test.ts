import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testContext } from '../../../../test/support/write-context.ts';
import type { WebhookConfiguration } from './webhooks.ts';
import { webhookRules } from './webhooks.ts';

type Webhook = NonNullable<WebhookConfiguration['webhooks']>[number];

const webhook: Webhook = {
  name: 'a.example.com',
  clientConfig: { url: 'https://example.com/review' },
  rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], scope: '*' }],
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
};
const configuration = (...webhooks: Partial<Webhook>[]): WebhookConfiguration => ({
  metadata: { name: 'w' },
  webhooks: webhooks.map((changes) => ({ ...webhook, ...changes })),
});
const withService = (path: string): Partial<Webhook> => ({
  clientConfig: { service: { name: 's', namespace: 'n', port: 443, path } },
});
const withResources = (...resources: string[]): Partial<Webhook> => ({ rules: [{ ...webhook.rules![0], resources }] });

const faults: readonly (readonly [what: string, changes: Partial<Webhook>, errors: readonly string[]])[] = [
  ['a webhook with all it needs is accepted', {}, []],
  [
    'side effects that a dry run would have are refused',
    { sideEffects: 'Some' },
    ['webhooks[0].sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"'],
  ],
  [
    'a webhook must understand a version of reviews that the server writes',
    { admissionReviewVersions: ['v2', 'v2'] },
    [
      'webhooks[0].admissionReviewVersions[1]: Invalid value: "v2": duplicate version',
      'webhooks[0].admissionReviewVersions: Invalid value: ["v2","v2"]: must include at least one of v1, v1beta1',
    ],
  ],
  [
    'a URL names a host, by https, and nothing secret',
    { clientConfig: { url: 'http://u:p@/x?q#f' } },
    [
      `webhooks[0].clientConfig.url: Invalid value: "http": 'https' is the only allowed URL scheme; desired format: https://host[/path]`,
      'webhooks[0].clientConfig.url: Invalid value: "": host must be specified; desired format: https://host[/path]',
      'webhooks[0].clientConfig.url: Invalid value: "u:p": user information is not permitted in the URL',
      'webhooks[0].clientConfig.url: Invalid value: "f": fragments are not permitted in the URL',
      'webhooks[0].clientConfig.url: Invalid value: "q": query parameters are not permitted in the URL',
    ],
  ],
  [
    'of a service without a namespace the name is said to be missing',
    { clientConfig: { service: { name: 's', namespace: '', port: 443 } } },
    ['webhooks[0].clientConfig.service.name: Required value'],
  ],
  ['a path may end with a slash', withService('/a/'), []],
  [
    'no segment of a path is empty',
    withService('/a//b'),
    ['webhooks[0].clientConfig.service.path: Invalid value: "/a//b": segment[1] may not be empty'],
  ],
  [
    'everything of a resource makes its parts redundant',
    withResources('pods/*', 'pods/status'),
    [`webhooks[0].rules[0].resources[1]: Invalid value: "pods/status": if 'pods/*' is present, must not specify pods/status`],
  ],
  ['all resources may stand after one of them', withResources('pods', '*'), []],
  [
    'all resources may not stand before one of them',
    withResources('*', 'pods'),
    [
      `webhooks[0].rules[0].resources: Invalid value: ["*","pods"]: if '*' is present, must not specify other resources without subresources`,
    ],
  ],
  [
    'conditions know no parameters',
    { matchConditions: [{ name: 'c', expression: ' params.x ' }] },
    [
      `webhooks[0].matchConditions[0].expression: Invalid value: "params.x": compilation failed: ERROR: <input>:1:1: undeclared reference to 'params' (in container '')\n | params.x\n | ^`,
    ],
  ],
  [
    'conditions are of one type',
    { matchConditions: [{ name: 'c', expression: 'object.x' }] },
    ['webhooks[0].matchConditions[0].expression: Invalid value: "object.x": must evaluate to bool but got dyn'],
  ],
];

for (const [what, changes, errors] of faults) {
  test(`webhook configurations: ${what}`, () => {
    assert.deepEqual(webhookRules.validate(configuration(changes), testContext()).map(String), errors);
  });
}

test('names of webhooks are unique within a configuration', () => {
  const errors = webhookRules.validate(configuration({}, {}), testContext()).map(String);
  assert.deepEqual(errors, ['webhooks[1].name: Duplicate value: "a.example.com"']);
});

const tolerated: readonly (readonly [what: string, webhooks: readonly Partial<Webhook>[]])[] = [
  ['side effects', [{ sideEffects: 'Some' }]],
  ['unknown versions of reviews', [{ admissionReviewVersions: ['v2'] }]],
  ['names that are not unique', [{}, {}]],
  ['label values that are not valid', [{ objectSelector: { matchExpressions: [{ key: 'a', operator: 'In', values: ['b c'] }] } }]],
  ['conditions that do not compile', [{ matchConditions: [{ name: 'c', expression: 'nobody.knows' }] }]],
];

for (const [what, webhooks] of tolerated) {
  test(`a configuration that was stored with ${what} may keep them, a sound one may not get them`, () => {
    const old = configuration(...webhooks);
    assert.notDeepEqual(webhookRules.validate(old, testContext()), []);
    assert.deepEqual(webhookRules.validateUpdate(old, old), []);
    assert.notDeepEqual(webhookRules.validateUpdate(old, configuration({ name: 'c.example.com' })), []);
  });
}

test('a finalizer may be a plain word', () => {
  const { webhooks } = configuration({});
  assert.deepEqual(webhookRules.validate({ metadata: { name: 'w', finalizers: ['word'] }, webhooks: webhooks! }, testContext()), []);
});

test('rules for what webhooks never see are warned of, unless they are for everything', () => {
  const reviews = { ...webhook.rules![0], apiGroups: ['authentication.k8s.io', ''], resources: ['tokenreviews', 'pods', 'tokenreviews'] };
  const warnings = webhookRules.warningsOnCreate(configuration({ rules: [reviews, { ...reviews, apiGroups: ['*'] }] }), testContext());
  assert.deepEqual(warnings, [
    'webhooks[0].rules[0]: tokenreviews.authentication.k8s.io is excluded from admission webhooks; this rule will have no effect',
  ]);
});

test('names of static configurations are refused, or warned of while the server knows none', () => {
  const named = { ...configuration({}), metadata: { name: 'w.static.k8s.io' } };
  assert.match(
    String(webhookRules.validate(named, testContext())[0]),
    /^metadata\.name: Invalid value: "w\.static\.k8s\.io": names ending/,
  );
  const without = testContext({ enabled: false });
  assert.deepEqual(webhookRules.validate(named, without), []);
  assert.equal(webhookRules.warningsOnCreate(named, without).length, 1);
  assert.equal(webhookRules.warningsOnUpdate(named, named, testContext()).length, 1);
});
