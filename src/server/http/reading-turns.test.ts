import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import * as net from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { test } from 'node:test';
import { ReadingTurns } from './reading-turns.ts';

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
}

/** Connections, both ends of each. */
async function connected<T extends readonly Pair[] = Pair[]>(count: number): Promise<T & AsyncDisposable> {
  const listener = net.createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const pairs: Pair[] = [];
  for (let index = 0; index < count; index++) {
    const client = net.connect((listener.address() as AddressInfo).port, '127.0.0.1');
    const [server] = (await once(listener, 'connection')) as [Socket];
    pairs.push({ client, server });
  }
  return Object.assign(pairs as readonly Pair[] as T, {
    async [Symbol.asyncDispose]() {
      for (const { client, server } of pairs) {
        client.destroy();
        server.destroy();
      }
      await new Promise((resolve) => listener.close(resolve));
    },
  });
}

/** Something goes there and comes back on a connection that takes no part in it, so that what was sent before has arrived. */
async function passTime({ client, server }: Pair): Promise<void> {
  for (let round = 0; round < 5; round++) {
    client.write('there');
    await once(server, 'data');
    server.write('back');
    await once(client, 'data');
  }
}

test('a connection whose turn it is not is not read, and is as soon as its client is known', async () => {
  await using pairs = await connected<[Pair, Pair]>(2);
  const [stranger, other] = pairs;
  const turns = new ReadingTurns(undefined, 0);
  const heard = once(stranger.server, 'data');
  let chunks = 0;
  stranger.server.on('data', () => chunks++);
  turns.add(stranger.server);
  stranger.client.write('hello');
  await passTime(other);
  assert.equal(chunks, 0);
  turns.delete(stranger.server);
  const [bytes] = (await heard) as [Buffer];
  assert.equal(String(bytes), 'hello');
});

test('one that begins to be read by something else waits on for its turn', async () => {
  await using pairs = await connected<[Pair, Pair]>(2);
  const [stranger, other] = pairs;
  const turns = new ReadingTurns(undefined, 0);
  turns.add(stranger.server);
  let chunks = 0;
  stranger.server.on('data', () => chunks++);
  await new Promise(setImmediate);
  turns.renew(stranger.server);
  stranger.client.write('hello');
  await passTime(other);
  assert.equal(chunks, 0);
});

test('every connection gets its turn, new ones and those that have been silent for long', async () => {
  await using pairs = await connected(20);
  const turns = new ReadingTurns(undefined, 1);
  const now = performance.now();
  const heard = pairs.map(({ server }) => once(server, 'data'));
  for (const [index, { server, client }] of pairs.entries()) {
    turns.add(server, index % 2 === 0 ? now : now - 3600_000);
    client.write(`from ${index}`);
  }
  const texts = (await Promise.all(heard)).map(([bytes]) => String(bytes));
  assert.deepEqual(
    texts,
    pairs.map((_, index) => `from ${index}`),
  );
});

test('a turn passes from a connection that closes to one that waits', async () => {
  await using pairs = await connected<[Pair, Pair]>(2);
  const [first, second] = pairs;
  const turns = new ReadingTurns(undefined, 1);
  turns.add(first.server);
  turns.add(second.server);
  const heard = once(second.server, 'data');
  first.server.destroy();
  second.client.write('hello');
  assert.equal(String(((await heard) as [Buffer])[0]), 'hello');
});

/** Connections that are read when it is their turn, after some turns in which none of them has said anything. */
async function silent(pairs: readonly Pair[], heard: (socket: Socket) => void): Promise<ReadingTurns> {
  const turns = new ReadingTurns(undefined, 1);
  for (const { server } of pairs) server.on('data', () => heard(server));
  await new Promise(setImmediate);
  for (const { server } of pairs) turns.add(server);
  for (let turn = 0; turn < 5; turn++) turns.rotate();
  return turns;
}

test('those that wait are read as soon as others turn out to be known', async () => {
  await using pairs = await connected(30);
  let known = 0;
  const turns = await silent(pairs, (socket) => {
    known++;
    turns.known(socket);
  });
  for (const { client } of pairs) client.write('hello');
  while (known < pairs.length) await new Promise(setImmediate);
  assert.equal(known, pairs.length);
});

test('fewer are read at a time when one speaks and is not known', async () => {
  await using pairs = await connected(30);
  let heard = 0;
  const turns = await silent(pairs, () => heard++);
  for (const { client } of pairs) client.write('hello');
  while (heard === 0) await new Promise(setImmediate);
  turns.rotate();
  const before = heard;
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  // The timer may have rotated in between.
  assert.ok(heard - before <= 3, `${heard - before} more were read`);
});

test('one that has said much and not who it is gets every eighth turn', () => {
  const turns = new ReadingTurns(undefined, 1);
  const reads = { loud: 0, quiet: 0 };
  const connection = (name: keyof typeof reads) => {
    const handle = { readStart: () => reads[name]++, readStop() {} };
    return Object.assign(new EventEmitter(), { bytesRead: 0, destroyed: false, _handle: handle });
  };
  const [loud, quiet] = [connection('loud'), connection('quiet')];
  const now = performance.now();
  for (const socket of [loud, quiet]) turns.add(socket as EventEmitter as Socket, now);
  loud.bytesRead = 100 << 10;
  for (let turn = 0; turn < 80; turn++) {
    // Both speak whenever they may: nothing is gained by silence.
    loud.bytesRead++;
    quiet.bytesRead++;
    turns.rotate(now);
  }
  assert.deepEqual(reads, { loud: 10, quiet: 70 });
});
