import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSchema } from '../../../schema/index.ts';
import type { StructType } from '../../type-model.ts';
import { DecodeError } from '../decode-error.ts';
import { createProtobufCodec } from './index.ts';

/** More with WHEELHOUSE_FUZZ_RUNS; the default takes about a second. */
const runs = Number(process.env['WHEELHOUSE_FUZZ_RUNS'] ?? 20_000);

const schema = createSchema();
const codec = createProtobufCodec();
const seeds: readonly (readonly [group: string, version: string, kind: string, object: object])[] = [
  [
    '',
    'v1',
    'Pod',
    {
      metadata: {
        name: 'p',
        labels: { a: 'b' },
        creationTimestamp: '2026-01-02T03:04:05Z',
        managedFields: [{ manager: 'm', fieldsV1: { 'f:a': {} } }],
      },
      spec: {
        containers: [
          {
            name: 'c',
            ports: [{ containerPort: 80 }],
            resources: { limits: { cpu: '1500m' } },
            livenessProbe: { tcpSocket: { port: 'x' } },
          },
        ],
        securityContext: { supplementalGroups: [1, 2] },
      },
    },
  ],
  ['', 'v1', 'Secret', { metadata: { name: 's' }, data: { a: 'AQID' }, stringData: { b: 'c' } }],
  [
    'apiextensions.k8s.io',
    'v1',
    'CustomResourceDefinition',
    {
      spec: {
        versions: [
          { name: 'v1', schema: { openAPIV3Schema: { items: [{}], additionalProperties: { default: [1] }, dependencies: { a: ['b'] } } } },
        ],
      },
    },
  ],
  ['coordination.k8s.io', 'v1', 'Lease', { spec: { renewTime: '2026-01-02T03:04:05.000006Z' } }],
  ['authorization.k8s.io', 'v1', 'SubjectAccessReview', { spec: { extra: { a: ['1', '2'] } } }],
];

/** The same numbers in every run, so that a failure comes back. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 0x100000000) * below);
  };
}

function mutate(bytes: Buffer, pick: (below: number) => number): Buffer {
  const out = Buffer.from(bytes);
  for (let n = pick(3); n >= 0; n--) {
    if (out.length === 0) break;
    out[pick(out.length)] = pick(3) === 0 ? 0xff : pick(256);
  }
  return pick(4) === 0 ? out.subarray(0, pick(out.length + 1)) : out;
}

test('damaged messages give an object that can be written again, or a decode error, quickly', () => {
  const pick = numbers(20260102);
  const originals = seeds.map(([group, version, kind, object]) => {
    const type = schema.typeOf({ group, version, kind });
    assert.ok(type);
    return [type, codec.encode(object, type)] as const satisfies readonly [StructType, Buffer];
  });
  let accepted = 0;
  for (let run = 0; run < runs; run++) {
    const [type, bytes] = originals[run % originals.length] as (typeof originals)[number];
    const input = run % 10 === 0 ? Buffer.from(Array.from({ length: pick(40) }, () => pick(256))) : mutate(bytes, pick);
    let object: Record<string, unknown> | undefined;
    try {
      object = codec.decode(input, type);
    } catch (error) {
      assert.ok(error instanceof DecodeError, `${type.name} ${input.toString('hex')}: ${String(error)}`);
    }
    if (object === undefined) continue;
    accepted++;
    const again = codec.encode(object, type);
    assert.deepEqual(codec.encode(codec.decode(again, type), type), again, `${type.name} ${input.toString('hex')}`);
  }
  assert.ok(accepted > runs / 50, `${accepted} of ${runs} accepted`);
});
