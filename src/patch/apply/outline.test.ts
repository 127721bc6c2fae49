import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSchema } from '../../schema/index.ts';
import { FieldManager } from '../field-manager.ts';
import type { JsonObject } from '../json/json-object.ts';
import { Shapes } from './shape.ts';

const schema = createSchema();
const shapes = new Shapes();

/** Numbers that look random and are the same each time. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor((state / 2147483648) * below);
  };
}

function pod(): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'a',
      labels: { app: 'x', tier: 'y' },
      annotations: { note: '1' },
      finalizers: ['one/a', 'two/b'],
      creationTimestamp: null,
    },
    spec: {
      containers: [
        { name: 'main', image: 'i', env: [{ name: 'A', value: '1' }, { name: 'B' }], ports: [{ containerPort: 80 }], resources: {} },
        { name: 'other', image: 'i', args: ['a', 'b'], resources: { limits: { cpu: '1' } } },
      ],
      volumes: [{ name: 'v', emptyDir: {} }],
      tolerations: [{ key: 'k' }],
      securityContext: {},
      hostAliases: [{ ip: '10.0.0.1', hostnames: ['h'] }],
    },
    status: {},
  };
}

type Place = { readonly holder: JsonObject | unknown[]; readonly name: string };

function* placesIn(holder: unknown): Generator<Place> {
  if (typeof holder !== 'object' || holder === null) return;
  for (const name of Object.keys(holder)) {
    yield { holder: holder as JsonObject, name };
    yield* placesIn((holder as JsonObject)[name]);
  }
}

const standIns: readonly unknown[] = ['b', '', null, [], {}, 7, undefined];

/** Changes a value, takes it away, or has it twice. */
function vary(object: JsonObject, random: (below: number) => number): void {
  const places = [...placesIn(object)].filter(({ name }) => name !== 'metadata');
  const { holder, name } = places[random(places.length)] as Place;
  if (Array.isArray(holder)) {
    if (random(2) === 0) holder.splice(Number(name), 1);
    else holder.push(structuredClone(holder[Number(name)]));
  } else if (random(2) === 0) delete holder[name];
  else if (typeof holder[name] === 'string') holder[name] = `${String(holder[name])}${random(3)}`;
  else holder[name] = standIns[random(standIns.length)];
}

/** What the manager of a new object owns, or why that cannot be said. */
function owned(manager: FieldManager, object: JsonObject): unknown {
  try {
    manager.update({ live: undefined, next: object, manager: 'm', now: '2024-01-02T00:00:00Z' });
    return (object['metadata'] as JsonObject)['managedFields'];
  } catch (error) {
    return String(error);
  }
}

for (const unstructured of [false, true]) {
  test(`creates own what they would without another before them${unstructured ? ', unstructured' : ''}`, () => {
    const gvk = { group: '', version: 'v1', kind: 'Pod' };
    const make = (): FieldManager => new FieldManager({ shapes, gvk, type: schema.typeOf(gvk), unstructured, report: () => {} });
    const random = numbers(unstructured ? 5 : 3);
    const manager = make();
    const known = new Set<unknown>();
    let alike = 0;
    for (let round = 0; round < 4_000; round++) {
      const object = pod();
      for (let changes = random(3); changes > 0; changes--) vary(object, random);
      const expected = owned(make(), structuredClone(object));
      const found = owned(manager, object);
      assert.deepEqual(found, expected, JSON.stringify(object));
      assert.equal(JSON.stringify(found), JSON.stringify(expected));
      if (!Array.isArray(found)) continue;
      const { fieldsV1 } = found[0] as JsonObject;
      if (known.has(fieldsV1)) alike++;
      else known.add(fieldsV1);
    }
    assert.ok(alike > 500, `${alike} had a set that was made before`);
  });
}
