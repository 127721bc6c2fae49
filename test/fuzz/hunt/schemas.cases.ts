// Schemas of custom resources in which much is done for each of many values.
import type { Case } from './case.ts';
import { bodyLimit, fillMap, json } from './case.ts';
import type { Sent } from './hunted-server.ts';

const group = 'schemas.example.com';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const things = `/apis/${group}/v1/namespaces/default/things`;
const dry = '?dryRun=All';
const times = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);
const share = (size: number): number => size / bodyLimit;
const sent = (method: string, path: string, body: unknown, type = 'application/json', accept = 'application/json'): Sent => ({
  method,
  path,
  body: typeof body === 'string' ? body : json(body),
  headers: { 'content-type': type, accept },
});
const get = (path: string, accept = 'application/json'): Sent => ({ method: 'GET', path, headers: { accept } });
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const names = { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' };
const schemaOf = (properties: object, more: object = {}): object => ({
  type: 'object',
  properties: { spec: { type: 'object', properties, ...more } },
});
const definition = (versions: readonly object[], more: object = {}): object => ({
  metadata: { name: `things.${group}` },
  spec: { group, names, scope: 'Namespaced', versions, ...more },
});
const version = (openAPIV3Schema: object, more: object = {}): object => ({
  name: 'v1',
  served: true,
  storage: true,
  schema: { openAPIV3Schema },
  ...more,
});
const served = (versions: readonly object[], more: object = {}): readonly Sent[] => [
  { method: 'DELETE', path: `${definitions}/things.${group}` },
  { ...get(`${definitions}/things.${group}`), until: 404 },
  sent('POST', definitions, definition(versions, more)),
  { ...get(things), until: 200 },
];
const thing = (spec: unknown, metadata: object = {}): object => ({
  apiVersion: `${group}/v1`,
  kind: 'Thing',
  metadata: { name: 'a', ...metadata },
  spec,
});
const create = (spec: unknown): Sent => sent('POST', things + dry, thing(spec));
const made = (spec: unknown): Sent => sent('POST', things, thing(spec));
const update = (spec: unknown): Sent =>
  sent('PATCH', `${things}/a${dry}`, [{ op: 'replace', path: '/spec', value: spec }], 'application/json-patch+json');
const merge = (spec: unknown): Sent => sent('PATCH', `${things}/a${dry}`, { spec }, 'application/merge-patch+json');
const apply = (spec: unknown, manager = 'm', query = '&dryRun=All&force=true'): Sent =>
  sent('PATCH', `${things}/a?fieldManager=${manager}${query}`, thing(spec), 'application/apply-patch+yaml');
const list = (items: object, more: object = {}): object => ({ type: 'array', items, ...more });
const struct = (properties: object, more: object = {}): object => ({ type: 'object', properties, ...more });
const keyed = (properties: object, keys: readonly string[]): object =>
  list(struct(properties, { required: keys }), { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': keys });
const text = { type: 'string' };
const preserving = { 'x-kubernetes-preserve-unknown-fields': true };
const wide = (count: number, value: object): object => Object.fromEntries(times(count).map((index) => [`p${index}`, value]));

/** Objects that are `{}`: as many as a list may have. */
const empties = (size: number): object[] => times(74_000 * share(size)).map(() => ({}));
const creation = (name: string, schema: object, spec: (size: number) => unknown): Case => ({
  name,
  before: () => served([version(schema)]),
  request: (size) => create(spec(size)),
});
/** A multiplicative hash: in this order, no two keys are in theirs. */
const mixed = (index: number): string => `k${((index * 2_654_435_761) % 4_294_967_296).toString(36)}`;
const mixedMap = (count: number, value: unknown): object => Object.fromEntries(times(count).map((index) => [mixed(index), value]));

const keyedByNumber = schemaOf({ l: keyed({ a: { type: 'integer' }, b: text }, ['a']) });
const keyedItems = (size: number, value: (index: number) => object = () => ({})): object[] =>
  times(49_000 * share(size)).map((index) => ({ a: index, ...value(index) }));

const rule = (expression: string, more: object = {}): object => ({ 'x-kubernetes-validations': [{ rule: expression, ...more }] });
/** A schema so many levels deep, with the same of each. */
const deepSchema = (levels: number, more: object): object => {
  let schema: object = { type: 'object', ...more, ...preserving };
  for (let level = 0; level < levels; level++) schema = { ...struct({ a: schema }), ...more };
  return schema;
};

export const schemaCases: readonly Case[] = [
  creation(
    'a thousand required fields in each of many',
    schemaOf({ l: list(struct({}, { required: times(1000).map((i) => `p${i}`) })) }),
    (size) => ({
      l: empties(size),
    }),
  ),
  creation(
    'twenty thousand required fields in each of many',
    schemaOf({ l: list(struct({}, { required: times(20_000).map((i) => `p${i}`) })) }),
    (size) => ({
      l: empties(size),
    }),
  ),
  creation(
    'a thousand keys of each of many',
    schemaOf({
      l: list(struct(wide(1000, text), { required: times(1000).map((index) => `p${index}`) }), {
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': times(1000).map((index) => `p${index}`),
      }),
    }),
    (size) => ({ l: empties(size) }),
  ),
  creation('ten thousand properties that each of many could have', schemaOf({ l: list(struct(wide(10_000, text))) }), (size) => ({
    l: empties(size),
  })),
  creation(
    'a thousand defaults, empty, for each of many',
    schemaOf({ l: list(struct(wide(1000, { type: 'object', default: {}, properties: {} }))) }),
    (size) => ({ l: empties(size) }),
  ),
  creation(
    'defaults below defaults',
    schemaOf({
      l: list(struct({ a: { ...struct({ b: { ...struct({ c: { type: 'integer', default: 1 } }), default: {} } }), default: {} } })),
    }),
    (size) => ({ l: empties(size) }),
  ),
  creation(
    'an enumeration of 40,000 that nothing is of',
    schemaOf({ l: list({ type: 'string', enum: times(40_000).map((i) => `e${i}`) }) }),
    (size) => ({
      l: times(290_000 * share(size)).map(() => 'a'),
    }),
  ),
  creation(
    'an enumeration of 10,000 objects that nothing is of',
    schemaOf({ l: list({ ...struct({ a: { type: 'integer' } }), enum: times(10_000).map((index) => ({ a: index })) }) }),
    (size) => ({ l: times(70_000 * share(size)).map(() => ({ a: -1 })) }),
  ),
  creation(
    'patterns of each item',
    schemaOf({ l: list({ type: 'string', pattern: '^([a-z]+[0-9]*)+$', format: 'date-time', minLength: 20, maxLength: 2 }) }),
    (size) => ({ l: times(270_000 * share(size)).map((index) => `a${index}`) }),
  ),
  creation('lists of type set in a list', schemaOf({ l: list(list(text, { 'x-kubernetes-list-type': 'set' })) }), (size) => ({
    l: times(100_000 * share(size)).map(() => ['a', 'a']),
  })),
  creation(
    'maps in a list of embedded objects',
    schemaOf({ l: list({ type: 'object', 'x-kubernetes-embedded-resource': true, ...preserving }) }),
    (size) => ({
      l: times(29_000 * share(size)).map((index) => ({ apiVersion: 'v1', kind: 'A', metadata: { name: `a${index}`, labels: {} } })),
    }),
  ),
  creation(
    'embedded objects that are none',
    schemaOf({ l: list({ type: 'object', 'x-kubernetes-embedded-resource': true, ...preserving }) }),
    (size) => ({
      l: empties(size),
    }),
  ),
  creation('preserved maps, not in order', schemaOf({}, preserving), (size) => ({
    a: mixedMap(48_000 * share(size), 1),
    b: mixedMap(48_000 * share(size), 1),
    c: mixedMap(48_000 * share(size), 1),
  })),
  creation('preserved objects of many shapes', schemaOf({}, preserving), (size) => ({
    l: times(70_000 * share(size)).map((index) => ({ [mixed(index)]: 1, [mixed(index + 70_000)]: 2 })),
  })),
  creation('nested lists of one', schemaOf({}, preserving), (size) => ({ l: times(140_000 * share(size)).map(() => [[]]) })),
  {
    name: 'preserved maps, not in order, updated',
    before: (size) => [
      ...served([version(schemaOf({}, preserving))]),
      made({ a: mixedMap(48_000 * share(size), 1), b: mixedMap(40_000 * share(size), 1) }),
    ],
    request: (size) => update({ a: mixedMap(48_000 * share(size), 2), b: mixedMap(40_000 * share(size), 2) }),
  },
  {
    name: 'a keyed list, applied',
    before: () => [...served([version(keyedByNumber)])],
    request: (size) => apply({ l: keyedItems(size) }),
  },
  {
    name: 'a keyed list, applied over another manager',
    before: (size) => [
      ...served([version(keyedByNumber)]),
      apply({ l: keyedItems(size * 0.4, () => ({ b: 'c' })) }, 'other', '&force=true'),
    ],
    request: (size) => apply({ l: keyedItems(size * 0.4, () => ({ b: 'd' })) }),
  },
  {
    name: 'a keyed list, applied over another manager with conflicts',
    before: (size) => [
      ...served([version(keyedByNumber)]),
      apply({ l: keyedItems(size * 0.4, () => ({ b: 'c' })) }, 'other', '&force=true'),
    ],
    request: (size) => apply({ l: keyedItems(size * 0.4, () => ({ b: 'd' })) }, 'm', '&dryRun=All'),
  },
  {
    name: 'a keyed list, applied backwards',
    before: (size) => [...served([version(keyedByNumber)]), apply({ l: keyedItems(size * 0.5) }, 'm', '&force=true')],
    request: (size) => apply({ l: keyedItems(size * 0.5).reverse() }),
  },
  {
    name: 'a keyed list, applied empty',
    before: (size) => [...served([version(keyedByNumber)]), apply({ l: keyedItems(size * 0.5) }, 'm', '&force=true')],
    request: () => apply({ l: [] }),
  },
  {
    name: 'a keyed list, updated',
    before: (size) => [...served([version(keyedByNumber)]), apply({ l: keyedItems(size * 0.5, () => ({ b: 'c' })) }, 'm', '&force=true')],
    request: (size) => update({ l: keyedItems(size * 0.5, () => ({ b: 'd' })).reverse() }),
  },
  {
    name: 'a keyed list with duplicates, updated',
    before: (size) => [
      ...served([version(schemaOf({ l: list(struct({ a: { type: 'integer' } })) }))]),
      made({ l: times(45_000 * share(size)).map((index) => ({ a: index >> 1 })) }),
      sent('PUT', `${definitions}/things.${group}`, definition([version(keyedByNumber)])),
    ],
    request: (size) => update({ l: times(45_000 * share(size)).map((index) => ({ a: (index >> 1) + 5 })) }),
  },
  {
    name: 'items that were wrong before, updated',
    before: (size) => [
      ...served([version(schemaOf({ l: keyed({ a: { type: 'integer' }, b: text }, ['a']) }))]),
      made({ l: keyedItems(size * 0.5, () => ({ b: 'long' })) }),
      {
        ...sent(
          'PATCH',
          `${definitions}/things.${group}`,
          {
            spec: {
              versions: [
                version(schemaOf({ l: keyed({ a: { type: 'integer' }, b: { type: 'string', maxLength: 1, pattern: '^x' } }, ['a']) })),
              ],
            },
          },
          'application/merge-patch+json',
        ),
      },
    ],
    request: (size) => update({ l: keyedItems(size * 0.5, (index) => ({ b: index % 2 === 0 ? 'long' : 'longer' })) }),
  },
  {
    name: 'rules that compare with what was before',
    before: (size) => [
      ...served([
        version(
          schemaOf({
            l: {
              ...keyed({ a: { type: 'integer' }, b: { type: 'string', maxLength: 5, ...rule('self != "x" && oldSelf != "y"') } }, ['a']),
              maxItems: 30_000,
            },
          }),
        ),
      ]),
      made({ l: keyedItems(size * 0.5, () => ({ b: 'c' })) }),
    ],
    request: (size) => update({ l: keyedItems(size * 0.5, () => ({ b: 'd' })) }),
  },
  {
    name: 'messages that are worked out',
    before: () =>
      served([
        version(
          schemaOf({
            l: list(
              {
                type: 'string',
                maxLength: 20,
                ...rule('self == "b"', {
                  messageExpression: '"%s is not %s, but %s".format([self, self.upperAscii(), self.replace("a", "bcd")])',
                }),
              },
              { maxItems: 5000 },
            ),
          }),
        ),
      ]),
    request: (size) => create({ l: times(4900 * share(size)).map((index) => `aaaaaaaaaaaaa${index}`) }),
  },
  {
    name: 'a message that is worked out of everything',
    before: () =>
      served([
        version(
          schemaOf({
            l: list(
              { type: 'string', maxLength: 20 },
              { maxItems: 40_000, ...rule('self.size() < 3', { messageExpression: 'self.join(", ")' }) },
            ),
          }),
        ),
      ]),
    request: (size) => create({ l: times(39_000 * share(size)).map((index) => `aaaaaaaaaaaaa${index}`) }),
  },
  {
    name: 'a rule on an object of ten thousand properties',
    before: () =>
      served([version(schemaOf({ l: list(struct(wide(2000, text), rule('!has(self.p1) || self.p1 != "b"')), { maxItems: 1000 }) }))]),
    request: (size) => create({ l: times(900 * share(size)).map(() => ({ p1: 'a' })) }),
  },
  {
    name: 'a definition whose wide schema changes',
    before: () => served([version(schemaOf(wide(15_000, text)))]),
    request: () => sent('PUT', `${definitions}/things.${group}${dry}`, definition([version(schemaOf(wide(15_001, text)))])),
  },
  {
    name: 'a definition of a wide schema, served',
    before: () => served([version(schemaOf({}))]),
    request: (size) => sent('PUT', `${definitions}/things.${group}`, definition([version(schemaOf(wide(24_000 * share(size), text)))])),
    settled: get('/readyz'),
  },
  {
    name: 'the first object of a definition with many rules and patterns',
    before: () =>
      served([
        version(
          schemaOf(
            Object.fromEntries(
              times(1900).map((index) => [
                `p${index}`,
                { type: 'string', maxLength: 30, pattern: `^a${index}`, ...rule(`self != "value ${index}"`) },
              ]),
            ),
          ),
        ),
      ]),
    request: () => create(Object.fromEntries(times(1900).map((index) => [`p${index}`, `a${index}`]))),
  },
  {
    name: 'the first object of a definition with long rules',
    before: () =>
      served([
        version(
          schemaOf({
            a: {
              type: 'string',
              maxLength: 30,
              'x-kubernetes-validations': times(10).map((index) => ({ rule: `self != "${index}"${' && self != "b"'.repeat(800)}` })),
            },
          }),
        ),
      ]),
    request: () => create({ a: 'c' }),
  },
  {
    name: 'the first object of a wide definition',
    before: () => served([version(schemaOf(wide(40_000, text)))]),
    request: () => create({ a: 'c' }),
  },
  {
    name: 'the first apply to a wide definition',
    before: () => served([version(schemaOf(wide(40_000, text)))]),
    request: () => apply({ p1: 'c' }),
  },
  {
    name: 'OpenAPI 3 of a deep and wide definition',
    before: () => served([version(schemaOf(wide(3000, struct({ a: list(struct({ b: text })) }))))]),
    request: () => get(`/openapi/v3/apis/${group}/v1`),
  },
  {
    name: 'explanations: OpenAPI 3 of 40,000 descriptions',
    before: () => served([version(schemaOf(wide(20_000, { type: 'string', description: 'what is said of it', enum: ['a', 'b'] })))]),
    request: () => get(`/openapi/v3/apis/${group}/v1`),
  },
  {
    name: 'a table of 10,000 columns',
    before: () => [
      ...served([
        version(schemaOf({}, preserving), {
          additionalPrinterColumns: times(10_000).map((index) => ({ name: `c${index}`, type: 'string', jsonPath: `.spec.p${index}` })),
        }),
      ]),
      made(wide(10_000, text)),
    ],
    request: () => get(things, table),
  },
  {
    name: 'a watch as a table of 10,000 columns',
    before: () => [
      ...served([
        version(schemaOf({}, preserving), {
          additionalPrinterColumns: times(10_000).map((index) => ({ name: `c${index}`, type: 'string', jsonPath: `.spec.p${index}` })),
        }),
      ]),
      ...times(20).map((index) => sent('POST', things, thing({ p1: 'a' }, { name: `n${index}` }))),
    ],
    request: () => get(`${things}?watch=1&resourceVersion=0&timeoutSeconds=1`, table),
  },
  {
    name: 'columns with long paths',
    request: (size) =>
      sent(
        'POST',
        definitions + dry,
        definition([
          version(schemaOf({}), {
            additionalPrinterColumns: times(5).map((index) => ({ name: `c${index}`, type: 'string', jsonPath: '.a'.repeat(size / 12) })),
          }),
        ]),
      ),
  },
  {
    name: 'columns with many filters',
    request: (size) =>
      sent(
        'POST',
        definitions + dry,
        definition([
          version(schemaOf({}), {
            additionalPrinterColumns: times(5).map((index) => ({
              name: `c${index}`,
              type: 'string',
              jsonPath: '.a[?(@.b=="c")]'.repeat(size / 90),
            })),
          }),
        ]),
      ),
  },
  {
    name: 'columns with many ranges',
    request: (size) =>
      sent(
        'POST',
        definitions + dry,
        definition([
          version(schemaOf({}), {
            additionalPrinterColumns: times(5).map((index) => ({
              name: `c${index}`,
              type: 'string',
              jsonPath: `.a[${'1,'.repeat(size / 12)}1]`,
            })),
          }),
        ]),
      ),
  },
  {
    name: 'a definition of 400 wide versions',
    request: (size) =>
      sent(
        'POST',
        definitions + dry,
        definition(
          times(400 * share(size)).map((index) => ({ ...version(schemaOf(wide(45, text))), name: `v${index + 1}`, storage: index === 0 })),
        ),
      ),
  },
  {
    name: 'a definition of 400 versions with rules',
    request: (size) =>
      sent(
        'POST',
        definitions + dry,
        definition(
          times(400 * share(size)).map((index) => ({
            ...version(
              schemaOf({
                a: {
                  type: 'string',
                  maxLength: 9,
                  'x-kubernetes-validations': times(4).map((at) => ({ rule: `self != "a${index}-${at}"` })),
                },
              }),
            ),
            name: `v${index + 1}`,
            storage: index === 0,
          })),
        ),
      ),
  },
  {
    name: 'a definition of 400 versions, served, then asked for in the last',
    before: () => [
      ...served(times(400).map((index) => ({ ...version(schemaOf(wide(40, text))), name: `v${index + 1}`, storage: index === 0 }))),
      made({ p1: 'a' }),
    ],
    request: () => get(`/apis/${group}/v399/namespaces/default/things/a`),
  },
  {
    name: 'an object merged with as much as it has',
    before: (size) => [...served([version(schemaOf({}, preserving))]), made(fillMap(size / 4, (index) => `k${index}`, 'a', 49_000))],
    request: (size) => merge(fillMap(size / 4, (index) => `k${index}`, 'b', 49_000)),
  },
  {
    name: 'owners of an object, each unlike all others',
    before: () => served([version(schemaOf({}, preserving))]),
    request: (size) =>
      sent(
        'POST',
        things + dry,
        thing(
          {},
          {
            ownerReferences: times(25_000 * share(size)).map((index) => ({
              apiVersion: `g${index}/v1`,
              kind: `K${index}`,
              name: `n${index}`,
              uid: `u${index}`,
            })),
          },
        ),
      ),
  },
  {
    name: 'labels and annotations that are wrong',
    before: () => served([version(schemaOf({}, preserving))]),
    request: (size) =>
      sent(
        'POST',
        things + dry,
        thing(
          {},
          { labels: fillMap(size / 3, (index) => `-${index}/x/y`, '-'), annotations: fillMap(size / 3, (index) => `-${index}/x/y`, '-') },
        ),
      ),
  },
  creation(
    'a list for twenty alternatives',
    schemaOf({ l: list(text, { allOf: times(20).map(() => ({ items: { maxLength: 9 } })) }) }),
    (size) => ({
      l: times(290_000 * share(size)).map(() => 'a'),
    }),
  ),
  creation('enumerations at each of 60 levels', schemaOf({ a: deepSchema(60, { enum: [{}] }) }), (size) => ({
    a: JSON.parse(`${'{"a":'.repeat(60)}{"l":${json(times(100_000 * share(size)).map(() => 'a'))}}${'}'.repeat(60)}`) as unknown,
  })),
  creation('preserved maps, not in order, with half a pair', schemaOf({}, preserving), (size) => ({
    a: mixedMap(48_000 * share(size), '\ud800'),
    b: mixedMap(48_000 * share(size), 1),
    c: mixedMap(48_000 * share(size), 1),
  })),
  creation('preserved maps with fractions', schemaOf({}, preserving), (size) => ({
    a: mixedMap(48_000 * share(size), 1.5),
    b: mixedMap(48_000 * share(size), 1.5),
    c: mixedMap(48_000 * share(size), 1.5),
  })),
  creation(
    'a small object that a large default is for',
    schemaOf({ l: { ...list(text), default: times(45_000).map((index) => `e${index}`) } }),
    () => ({}),
  ),
  {
    name: 'preserved maps in YAML',
    before: () => served([version(schemaOf({}, preserving))]),
    request: (size) =>
      sent(
        'POST',
        things + dry,
        `apiVersion: ${group}/v1\nkind: Thing\nmetadata: {name: a}\nspec:\n${times(50_000 * share(size))
          .map((index) => `  ${mixed(index)}: ${index}\n`)
          .join('')}`,
        'application/yaml',
      ),
  },
  {
    name: 'copies that double, small as the patch is',
    before: () => [...served([version(schemaOf({}, preserving))]), made({ a: times(100).map(() => ({})) })],
    request: () =>
      sent(
        'PATCH',
        `${things}/a${dry}`,
        times(13).map((index) => ({ op: 'copy', from: '/spec', path: `/spec/x${index}` })),
        'application/json-patch+json',
      ),
  },
  {
    name: 'a large object of which managers speak 300 versions, updated',
    before: () => [
      ...served(
        times(300).map((index) => ({ ...version({ type: 'object', ...preserving }), name: `v${index + 1}`, storage: index === 0 })),
      ),
      sent(
        'POST',
        things,
        thing(
          fillMap(400_000, (index) => `k${index}`, 'a', 30_000),
          {
            managedFields: times(300).map((index) => ({
              manager: `m${index}`,
              operation: 'Apply',
              apiVersion: `${group}/v${index + 1}`,
              time: '2026-01-01T00:00:00Z',
              fieldsType: 'FieldsV1',
              fieldsV1: { 'f:spec': { [`f:k${index}`]: {} } },
            })),
          },
        ),
      ),
    ],
    request: () => merge(fillMap(400_000, (index) => `k${index}`, 'b', 30_000)),
  },
  {
    name: 'a large object of which managers speak 300 versions, applied',
    before: () => [
      ...served(
        times(300).map((index) => ({ ...version({ type: 'object', ...preserving }), name: `v${index + 1}`, storage: index === 0 })),
      ),
      sent(
        'POST',
        things,
        thing(
          fillMap(400_000, (index) => `k${index}`, 'a', 30_000),
          {
            managedFields: times(300).map((index) => ({
              manager: `m${index}`,
              operation: 'Apply',
              apiVersion: `${group}/v${index + 1}`,
              time: '2026-01-01T00:00:00Z',
              fieldsType: 'FieldsV1',
              fieldsV1: { 'f:spec': { [`f:k${index}`]: {} } },
            })),
          },
        ),
      ),
    ],
    request: () => apply(fillMap(400_000, (index) => `k${index}`, 'b', 30_000)),
  },
  {
    name: 'ten objects in a version that is not stored',
    before: () => [
      ...served([
        version({ type: 'object', ...preserving }),
        { ...version({ type: 'object', ...preserving }), name: 'v2', storage: false },
      ]),
      ...times(10).map((index) => sent('POST', things, thing(mixedMap(45_000, 1), { name: `n${index}` }))),
    ],
    request: () => get(things.replace('/v1/', '/v2/')),
  },
  {
    name: 'ten objects in a version that is not stored, watched',
    before: () => [
      ...served([
        version({ type: 'object', ...preserving }),
        { ...version({ type: 'object', ...preserving }), name: 'v2', storage: false },
      ]),
      ...times(10).map((index) => sent('POST', things, thing(mixedMap(45_000, 1), { name: `n${index}` }))),
    ],
    request: () => get(`${things.replace('/v1/', '/v2/')}?watch=1&resourceVersion=0&timeoutSeconds=1`),
  },
  {
    name: 'ten objects whose schema has changed, read',
    before: () => [
      ...served([version({ type: 'object', ...preserving })]),
      ...times(10).map((index) => sent('POST', things, thing({ l: times(20_000).map(() => ({})) }, { name: `n${index}` }))),
      sent(
        'PUT',
        `${definitions}/things.${group}`,
        definition([version(schemaOf({ l: list(struct({ a: { type: 'integer', default: 1 }, b: { type: 'string', default: 'c' } })) }))]),
      ),
    ],
    request: () => get(things),
  },
];
