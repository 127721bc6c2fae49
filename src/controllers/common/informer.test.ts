import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { systemClock } from '../../base/clock.ts';
import { silentLogger } from '../../base/log.ts';
import type { KubeObject } from '../../server/registry/definition.ts';
import type { Client, WatchEvent } from './client.ts';
import { Informer } from './informer.ts';
import { until } from '../../../test/support/eventually.ts';

interface Source {
  lists: KubeObject[][];
  watches: WatchEvent[][];
  readonly asked: string[];
}

const named = (name: string, resourceVersion: string, uid = name): KubeObject => ({ metadata: { name, uid, resourceVersion } });

/** Lists and watches that are known beforehand; the last watch stays open. */
function play(source: Source): Client {
  const refuse = (): Promise<never> => Promise.reject(new Error('informers only read'));
  return {
    create: refuse,
    update: refuse,
    patch: refuse,
    apply: refuse,
    delete: refuse,
    async get(path) {
      source.asked.push(`list ${path}`);
      return { metadata: { resourceVersion: '10' }, items: source.lists.shift() ?? [] };
    },
    async *watch(_path, { resourceVersion, signal }) {
      source.asked.push(`watch ${resourceVersion}`);
      const events = source.watches.shift();
      if (events !== undefined) yield* events;
      else await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    },
  };
}

function listen(informer: Informer): { heard: string[]; subscription: Disposable } {
  const heard: string[] = [];
  const subscription = informer.subscribe({
    changed: ({ metadata }, old) =>
      heard.push(old === undefined ? `+${metadata.name}` : `${old.metadata.resourceVersion}>${metadata.resourceVersion}`),
    deleted: ({ metadata }) => heard.push(`-${metadata.name}`),
  });
  return { heard, subscription };
}

function informerOf(source: Source): Informer {
  return new Informer({ client: play(source), path: '/things', clock: systemClock, log: silentLogger });
}

describe('Informer', () => {
  test('asks for a long list page by page, and knows what is gone when it has the last one', async () => {
    const source: Source = {
      lists: [[named('a', '1'), named('b', '2')], [named('c', '3')], [named('a', '4')], [named('c', '3')]],
      watches: [[]],
      asked: [],
    };
    const pages = play(source);
    const client: Client = {
      ...pages,
      async get(path) {
        const list = (await pages.get(path)) as object;
        return path.includes('continue') ? list : { ...list, metadata: { resourceVersion: '10', continue: 'here' } };
      },
      // The first watch ends with an error, so that everything is listed again.
      async *watch(path, options) {
        if (source.watches.shift() === undefined) yield* pages.watch(path, options);
        else yield { type: 'ERROR', object: named('', '') };
      },
    };
    const informer = new Informer({ client, path: '/things', clock: systemClock, log: silentLogger });
    const { heard, subscription } = listen(informer);
    using _stop = subscription;
    await until('the second list', () => heard.length === 6);
    assert.deepEqual(heard, ['+a', '+b', '+c', '1>4', '3>3', '-b']);
    const round = ['list /things?limit=250', 'list /things?limit=250&continue=here'];
    assert.deepEqual(source.asked.slice(0, 4), [...round, ...round]);
  });

  test('tells of what is there, of every change, and goes on from where a watch ended', async () => {
    const source: Source = {
      lists: [[named('a', '1')]],
      watches: [
        [
          { type: 'ADDED', object: named('b', '11') },
          { type: 'MODIFIED', object: named('a', '12') },
        ],
        [{ type: 'DELETED', object: named('b', '13') }],
      ],
      asked: [],
    };
    const informer = informerOf(source);
    const { heard, subscription } = listen(informer);
    await informer.synced;
    await until('the source is asked 4 times', () => source.asked.length === 4);
    assert.deepEqual(heard, ['+a', '+b', '1>12', '-b']);
    assert.deepEqual(source.asked, ['list /things?limit=250', 'watch 10', 'watch 12', 'watch 13']);
    assert.deepEqual(
      [...informer.values()].map(({ metadata }) => metadata.name),
      ['a'],
    );
    subscription[Symbol.dispose]();
    await informer.stopped;
  });

  test('lists again after an error, and tells of everything that is there and of what is gone', async () => {
    const source: Source = {
      lists: [
        [named('same', '1'), named('changed', '2'), named('gone', '3'), named('new', '4', 'first')],
        [named('same', '1'), named('changed', '6'), named('new', '7', 'second')],
      ],
      watches: [[{ type: 'ERROR', object: named('', '') }]],
      asked: [],
    };
    const informer = informerOf(source);
    const { heard, subscription } = listen(informer);
    await until('the source is asked 4 times', () => source.asked.length === 4);
    assert.deepEqual(heard.slice(4), ['1>1', '2>6', '-new', '+new', '-gone']);
    subscription[Symbol.dispose]();
    await informer.stopped;
  });

  test('has one watch for all who listen, and none when nobody does', async () => {
    const source: Source = { lists: [[named('a', '1')], [named('a', '1')]], watches: [], asked: [] };
    const informer = informerOf(source);
    const first = listen(informer);
    await until('the source is asked 2 times', () => source.asked.length === 2);
    const second = listen(informer);
    assert.deepEqual(second.heard, ['+a'], 'who comes late hears of everything too');
    first.subscription[Symbol.dispose]();
    assert.equal(informer.get('', 'a')?.metadata.uid, 'a');
    second.subscription[Symbol.dispose]();
    await informer.stopped;
    assert.equal(informer.get('', 'a'), undefined);
    assert.equal(source.asked.length, 2);
    const third = listen(informer);
    await until('the source is asked 4 times', () => source.asked.length === 4);
    assert.deepEqual(third.heard, ['+a']);
    third.subscription[Symbol.dispose]();
    await informer.stopped;
  });
});
