/** Definitions whose form in etcd is not the one that they were written in, and objects of them. */
const integer = { type: 'integer' };
const object = (properties: object): object => ({ openAPIV3Schema: { type: 'object', properties } });
const spec = (properties: object): object => object({ spec: { type: 'object', properties } });
const group = 'at-rest.example.com';

interface Definition {
  readonly metadata: { readonly name: string };
  readonly [field: string]: unknown;
}

function definition(plural: string, versions: readonly object[], more: object = {}): Definition {
  const kind = plural.charAt(0).toUpperCase() + plural.slice(1, -1);
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: { group, scope: 'Namespaced', names: { plural, kind }, versions, ...more },
  };
}

const v1 = { name: 'v1', served: true, storage: true };
const v2 = { name: 'v2', served: true, storage: false };
const columns = [{ name: 'A', type: 'integer', jsonPath: '.spec.a', priority: 1 }];
const webhook = {
  conversionReviewVersions: ['v1', 'v1beta1'],
  clientConfig: { service: { namespace: 'n', name: 's', path: '/p' } },
};

export const definitions: readonly Definition[] = [
  definition('plains', [{ ...v1, schema: spec({ a: integer }) }]),
  definition('commons', [
    { ...v1, schema: spec({ a: integer }), subresources: { status: {} }, additionalPrinterColumns: columns },
    { ...v2, schema: spec({ a: integer }), subresources: { status: {} }, additionalPrinterColumns: columns },
  ]),
  definition('differs', [
    { ...v1, schema: spec({ a: integer }), additionalPrinterColumns: columns, selectableFields: [{ jsonPath: '.spec.a' }] },
    { ...v2, schema: spec({ a: { ...integer, default: 7, enum: [7, 8] } }), subresources: { status: {} }, deprecated: true },
  ]),
  definition(
    'converts',
    [
      { ...v1, schema: spec({ o: { type: 'object', default: { b: 1, a: 1.5 }, properties: { a: { type: 'number' }, b: integer } } }) },
      { ...v2, schema: spec({ a: integer }) },
    ],
    { conversion: { strategy: 'Webhook', webhook } },
  ),
  definition(
    'scaleds',
    [
      {
        ...v1,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        subresources: { scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } },
      },
    ],
    { scope: 'Cluster', names: { plural: 'scaleds', kind: 'Scaled', singular: 'scaled', listKind: 'ScaledList', shortNames: ['sc'] } },
  ),
];

interface CustomStub {
  readonly path: string;
  readonly key: string;
  readonly object: object;
}

export function objects(namespace: string): readonly CustomStub[] {
  const at = (version: string, plural: string, kind: string, content: object): CustomStub => ({
    path: `/apis/${group}/${version}/namespaces/${namespace}/${plural}`,
    key: `/registry/${group}/${plural}/${namespace}/x`,
    object: { apiVersion: `${group}/${version}`, kind, metadata: { name: 'x', labels: { b: '1', a: '2' } }, ...content },
  });
  return [
    at('v1', 'plains', 'Plain', { spec: { a: 1 } }),
    at('v2', 'commons', 'Common', { spec: { a: Number.MAX_SAFE_INTEGER } }),
    at('v2', 'differs', 'Differ', { spec: { a: 8 } }),
  ];
}
