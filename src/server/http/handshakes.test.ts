import assert from 'node:assert/strict';
import { once } from 'node:events';
import * as net from 'node:net';
import { test } from 'node:test';
import { Handshakes } from './handshakes.ts';

interface Door extends AsyncDisposable {
  readonly handshakes: Handshakes;
  readonly begun: net.Socket[];
  readonly ended: string[];
  connect(text?: string): Promise<net.Socket>;
}

async function open(begin: (socket: net.Socket) => void = () => {}): Promise<Door> {
  const begun: net.Socket[] = [];
  const ended: string[] = [];
  const handshakes = new Handshakes(
    (socket) => {
      begun.push(socket);
      begin(socket);
    },
    (reason) => ended.push(reason),
    () => true,
    { silent: 2, shaking: 2 },
  );
  const server = net.createServer((socket) => {
    socket.on('error', () => {});
    handshakes.add(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const clients: net.Socket[] = [];
  return {
    handshakes,
    begun,
    ended,
    async connect(text) {
      const client = net.connect((server.address() as net.AddressInfo).port, '127.0.0.1');
      clients.push(client);
      client.on('error', () => {});
      client.resume();
      const accepted = once(server, 'connection');
      await accepted;
      if (text !== undefined) client.write(text);
      return client;
    },
    async [Symbol.asyncDispose]() {
      handshakes.end();
      for (const client of clients) client.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
};

test('a handshake begins with the first byte, which is still to be read', async () => {
  await using door = await open();
  await door.connect();
  await door.connect('hello');
  await until(() => door.begun.length > 0);
  assert.equal(String(door.begun[0]?.read()), 'hello');
  assert.equal(door.begun.length, 1);
});

test('handshakes are begun one in a turn of the event loop', async () => {
  let turn = 0;
  const turns: number[] = [];
  await using door = await open(() => turns.push(turn));
  const clients = [await door.connect(), await door.connect()];
  for (const client of clients) client.write('hello');
  await until(() => turn++ < 0 || turns.length === 2);
  assert.notEqual(turns[0], turns[1]);
});

test('of too many connections that say nothing, or do not come to an end with their handshake, the oldest ends', async () => {
  for (const text of [undefined, 'hello']) {
    await using door = await open();
    const [oldest, ...others] = [await door.connect(text), await door.connect(text), await door.connect(text)];
    await once(oldest as net.Socket, 'close');
    assert.ok(others.every(({ destroyed }) => !destroyed));
    assert.deepEqual(door.ended, [text === undefined ? 'silent' : 'handshake']);
  }
});

test('a connection that says nothing for long ends', async () => {
  await using door = await open();
  const client = await door.connect();
  door.handshakes.sweep(performance.now() + 31_000);
  assert.ok(!client.destroyed);
  const closed = once(client, 'close');
  door.handshakes.sweep(performance.now() + 33_000);
  await closed;
});
