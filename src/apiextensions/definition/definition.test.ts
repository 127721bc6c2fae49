import { describeKind, send } from '../../../test/support/kind-suite.ts';

const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const definition = (group: string, version: object = {}, spec: object = {}): object => ({
  metadata: { name: `things.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural: 'things', kind: 'Thing' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } }, ...version }],
    ...spec,
  },
});
const unstored = { name: 'v1', served: true, storage: false, schema: { openAPIV3Schema: { type: 'object' } } };
const create = (object: object): ReturnType<typeof send> => send('POST', path, object);
const patch = (group: string, body: object): ReturnType<typeof send> =>
  send('PATCH', `${path}/things.${group}`, body, { 'content-type': 'application/json-patch+json' });
const withSchema = (fields: object): object => ({ schema: { openAPIV3Schema: { type: 'object', ...fields } } });

describeKind('a CustomResourceDefinition', {
  path,
  cases: [
    [
      'has changed when an empty struct came into it',
      [create(definition('a.example.com')), patch('a.example.com', [{ op: 'add', path: '/spec/versions/0/subresources', value: {} }])],
      { fields: { metadata: { generation: 2 } } },
    ],
    [
      'does not keep items that are no schema, but has changed when they were sent',
      [
        create(definition('m.example.com')),
        patch('m.example.com', [{ op: 'add', path: '/spec/versions/0/schema/openAPIV3Schema/items', value: true }]),
      ],
      {
        fields: {
          metadata: { generation: 2 },
          spec: { versions: [{ schema: { openAPIV3Schema: { type: 'object', items: undefined } } }] },
        },
      },
    ],
    [
      'has a default of the whole object only if that says what it is',
      [create(definition('n.example.com', withSchema({ default: { a: [1] } })))],
      {
        causes: [
          'spec.validation.openAPIV3Schema.default: Invalid value: {"a":[1]}: must not have unknown fields',
          'spec.validation.openAPIV3Schema.default.apiVersion: Required value',
          'spec.validation.openAPIV3Schema.default.kind: Required value',
        ],
      },
    ],
    [
      'has no dependencies, not even empty ones',
      [create(definition('b.example.com', withSchema({ dependencies: {} })))],
      { causes: ['spec.validation.openAPIV3Schema.dependencies: Forbidden: dependencies is not supported'] },
    ],
    [
      'takes an empty list of columns and none for what its versions have in common',
      [
        create(
          definition(
            'e.example.com',
            {},
            {
              versions: [
                { ...unstored, additionalPrinterColumns: [] },
                { ...unstored, name: 'v2' },
              ],
            },
          ),
        ),
      ],
      {
        causes: [
          /^spec\.versions: Invalid value: (?!.*Columns":\[).*: must have exactly one version marked as storage version$/,
          /storedVersions/,
        ],
      },
    ],
    [
      'has bounds that are floats, however large: it can be read as protobuf, and has not changed when it is written again',
      [
        create(definition('g.example.com', withSchema({ properties: { a: { type: 'integer', maximum: 9223372036854775000 } } }))),
        send('GET', `${path}/things.g.example.com`, undefined, { accept: 'application/vnd.kubernetes.protobuf' }),
        patch('g.example.com', [{ op: 'add', path: '/metadata/labels', value: { a: 'b' } }]),
      ],
      { fields: { metadata: { generation: 1 } } },
    ],
    [
      'with selectable fields says why its schema is not structural',
      [create(definition('f.example.com', { ...withSchema({ dependencies: { a: ['b'] } }), selectableFields: [{ jsonPath: '' }] }))],
      {
        causes: [
          'spec.validation.openAPIV3Schema.dependencies: Forbidden: dependencies is not supported',
          `spec.schema.openAPIV3Schema: Invalid value: "": OpenAPIV3Schema 'dependencies' is not supported`,
          'spec.selectableFields[0].jsonPath: Required value',
        ],
      },
    ],
    [
      'with a status has no list at the root that counts when it is empty',
      [create(definition('c.example.com', { subresources: { status: {} }, ...withSchema({ allOf: [] }) }))],
      {
        causes: [
          /^spec\.validation\.openAPIV3Schema: Invalid value: .*"AllOf":\[\].*: only \[Description Type .* fields are allowed at the root/,
        ],
      },
    ],
    [
      'loses a webhook that says nothing',
      [create(definition('d.example.com', {}, { conversion: { strategy: 'None', webhook: {} } }))],
      { fields: { spec: { conversion: { strategy: 'None', webhook: undefined } } } },
    ],
    [
      'with a bad label is told so by each rule that finds it',
      [create(definition('e.example.com')), patch('e.example.com', [{ op: 'add', path: '/metadata/labels', value: { a: '-' } }])],
      { causes: Array.from({ length: 3 }, () => /^metadata\.labels: Invalid value: "-": a valid label must be/) },
    ],
  ],
});
