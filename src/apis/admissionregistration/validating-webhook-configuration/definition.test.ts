import { create, describeKind, merge, replace, send, table } from '../../../../test/support/kind-suite.ts';

const webhook = {
  name: 'hook.example.com',
  clientConfig: { url: 'https://127.0.0.1:1/path' },
  rules: [{ operations: ['CREATE'], apiGroups: ['none.example.com'], apiVersions: ['v1'], resources: ['things'] }],
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
};
const configuration = (fields: object = {}): object => ({ webhooks: [{ ...webhook, ...fields }] });

describeKind('a ValidatingWebhookConfiguration', {
  path: '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
  cases: [
    [
      'fails when the webhook does, after ten seconds, for everything that its rules match, unless it says otherwise',
      [create(configuration())],
      {
        fields: {
          metadata: { generation: 1 },
          webhooks: [
            {
              failurePolicy: 'Fail',
              matchPolicy: 'Equivalent',
              timeoutSeconds: 10,
              namespaceSelector: {},
              objectSelector: {},
              rules: [{ scope: '*' }],
            },
          ],
        },
      },
    ],
    ['may have no webhooks', [create({})], { fields: { webhooks: undefined } }],
    [
      'has another generation with an empty list than with none',
      [create({}), merge({ webhooks: [] })],
      { fields: { metadata: { generation: 2 } } },
    ],
    ['keeps its generation where nothing changes', [create({}), merge({ webhooks: null })], { fields: { metadata: { generation: 1 } } }],
    [
      'needs a qualified name for each webhook',
      [create(configuration({ name: 'hook' }))],
      { causes: ['webhooks[0].name: Invalid value: "hook": should be a domain with at least three segments separated by dots'] },
    ],
    [
      'needs names that differ',
      [create({ webhooks: [webhook, webhook] })],
      { causes: ['webhooks[1].name: Duplicate value: "hook.example.com"'] },
    ],
    [
      'says which side effects it has and which reviews it understands',
      [create(configuration({ sideEffects: undefined, admissionReviewVersions: undefined }))],
      {
        causes: [
          'webhooks[0].sideEffects: Required value: must specify one of None, NoneOnDryRun',
          'webhooks[0].admissionReviewVersions: Required value: must specify one of v1, v1beta1',
        ],
      },
    ],
    [
      'understands a review that the server has',
      [create(configuration({ admissionReviewVersions: ['v2'] }))],
      { causes: ['webhooks[0].admissionReviewVersions: Invalid value: ["v2"]: must include at least one of v1, v1beta1'] },
    ],
    [
      'has no side effects that a dry run cannot bear',
      [create(configuration({ sideEffects: 'Some' }))],
      { causes: ['webhooks[0].sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"'] },
    ],
    [
      'knows its policies',
      [create(configuration({ failurePolicy: 'Retry', matchPolicy: 'Roughly' }))],
      {
        causes: [
          'webhooks[0].failurePolicy: Unsupported value: "Retry": supported values: "Fail", "Ignore"',
          'webhooks[0].matchPolicy: Unsupported value: "Roughly": supported values: "Equivalent", "Exact"',
        ],
      },
    ],
    [
      'waits between one and thirty seconds',
      [create(configuration({ timeoutSeconds: 31 }))],
      { causes: ['webhooks[0].timeoutSeconds: Invalid value: 31: the timeout value must be between 1 and 30 seconds'] },
    ],
    [
      'is at a URL or a service',
      [create(configuration({ clientConfig: {} }))],
      { causes: ['webhooks[0].clientConfig: Required value: exactly one of url or service is required'] },
    ],
    [
      'is at a URL that is safe',
      [create(configuration({ clientConfig: { url: 'http://user@example.com/?q#f' } }))],
      {
        causes: [
          `webhooks[0].clientConfig.url: Invalid value: "http": 'https' is the only allowed URL scheme; desired format: https://host[/path]`,
          'webhooks[0].clientConfig.url: Invalid value: "user": user information is not permitted in the URL',
          'webhooks[0].clientConfig.url: Invalid value: "f": fragments are not permitted in the URL',
          'webhooks[0].clientConfig.url: Invalid value: "q": query parameters are not permitted in the URL',
        ],
      },
    ],
    [
      'is at port 443 of a service unless it says otherwise',
      [create(configuration({ clientConfig: { service: { namespace: 'n', name: 's' } } }))],
      { fields: { webhooks: [{ clientConfig: { service: { namespace: 'n', name: 's', port: 443 } } }] } },
    ],
    [
      'has rules of operations and resources',
      [
        create(
          configuration({
            rules: [{ operations: ['FLY'], apiGroups: ['a', '*'], apiVersions: [], resources: ['*', 'pods'], scope: 'Some' }],
          }),
        ),
      ],
      {
        causes: [
          'webhooks[0].rules[0].operations[0]: Unsupported value: "FLY": supported values: "*", "CONNECT", "CREATE", "DELETE", "UPDATE"',
          `webhooks[0].rules[0].apiGroups: Invalid value: ["a","*"]: if '*' is present, must not specify other API groups`,
          'webhooks[0].rules[0].apiVersions: Required value',
          `webhooks[0].rules[0].resources: Invalid value: ["*","pods"]: if '*' is present, must not specify other resources without subresources`,
          'webhooks[0].rules[0].scope: Unsupported value: "Some": supported values: "*", "Cluster", "Namespaced"',
        ],
      },
    ],
    [
      'has match conditions that can be evaluated',
      [
        create(
          configuration({
            matchConditions: [
              { name: 'c', expression: 'object.' },
              { name: '', expression: '' },
            ],
          }),
        ),
      ],
      {
        causes: [
          /^webhooks\[0\]\.matchConditions\[0\]\.expression: Invalid value: .*compilation failed: ERROR: <input>:1:8: Syntax error/s,
          'webhooks[0].matchConditions[1].expression: Required value',
          /^webhooks\[0\]\.matchConditions\[1\]\.name: /,
        ],
      },
    ],
    [
      'counts its generations',
      [create(configuration()), merge({ webhooks: null })],
      { fields: { metadata: { generation: 2 }, webhooks: undefined } },
    ],
    [
      'is judged again when it is replaced',
      [create(configuration()), replace({ webhooks: [{ ...webhook, name: 'x' }] })],
      { causes: ['webhooks[0].name: Invalid value: "x": should be a domain with at least three segments separated by dots'] },
    ],
    [
      'is not replaced without a precondition',
      [
        create(configuration()),
        send('PUT', '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/{name}', { metadata: { name: '{name}' } }),
      ],
      {
        status: 422,
        message:
          'validatingwebhookconfigurations.admissionregistration.k8s.io "{name}" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
      },
    ],
    ['shows how many webhooks it has', [create(configuration()), table], { cells: { Name: '{name}', Webhooks: 1, Age: /./ } }],
  ],
});
