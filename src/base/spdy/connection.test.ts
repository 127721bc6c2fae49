import assert from 'node:assert/strict';
import { duplexPair } from 'node:stream';
import type { Duplex } from 'node:stream';
import { describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { SpdyConnection } from './connection.ts';
import type { Frame } from './frames.ts';
import { controlFrame, dataFrame, FrameReader, frameTypes, uint32 } from './frames.ts';

interface Server {
  readonly socket: Duplex;
  readonly frames: readonly Frame[];
}

function serve(): { readonly connection: SpdyConnection; readonly server: Server } {
  const [ours, theirs] = duplexPair();
  const frames: Frame[] = [];
  const reader = new FrameReader();
  theirs.on('data', (chunk: Buffer) => frames.push(...reader.read(chunk)));
  return { connection: new SpdyConnection(ours, Buffer.alloc(0)), server: { socket: theirs, frames } };
}

describe('SpdyConnection', () => {
  test('numbers its streams with odd numbers and says when it has no more to send', async () => {
    const { connection, server } = serve();
    const [first, second] = [connection.open({ streamtype: 'error' }, () => {}), connection.open({ streamtype: 'stdin' }, () => {})];
    second.write(Buffer.from('x'));
    second.end();
    second.end();
    first.end();
    await turn();
    connection.close();
    const opened = server.frames.filter((frame) => frame.kind === 'control' && frame.type === frameTypes.synStream);
    assert.deepEqual(
      opened.map(({ payload }) => payload.readUInt32BE(0)),
      [1, 3],
    );
    const data = server.frames.filter((frame) => frame.kind === 'data');
    assert.deepEqual(
      data.map(({ stream, last, payload }) => [stream, last, payload.toString()]),
      [
        [3, false, 'x'],
        [3, true, ''],
        [1, true, ''],
      ],
    );
  });

  test('gives each stream what is its own, until the server says that this was all', async () => {
    const { connection, server } = serve();
    const received: string[] = [];
    const one = connection.open({}, (data) => received.push(`one ${data}`));
    const other = connection.open({}, (data) => received.push(`other ${data}`));
    server.socket.write(Buffer.concat([dataFrame(3, Buffer.from('b'), true), dataFrame(1, Buffer.from('a'), false)]));
    await other.ended;
    server.socket.write(controlFrame(frameTypes.rstStream, Buffer.concat([uint32(1), uint32(5)])));
    await one.ended;
    connection.close();
    assert.deepEqual(received, ['other b', 'one a']);
  });

  test('answers the pings of the server, not the answers to its own', async () => {
    const { connection, server } = serve();
    for (const number of [1, 2]) server.socket.write(controlFrame(frameTypes.ping, uint32(number)));
    await turn();
    await turn();
    connection.close();
    const pings = server.frames.filter((frame) => frame.kind === 'control' && frame.type === frameTypes.ping);
    assert.deepEqual(
      pings.map(({ payload }) => payload.readUInt32BE(0)),
      [2],
    );
  });

  test('ends every stream when the connection is lost', async () => {
    const { connection, server } = serve();
    const streams = [connection.open({}, () => {}), connection.open({}, () => {})];
    server.socket.destroy();
    await Promise.all(streams.map(({ ended }) => ended));
    connection.close();
  });
});
