/**
 * Feeds every codec wrecked documents: `node test/fuzz/codecs.ts [count] [seed]`, a million inputs by default.
 *
 * For each input a codec either reads an object, which then survives writing and reading, or throws its own error. It never
 * throws anything else, never takes longer than a second for an input, and never lets memory grow.
 */
import assert from 'node:assert/strict';
import { createCborCodec } from '../../src/machinery/codec/cbor/codec.ts';
import { DecodeError } from '../../src/machinery/codec/decode-error.ts';
import { createJsonCodec } from '../../src/machinery/codec/json/codec.ts';
import { createProtobufCodec, decodeEnvelope } from '../../src/machinery/codec/protobuf/index.ts';
import { createYamlCodec } from '../../src/machinery/codec/yaml/codec.ts';
import type { StructType } from '../../src/machinery/type-model.ts';
import { createSchema } from '../../src/schema/index.ts';
import type { Format } from './mutations.ts';
import { mutate } from './mutations.ts';
import { Random } from './random.ts';
import type { Seed } from './seeds.ts';
import { seeds } from './seeds.ts';

const millisecondsPerInput = 1000;
const heapLimit = 400 * 1024 * 1024;

type Value = Record<string, unknown>;

interface Target {
  readonly name: string;
  readonly format: Format;
  readonly encode: (object: Value, type: StructType) => Buffer;
  readonly decode: (bytes: Buffer, type: StructType) => Value;
}

const schema = createSchema();
const json = createJsonCodec();
const yaml = createYamlCodec(json);
const cbor = createCborCodec(json);
const protobuf = createProtobufCodec();

const targets: readonly Target[] = [
  { name: 'JSON', format: 'json', encode: json.encodeBuffer, decode: (bytes, type) => json.decode(bytes, type, 'strict').object },
  {
    name: 'JSON, untyped',
    format: 'json',
    encode: (object) => Buffer.from(json.encodeUnstructured(object)),
    decode: (bytes) => json.decodeUnstructured(bytes, 'strict').object,
  },
  {
    name: 'YAML',
    format: 'yaml',
    encode: (object, type) => Buffer.from(yaml.encode(object, type)),
    decode: (bytes, type) => yaml.decode(bytes, type, 'strict').object,
  },
  {
    name: 'CBOR',
    format: 'cbor',
    encode: (object, type) => cbor.encode(object, type),
    decode: (bytes, type) => cbor.decode(bytes, type, 'strict').object,
  },
  {
    name: 'CBOR, untyped',
    format: 'cbor',
    encode: (object) => cbor.encodeUnstructured(object),
    decode: (bytes) => cbor.decodeUnstructured(bytes).object,
  },
  {
    name: 'protobuf',
    format: 'protobuf',
    encode: (object, type) => protobuf.encodeEnveloped(object, type, { kind: 'K', apiVersion: 'v1' }),
    decode: (bytes, type) => {
      const { raw, typeMeta } = decodeEnvelope(bytes);
      return protobuf.decode(raw, type, typeMeta);
    },
  },
];

const [count = 1_000_000, seed = 1] = process.argv.slice(2).map(Number);
const documents = targets.map((target) =>
  seeds.map((entry) => ({ type: typeOf(entry), bytes: target.encode(entry.object, typeOf(entry)) })),
);
const tallies = targets.map(({ name }) => ({ name, inputs: 0, accepted: 0, slowest: 0 }));
const random = new Random(seed);
const started = performance.now();

for (let index = 0; index < count; index++) {
  const at = index % targets.length;
  const { type, bytes } = random.pick(documents[at]!);
  feed(at, mutate(bytes, targets[at]!.format, random), type);
  if (index % 50_000 === 0) checkMemory();
}

checkMemory();
console.table(tallies);
console.log(`${count} inputs, seed ${seed}, ${((performance.now() - started) / 1000).toFixed(1)} s`);

function feed(at: number, input: Buffer, type: StructType): void {
  const [target, tally] = [targets[at]!, tallies[at]!];
  const start = performance.now();
  const accepted = survives(target, input, type);
  const took = performance.now() - start;
  tally.inputs++;
  if (accepted) tally.accepted++;
  tally.slowest = Math.max(tally.slowest, Math.round(took));
  assert.ok(took < millisecondsPerInput, `${target.name} took ${took} ms for ${describe(input)}`);
}

function survives(target: Target, input: Buffer, type: StructType): boolean {
  let object: Value;
  try {
    object = target.decode(input, type);
  } catch (error) {
    if (error instanceof DecodeError) return false;
    throw new Error(`${target.name} (${type.name}): ${describe(input)}`, { cause: error });
  }
  try {
    const again = (bytes: Buffer): Buffer => target.encode(target.decode(bytes, type), type);
    // upstream's variants need two rounds to settle: what holds nothing is written as null, and null is read as absent
    const settled = again(target.encode(object, type));
    assert.ok(settled.equals(again(settled)), 'what was written reads differently');
  } catch (error) {
    throw new Error(`${target.name} (${type.name}) cannot read what it wrote for ${describe(input)}`, { cause: error });
  }
  return true;
}

function checkMemory(): void {
  const { heapUsed } = process.memoryUsage();
  assert.ok(heapUsed < heapLimit, `the heap has grown to ${heapUsed} bytes`);
}

function describe(input: Buffer): string {
  return input.length > 4000 ? `${input.length} bytes starting with ${input.toString('hex', 0, 400)}` : input.toString('hex');
}

function typeOf(entry: Seed): StructType {
  const type = schema.typeOf(entry);
  assert.ok(type, entry.kind);
  return type;
}
