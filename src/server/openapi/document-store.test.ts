import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { CustomKind } from '../../openapi/custom-kind.ts';
import { noDescriptions } from '../../openapi/descriptions.ts';
import { layoutV2 } from '../../openapi/document-layout.ts';
import { createSchema } from '../../schema/index.ts';
import { AggregatedSource } from './aggregated-source.ts';
import { BuiltInSource } from './built-in-source.ts';
import { CustomSource } from './custom-source.ts';
import type { Bytes } from './document.ts';
import type { DocumentContent, DocumentSource } from './document-source.ts';
import { PartWriter } from './document-source.ts';
import { DocumentStore } from './document-store.ts';
import type { Slices } from '../../base/slices.ts';
import { WholeSource } from './whole-source.ts';

const layout = layoutV2({ title: 'T', version: '1' });

/** Documents of two parts, of which the second changes. */
class CountingSource implements DocumentSource {
  readonly names = ['a', 'b', 'c'];
  generation = 0;
  made = 0;
  written = 0;

  has(name: string): boolean {
    return this.names.includes(name);
  }

  generationOf(): number {
    return this.generation;
  }

  async make(name: string, previous: DocumentContent | undefined, slices: Slices): Promise<DocumentContent> {
    this.made++;
    const { generation } = this;
    const writer = new PartWriter('v2', previous, slices);
    for (const owner of ['first', `second ${generation}`]) {
      await writer.write(owner, () => {
        this.written++;
        return [{ paths: { [`/${name}/${owner}`]: { text: 'x'.repeat(1000) } } }];
      });
    }
    return { generation, layout, tables: writer.tables(), parts: writer.parts };
  }
}

const now = (): Date => new Date(0);

function whole({ blocks, length }: Bytes): Buffer {
  const bytes = Buffer.concat(blocks.flat());
  assert.equal(bytes.length, length);
  return bytes;
}

async function made(store: DocumentStore, name: string): Promise<Awaited<ReturnType<DocumentStore['document']>> & object> {
  const found = await store.document(name);
  assert.ok(found);
  return found;
}

test('a document is made once for all who ask at the same time', async () => {
  const source = new CountingSource();
  const store = new DocumentStore([source], 100_000, now);
  const [one, other] = await Promise.all([made(store, 'a'), made(store, 'a'), store.version('a')]);
  assert.equal(source.made, 1);
  assert.equal(one.document, other.document);
  assert.equal(one.document.gzip('json'), other.document.gzip('json'));
});

test('documents stay within the budget, the last one and all hashes stay', async () => {
  const source = new CountingSource();
  const store = new DocumentStore([source], 5000, now);
  for (const name of source.names) await store.version(name);
  await store.version('a');
  assert.equal(source.made, 3);
  await store.document('c');
  assert.equal(source.made, 3, 'the last two fit');
  await store.document('a');
  assert.equal(source.made, 4, 'the first one did not');
  const small = new DocumentStore([source], 0, now);
  await small.document('a');
  await small.document('a');
  assert.equal(source.made, 5, 'one is kept whatever its size');
});

test('of a document that changed only the parts that changed are written again', async () => {
  const source = new CountingSource();
  const store = new DocumentStore([source], 100_000, now);
  const before = await store.version('a');
  assert.equal(source.written, 2);
  source.generation++;
  const after = await store.version('a');
  assert.notEqual(after?.hash, before?.hash);
  assert.equal(source.written, 3);
  assert.equal(await store.version('nope'), undefined);
});

function kind(index: number, properties: object = {}): CustomKind {
  const names = { plural: `things${index}`, kind: `Thing${index}`, listKind: `Thing${index}List` };
  const schema = { type: 'object', properties: { spec: { type: 'object', properties } } };
  return { group: 'example.com', version: 'v1', ...names, namespaced: true, status: true, scale: false, schema };
}

function sources(): { builtIn: BuiltInSource; custom: CustomSource } {
  const builtIn = new BuiltInSource({
    schema: createSchema(),
    served: [],
    info: { title: 'Kubernetes', version: '1.37' },
    cbor: false,
    enums: true,
    descriptions: () => Promise.resolve(noDescriptions),
  });
  return { builtIn, custom: new CustomSource(builtIn) };
}

test('hash and compressed form are those of the bytes, also when parts were taken over', async () => {
  const { builtIn, custom } = sources();
  const store = new DocumentStore([new WholeSource(builtIn, custom, new AggregatedSource())], 0, now);
  for (const changed of [{}, { a: { type: 'string', pattern: '<&>' } }, { b: { type: 'integer' } }]) {
    custom.publishGroup('example.com', [...Array.from({ length: 60 }, (_, index) => kind(index)), kind(99, changed)]);
    const { document } = await made(store, 'v2');
    const json = whole(await document.plain('json'));
    assert.equal(document.hash, createHash('sha512').update(json).digest('hex').toUpperCase());
    assert.deepEqual(Object.keys((JSON.parse(json.toString()) as { paths: object }).paths).length, 61 * 4 + 5);
    for (const encoding of ['json', 'protobuf'] as const) {
      const plain = whole(await document.plain(encoding));
      assert.ok(gunzipSync(whole(await document.gzip(encoding))).equals(plain));
    }
  }
});

test('a kind that is published again as it is changes nothing', () => {
  const { custom } = sources();
  custom.publishGroup('example.com', [kind(1), kind(2)]);
  const { generation } = custom;
  custom.publishGroup('example.com', [kind(1), kind(2)]);
  assert.equal(custom.generation, generation);
  custom.publishGroup('example.com', [kind(1), kind(2, { a: { type: 'string' } })]);
  assert.equal(custom.generation, generation + 1);
});

test('a large document is made in slices that let others through', async () => {
  const { builtIn, custom } = sources();
  await builtIn.documents();
  const properties = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`field${index}`, { type: 'string', maxLength: 10 }]));
  custom.publishGroup(
    'example.com',
    Array.from({ length: 400 }, (_, index) => kind(index, properties)),
  );
  let turns = 0;
  let isMade = false;
  const count = (): void => {
    turns++;
    if (!isMade) setImmediate(count);
  };
  const making = made(new DocumentStore([new WholeSource(builtIn, custom, new AggregatedSource())], 0, now), 'v2');
  setImmediate(count);
  await making;
  isMade = true;
  assert.ok(turns > 3, `${turns} turns for others`);
});
