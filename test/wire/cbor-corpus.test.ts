/**
 * Upstream's fuzzing corpus for CBOR: what its decoder takes for a custom resource we take, with the same value, and nothing else.
 * An input counts as taken when it decodes to an object that says its kind and version.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createCborCodec } from '../../src/machinery/codec/cbor/codec.ts';
import { DecodeError } from '../../src/machinery/codec/decode-error.ts';
import { createJsonCodec } from '../../src/machinery/codec/json/codec.ts';
import { moduleDirectories } from './module-directories.ts';

/** What upstream's serializer made of the inputs it accepted, by file name. It refused all others. */
const accepted: ReadonlyMap<string, string> = new Map([
  ['3d5db21dd8bb9b1a', '{"":{},"apiVersion":"0","kind":"0"}'],
  ['567b2730a37d1fc4', '{"":"00000","apiVersion":"0","kind":"0"}'],
  ['6058ed3f957daa0a', '{"":[],"apiVersion":"0","kind":"0"}'],
  ['7f42f249805c3b02', '{"":[],"apiVersion":"0","kind":"0"}'],
  ['839bd509b0b1e0ff', '{"apiVersion":"0","kind":"0"}'],
  ['878129fd4da9f745', '{"apiVersion":"0","kind":"0"}'],
  ['8d5811082ee0fbea', '{"apiVersion":"0","kind":"0"}'],
  ['a00d838d374e42e4', '{"":6.409690556097303e-10,"apiVersion":"0","kind":"0"}'],
  ['a2294c73fbac76d4', '{"":1.398043286095289e-76,"apiVersion":"0","kind":"0"}'],
  ['b0b0dcc02128bfea', '{"":[0.130859375],"apiVersion":"0","kind":"0"}'],
  ['b436f2f7b0101c0e', '{"":[[]],"apiVersion":"0","kind":"0"}'],
  ['c267443f2d089f0d', '{"":-17,"apiVersion":"0","kind":"0"}'],
  ['dbf270c8c2cbe97d', '{"":"","apiVersion":"0","kind":"0"}'],
  ['e0253e58c1278db5', '{"":[-17],"apiVersion":"0","kind":"0"}'],
  ['ef9bda9e87adbdf6', '{"":{"0":-49},"apiVersion":"0","kind":"0"}'],
  ['fd5e7e7c4db744a8', '{"apiVersion":"0","kind":"0"}'],
]);

const json = createJsonCodec();
const cbor = createCborCodec(json);

test('every input of the corpus is taken or refused as upstream does', () => {
  const folder = join(moduleDirectories()['k8s.io/kubernetes'], 'test/fuzz/cbor/testdata/fuzz/FuzzDecodeAllocations');
  const files = readdirSync(folder);
  assert.equal(files.length, 1473);
  for (const file of files) {
    assert.equal(decode(inputOf(readFileSync(join(folder, file), 'utf8'))), accepted.get(file), file);
  }
});

function decode(bytes: Buffer): string | undefined {
  try {
    const { object } = cbor.decodeUnstructured(bytes);
    return isNamed(object['kind']) && isVersion(object['apiVersion']) ? json.encodeUnstructured(object) : undefined;
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}

function isNamed(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isVersion(value: unknown): boolean {
  return typeof value === 'string' && /^(?:[^/]*\/)?[^/]+$/.test(value);
}

/** The second line of a corpus file is a Go expression: `[]byte("\xa2...")`. */
function inputOf(file: string): Buffer {
  const [, literal = ''] = /\[\]byte\((".*")\)/.exec(file) ?? [];
  const short: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 };
  const pieces: Buffer[] = [];
  for (const [, hex, short4, long8, escape, plain] of literal
    .slice(1, -1)
    .matchAll(/\\x([0-9a-f]{2})|\\(?:u([0-9a-f]{4})|U([0-9a-f]{8}))|\\(.)|([^\\]+)/g)) {
    const unicode = short4 ?? long8;
    if (hex !== undefined) pieces.push(Buffer.from(hex, 'hex'));
    else if (unicode !== undefined) pieces.push(Buffer.from(String.fromCodePoint(Number.parseInt(unicode, 16))));
    else if (escape !== undefined) pieces.push(Buffer.from([short[escape] ?? 0]));
    else pieces.push(Buffer.from(plain ?? ''));
  }
  return Buffer.concat(pieces);
}
