import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { createCborCodec } from '../cbor/codec.ts';
import { DecodeError } from '../decode-error.ts';
import { createYamlCodec } from '../yaml/codec.ts';
import { createJsonCodec } from './codec.ts';
import { depthLimit } from './depth.ts';

const json = createJsonCodec();
const yaml = createYamlCodec(json);
const cbor = createCborCodec(json);

function nested(depth: number): string {
  return '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);
}

/** What refuses a document that is deeper than the process' stack can take, and the words for it. */
const refusals: readonly (readonly [format: string, decode: () => unknown, message: RegExp])[] = [
  ['JSON', () => json.decodeUnstructured(nested(9_000), 'strict'), /^invalid character '\{' exceeded max depth$/],
  ['YAML', () => yaml.decodeUnstructured(Buffer.from(nested(9_000)), 'strict'), /exceeded max depth of 10000$/],
  [
    'CBOR',
    () => cbor.decodeUnstructured(Buffer.concat([Buffer.from('d9d9f7', 'hex'), Buffer.alloc(9_000, 0x81), Buffer.of(1)])),
    /exceeded max nested level 10000$/,
  ],
];

for (const [format, decode, message] of refusals) {
  test(`${format} that is deeper than this stack can take is refused, not followed`, () => {
    assert.throws(decode, (error) => error instanceof DecodeError && message.test(error.message));
  });
}

test('depthLimit() is what was wanted where the stack has room', () => {
  assert.equal(depthLimit(300), 300);
});

test('with a large stack documents may have 10,000 levels and no more', async () => {
  const modules = new URL('.', import.meta.url).href;
  const source = `
    Promise.all([import('${modules}codec.ts'), import('${modules}../yaml/codec.ts')]).then(([{ createJsonCodec }, { createYamlCodec }]) => {
      const json = createJsonCodec();
      const yaml = createYamlCodec(json);
      const nested = (depth) => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);
      const refusal = (decode) => { try { decode(); return 'none'; } catch (error) { return error.message; } };
      const text = nested(10_000);
      require('node:worker_threads').parentPort.postMessage({
        json: json.encodeUnstructured(json.decodeUnstructured(text, 'strict').object) === text,
        yaml: json.encodeUnstructured(yaml.decodeUnstructured(Buffer.from(text), 'strict').object) === text,
        deeper: refusal(() => json.decodeUnstructured(nested(10_001), 'strict')),
      });
    });`;
  const worker = new Worker(source, { eval: true, resourceLimits: { stackSizeMb: 48 } });
  try {
    const [answer] = await once(worker, 'message');
    assert.deepEqual(answer, { json: true, yaml: true, deeper: "invalid character '{' exceeded max depth" });
  } finally {
    await worker.terminate();
  }
});
