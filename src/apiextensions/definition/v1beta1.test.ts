import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '../../server/registry/definition.ts';
import { fromV1beta1 } from './v1beta1.ts';

test('what all versions have in common is found in each of them again', () => {
  const schema = { openAPIV3Schema: { type: 'object' } };
  const stored = {
    kind: 'CustomResourceDefinition',
    apiVersion: 'apiextensions.k8s.io/v1beta1',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      version: 'v1',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      scope: 'Namespaced',
      validation: schema,
      subresources: { status: {} },
      versions: [
        { name: 'v1', served: true, storage: true },
        { name: 'v2', served: true, storage: false },
      ],
      additionalPrinterColumns: [{ name: 'A', type: 'string', JSONPath: '.spec.a' }],
      conversion: { strategy: 'None' },
      preserveUnknownFields: false,
    },
  };
  const { apiVersion, spec } = fromV1beta1.toStorage(stored as unknown as KubeObject);
  const common = {
    served: true,
    schema,
    subresources: { status: {} },
    additionalPrinterColumns: [{ name: 'A', type: 'string', jsonPath: '.spec.a' }],
  };
  assert.equal(apiVersion, 'apiextensions.k8s.io/v1');
  assert.deepEqual(spec, {
    group: 'example.com',
    names: stored.spec.names,
    scope: 'Namespaced',
    versions: [
      { name: 'v1', storage: true, ...common },
      { name: 'v2', storage: false, ...common },
    ],
    conversion: { strategy: 'None' },
  });
});
