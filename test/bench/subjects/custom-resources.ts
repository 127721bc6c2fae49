import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../client.ts';
import type { Subject } from '../subject.ts';

const group = 'bench.example.com';
const name = { type: 'string', minLength: 1, maxLength: 63, pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' };

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `widgets.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                required: ['size', 'parts'],
                'x-kubernetes-validations': [{ rule: 'self.parts.size() <= self.size', message: 'more parts than size' }],
                properties: {
                  size: { type: 'integer', minimum: 0, maximum: 100 },
                  mode: { type: 'string', enum: ['Fast', 'Safe'], default: 'Safe' },
                  value: { type: 'string' },
                  parts: {
                    type: 'array',
                    maxItems: 50,
                    'x-kubernetes-list-type': 'map',
                    'x-kubernetes-list-map-keys': ['name'],
                    items: {
                      type: 'object',
                      required: ['name'],
                      properties: {
                        name,
                        weight: { type: 'integer', default: 1 },
                        options: { type: 'object', additionalProperties: { type: 'string' } },
                      },
                    },
                  },
                },
              },
            },
          },
        },
      },
    ],
  },
};

/** A custom resource with defaults, patterns, a list with keys and a CEL rule. */
export const customResources: Subject = {
  collection: (namespace) => `/apis/${group}/v1/namespaces/${namespace}/widgets`,
  body: (namespace, objectName, value) => ({
    apiVersion: `${group}/v1`,
    kind: 'Widget',
    metadata: { name: objectName, namespace, labels: { app: 'bench', tier: 'backend' } },
    spec: {
      size: 20,
      value,
      parts: Array.from({ length: 10 }, (_, index) => ({ name: `part-${index}`, options: { colour: 'blue', note: 'z'.repeat(40) } })),
    },
  }),
  change: (value) => ({ spec: { value } }),
  jsonPatch: (value) => [{ op: 'replace', path: '/spec/value', value }],
  async prepare(client: Client) {
    const bytes = JSON.stringify(definition);
    await client.request('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { type: 'application/json', bytes });
    // Upstream serves a new definition after some seconds.
    for (let attempt = 0; attempt < 100; attempt++) {
      const served = await client.request('GET', customResources.collection('default')).then(
        () => true,
        () => false,
      );
      if (served) return;
      await sleep(100);
    }
    throw new Error('the definition of widgets is not served after 10 s');
  },
};
