import type { Choice, Json } from './choice.ts';
import type { Subject } from './subject.ts';
import { conditions } from './workloads.ts';

const group = 'sequences.example';
const text = { type: 'string' };
const port = {
  type: 'object',
  required: ['port'],
  properties: {
    port: { type: 'integer' },
    protocol: { type: 'string', default: 'TCP' },
    tags: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
  },
};
const rule = {
  type: 'object',
  required: ['name'],
  properties: {
    name: text,
    weight: { type: 'integer' },
    ports: { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['port', 'protocol'], items: port },
    limits: { type: 'object', additionalProperties: { 'x-kubernetes-int-or-string': true } },
    origin: { type: 'object', 'x-kubernetes-map-type': 'atomic', properties: { host: text, path: text } },
  },
};
const spec = {
  type: 'object',
  properties: {
    replicas: { type: 'integer', default: 1 },
    rules: { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'], items: rule },
    // lists and maps as values of maps
    groups: { type: 'object', additionalProperties: { type: 'array', 'x-kubernetes-list-type': 'set', items: text } },
    zones: { type: 'object', additionalProperties: { type: 'object', 'x-kubernetes-map-type': 'atomic', additionalProperties: text } },
    routes: {
      type: 'object',
      additionalProperties: { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'], items: rule },
    },
    matrix: { type: 'array', items: { type: 'array', 'x-kubernetes-list-type': 'set', items: text } },
    selector: { type: 'object', 'x-kubernetes-map-type': 'atomic', additionalProperties: text },
    plain: { type: 'array', items: rule },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { known: text } },
    note: { type: 'string', nullable: true },
  },
};

/** A custom resource whose lists and maps stand inside each other. */
export const gadgetDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `gadgets.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural: 'gadgets', singular: 'gadget', kind: 'Gadget', listKind: 'GadgetList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {}, scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec,
              status: {
                type: 'object',
                properties: {
                  replicas: { type: 'integer' },
                  conditions: {
                    type: 'array',
                    'x-kubernetes-list-type': 'map',
                    'x-kubernetes-list-map-keys': ['type'],
                    items: { type: 'object', required: ['type'], properties: { type: text, status: text, reason: text, message: text } },
                  },
                  nested: spec.properties.routes,
                },
              },
            },
          },
        },
      },
    ],
  },
};

function portOf(choice: Choice): Json {
  return {
    port: choice.pick([80, 81]),
    ...choice.maybe(0.5, () => ({ protocol: choice.pick(['TCP', 'UDP']) })),
    ...choice.maybe(0.5, () => ({ tags: choice.shuffled(['t', 'u', 'v']) })),
  };
}

/** Each port once, whatever its spelling. */
function portsOf(choice: Choice): Json[] {
  const byKey = new Map(
    Array.from({ length: choice.below(3) }, () => portOf(choice)).map((one) => [`${one['port']}/${one['protocol'] ?? 'TCP'}`, one]),
  );
  return [...byKey.values()];
}

function ruleOf(choice: Choice, name: string): Json {
  return {
    name,
    ...choice.maybe(0.4, () => ({ weight: choice.below(3) })),
    ...choice.maybe(0.6, () => ({ ports: portsOf(choice) })),
    ...choice.maybe(0.3, () => ({ limits: { cpu: choice.pick([1, '1']), ...choice.maybe(0.5, () => ({ memory: '1Gi' })) } })),
    ...choice.maybe(0.3, () => ({ origin: { ...choice.maybe(0.5, () => ({ host: 'h' })), path: choice.pick(['p', 'q']) } })),
  };
}

function rulesOf(choice: Choice): Json[] {
  return choice.shuffled(['one', 'two', 'three']).map((name) => ruleOf(choice, name));
}

/** What no such object may have; never two at a time, of which upstream reports either first. */
const faults: readonly Json[] = [
  { rules: [{ weight: 1 }] },
  { groups: { g: ['x', 'x'] } },
  { routes: { g: [{ name: 'one' }, { name: 'one' }] } },
  { unknown: { field: 1 } },
  { rules: [{ name: 'one', ports: 'none' }] },
];

function specOf(choice: Choice): Json {
  return {
    ...choice.maybe(0.4, () => ({ replicas: choice.below(3) })),
    ...choice.maybe(0.6, () => ({ rules: rulesOf(choice) })),
    ...choice.maybe(0.4, () => ({
      groups: Object.fromEntries(choice.some(['g', 'h']).map((key) => [key, choice.shuffled(['x', 'y', 'z'])])),
    })),
    ...choice.maybe(0.3, () => ({ zones: Object.fromEntries(choice.some(['g', 'h']).map((key) => [key, choice.labels()])) })),
    ...choice.maybe(0.4, () => ({ routes: Object.fromEntries(choice.some(['g', 'h']).map((key) => [key, rulesOf(choice)])) })),
    ...choice.maybe(0.3, () => ({ matrix: [choice.shuffled(['x', 'y']), choice.shuffled(['x', 'y'])] })),
    ...choice.maybe(0.3, () => ({ selector: choice.labels() })),
    ...choice.maybe(0.2, () => ({ plain: rulesOf(choice) })),
    ...choice.maybe(0.4, () => ({ free: { known: 'k', any: choice.pick([1, 'one', [1, 2], { deep: { er: choice.below(2) } }, null]) } })),
    ...choice.maybe(0.2, () => ({ note: choice.pick(['n', null]) })),
    ...choice.maybe(0.12, () => ({ ...choice.pick(faults) })),
  };
}

export const gadgets: Subject = {
  name: 'gadget',
  collection: `/apis/${group}/v1/namespaces/default/gadgets`,
  apiVersion: `${group}/v1`,
  kind: 'Gadget',
  scale: true,
  object: (choice) => ({ metadata: choice.metadata(''), spec: specOf(choice) }),
  status: (choice) => ({
    ...choice.maybe(0.5, () => ({ replicas: choice.below(3) })),
    ...choice.maybe(0.6, () => ({ conditions: conditions(choice) })),
    ...choice.maybe(0.4, () => ({ nested: { g: rulesOf(choice) } })),
  }),
  mergePatch: (choice) => ({
    metadata: { labels: { a: choice.pick(['1', '2', null]) } },
    ...choice.maybe(0.7, () => ({ spec: specOf(choice) })),
  }),
  jsonPatch: (choice) => [
    { op: 'add', path: '/metadata/annotations', value: choice.labels() },
    ...(choice.chance(0.5) ? [{ op: 'add', path: '/spec/rules', value: rulesOf(choice) }] : []),
  ],
};
