import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Operation } from '../../storage.ts';
import type { StorageFactory } from './fixture.ts';
import { Fixture, until } from './fixture.ts';

const entries = 100_000;
const namespaces = 1_000;
/** etcd takes 128 operations in a transaction */
const perTransaction = 100;

export function scaleBehaviour(name: string, createStorage: StorageFactory): void {
  describe(`watch cache over ${name}: many`, () => {
    test('100,000 entries: complete, a namespace has its own, a watch gets all', async () => {
      await using fixture = await Fixture.create(createStorage);
      for (let start = 0; start < entries; start += perTransaction) {
        const operations = Array.from({ length: perTransaction }, (_, i): Operation => {
          const number = start + i;
          const key = fixture.key(`ns${number % namespaces}/${number}`);
          return { type: 'put', key, value: Buffer.from(JSON.stringify({ node: `n${number % 500}` })) };
        });
        await fixture.storage.inner.transact(operations);
      }
      await fixture.fresh();
      assert.equal(fixture.cache.list({ prefix: fixture.prefix }).total, entries);
      assert.equal(fixture.names().length, entries);

      const { items, total } = fixture.cache.list({ prefix: fixture.key('ns7/') });
      assert.equal(total, entries / namespaces);
      assert.equal([...items].length, entries / namespaces);
      assert.equal(fixture.names({ fieldEquals: { 'spec.nodeName': 'n8' } }).length, entries / 500);

      const sink = fixture.watch({ from: 'any' });
      await fixture.put('ns0/0', { text: 'changed' });
      await until(() => sink.events.length >= entries + 1, 'all events');
      assert.equal(new Set(sink.log.slice(0, entries)).size, entries);
    });

    test('5,000 watches of one object each: an event calls the one it concerns', async () => {
      await using fixture = await Fixture.create(createStorage);
      await fixture.cache.ready();
      let asked = 0;
      const sinks = Array.from({ length: 5_000 }, (_, i) =>
        fixture.watch({
          prefix: fixture.key('ns/'),
          fieldEquals: { 'metadata.name': `o${i}` },
          matches: (item) => {
            asked++;
            return item.fields['metadata.name'] === `o${i}`;
          },
        }),
      );
      await until(() => fixture.cache.stats.watchers === 5_000, 'the watchers');
      await fixture.put('ns/o1234');
      await until(() => sinks[1_234]!.log.length === 1, 'the event');
      assert.equal(asked, 1);
      assert.equal(
        sinks.reduce((sum, sink) => sum + sink.log.length, 0),
        1,
      );
    });
  });
}
