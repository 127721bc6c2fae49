import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '../../server/registry/definition.ts';
import { v1beta1 } from './v1beta1.ts';

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
  const { apiVersion, spec } = v1beta1.toStorage(stored as unknown as KubeObject);
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

test('a definition goes to v1beta1 and back: what all versions have in common stands above them', () => {
  const column = { name: 'A', type: 'string', jsonPath: '.spec.a' };
  const version = (name: string, more: object): object => ({ name, served: true, storage: name === 'v1', ...more });
  const schema = { openAPIV3Schema: { type: 'object' } };
  const webhook = { conversionReviewVersions: ['v1'], clientConfig: { url: 'https://x' } };
  const definition = {
    kind: 'CustomResourceDefinition',
    apiVersion: 'apiextensions.k8s.io/v1',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      names: { plural: 'widgets', kind: 'Widget' },
      scope: 'Namespaced',
      versions: [
        version('v1', { schema, subresources: { status: {} }, additionalPrinterColumns: [column] }),
        version('v2', { schema, additionalPrinterColumns: [column] }),
      ],
      conversion: { strategy: 'Webhook', webhook },
    },
  };
  const kept = JSON.parse(JSON.stringify(v1beta1.fromStorage(definition as never))) as KubeObject & { spec: Record<string, unknown> };
  assert.deepEqual(kept.spec, {
    group: 'example.com',
    names: { plural: 'widgets', kind: 'Widget' },
    scope: 'Namespaced',
    version: 'v1',
    validation: schema,
    additionalPrinterColumns: [{ name: 'A', type: 'string', JSONPath: '.spec.a' }],
    versions: [version('v1', { subresources: { status: {} } }), version('v2', {})],
    conversion: { strategy: 'Webhook', webhookClientConfig: { url: 'https://x' }, conversionReviewVersions: ['v1'] },
    preserveUnknownFields: false,
  });
  assert.deepEqual(v1beta1.toStorage(kept), definition);
});
