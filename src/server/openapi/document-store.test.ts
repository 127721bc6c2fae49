import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DocumentSource } from './document-store.ts';
import { DocumentStore } from './document-store.ts';

class CountingSource implements DocumentSource {
  readonly names = ['a', 'b', 'c'];
  generation = 0;
  made = 0;

  generationOf(): number {
    return this.generation;
  }

  json(name: string): Promise<Buffer> {
    this.made++;
    return Promise.resolve(Buffer.from(`${name}${this.generation}`.repeat(10)));
  }

  protobuf(name: string): Promise<Buffer> {
    return this.json(name);
  }
}

const now = (): Date => new Date(0);

test('a document is made once for all who ask at the same time', async () => {
  const source = new CountingSource();
  const store = new DocumentStore([source], 1000, now);
  await Promise.all([store.bytes('a', 'json'), store.bytes('a', 'json'), store.hash('a')]);
  assert.equal(source.made, 1);
});

test('bytes stay within the budget, hashes stay', async () => {
  const source = new CountingSource();
  const store = new DocumentStore([source], 40, now);
  for (const name of source.names) await store.hash(name);
  await store.hash('a');
  assert.equal(source.made, 3);
  await store.bytes('c', 'json');
  assert.equal(source.made, 3, 'the last two fit');
  await store.bytes('a', 'json');
  assert.equal(source.made, 4, 'the first one did not');
});

test('a source that changed is asked again', async () => {
  const source = new CountingSource();
  const store = new DocumentStore([source], 1000, now);
  const before = await store.hash('a');
  source.generation++;
  assert.notEqual((await store.hash('a'))?.text, before?.text);
  assert.equal(await store.hash('nope'), undefined);
});
