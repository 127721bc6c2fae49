import assert from 'node:assert/strict';
import { once } from 'node:events';
import { constants } from 'node:http2';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Channel } from './channel.ts';
import { GrpcError, statusCode } from './status.ts';
import type { ServerHandler } from '../../../test/support/grpc-server.ts';
import { TestServer, unary } from '../../../test/support/grpc-server.ts';

const hello = Buffer.from('hello');

function failsWith(code: number, details: RegExp | string): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof GrpcError, String(error));
    assert.equal(error.code, code, error.message);
    if (typeof details === 'string') assert.equal(error.details, details);
    else assert.match(error.details, details);
    return true;
  };
}

async function withServer(
  handlers: Record<string, ServerHandler>,
  run: (channel: Channel, server: TestServer) => Promise<void>,
): Promise<void> {
  await using server = new TestServer(handlers);
  const port = await server.listen();
  using channel = new Channel({ endpoints: [`http://127.0.0.1:${port}`], reconnectBaseMs: 10 });
  await run(channel, server);
}

test('unary() sends one message and gets one, whatever its size', async () => {
  await withServer({ '/t.T/Echo': unary((message) => message) }, async (channel) => {
    for (const size of [0, 1, 5, 100, 16_384, 70_000, 3_000_000]) {
      const message = Buffer.alloc(size, 'x');
      assert.deepEqual(await channel.unary('/t.T/Echo', message), message, `${size} bytes`);
    }
    const many = await Promise.all(Array.from({ length: 300 }, (_, i) => channel.unary('/t.T/Echo', Buffer.from(`message ${i}`))));
    assert.deepEqual(
      many.map(String),
      Array.from({ length: 300 }, (_, i) => `message ${i}`),
    );
  });
});

test('unary() rejects with the status and decoded message of the server', async () => {
  const fail = (): never => {
    throw new GrpcError(statusCode.outOfRange, 'etcdserver: 100% – “compacted”');
  };
  const late: ServerHandler = async (call) => {
    call.send(hello);
    fail();
  };
  await withServer({ '/t.T/Fail': unary(fail), '/t.T/Late': late }, async (channel) => {
    await assert.rejects(channel.unary('/t.T/Fail', hello), failsWith(statusCode.outOfRange, 'etcdserver: 100% – “compacted”'));
    await assert.rejects(channel.unary('/t.T/Late', hello), failsWith(statusCode.outOfRange, 'etcdserver: 100% – “compacted”'));
    await assert.rejects(channel.unary('/t.T/Nope', hello), failsWith(statusCode.unimplemented, 'unknown method /t.T/Nope'));
  });
});

test('unary() passes its deadline on and keeps it', async () => {
  let announced: unknown;
  const slow = unary(async (message, { headers }) => {
    announced = headers['grpc-timeout'];
    await sleep(2000, undefined, { ref: false });
    return message;
  });
  await withServer({ '/t.T/Slow': slow }, async (channel) => {
    // The waiting caller would get the response.
    await assert.rejects(
      channel.unary('/t.T/Slow', hello, { timeoutMs: 150 }),
      failsWith(statusCode.deadlineExceeded, 'context deadline exceeded'),
    );
    assert.match(String(announced), /^\d{1,3}m$/);
  });
});

test('unary() ends when its signal aborts, before or during the call', async () => {
  const slow = unary(async (message) => {
    await sleep(2000, undefined, { ref: false });
    return message;
  });
  await withServer({ '/t.T/Slow': slow }, async (channel) => {
    const abort = new AbortController();
    const call = channel.unary('/t.T/Slow', hello, { signal: abort.signal });
    setTimeout(() => abort.abort(), 30);
    await assert.rejects(call, failsWith(statusCode.cancelled, 'context canceled'));
    await assert.rejects(channel.unary('/t.T/Slow', hello, { signal: abort.signal }), failsWith(statusCode.cancelled, 'context canceled'));
  });
});

test('limits on message sizes hold in both directions', async () => {
  await using server = new TestServer({ '/t.T/Big': unary(() => Buffer.alloc(2000)) });
  const port = await server.listen();
  using channel = new Channel({ endpoints: [`127.0.0.1:${port}`], maxSendBytes: 100, maxReceiveBytes: 1000 });
  await assert.rejects(
    channel.unary('/t.T/Big', hello),
    failsWith(statusCode.resourceExhausted, 'received message larger than max (2000 vs. 1000)'),
  );
  await assert.rejects(
    channel.unary('/t.T/Big', Buffer.alloc(101)),
    failsWith(statusCode.resourceExhausted, 'trying to send message larger than max (101 vs. 100)'),
  );
});

test('stream() carries messages both ways and ends with the status', async () => {
  const chat: ServerHandler = async (call) => {
    for await (const message of call.messages) {
      call.send(Buffer.from(`re: ${message}`));
      if (message.toString() === 'fail') throw new GrpcError(statusCode.aborted, 'as you wish');
    }
  };
  await withServer({ '/t.T/Chat': chat }, async (channel) => {
    const stream = await channel.stream('/t.T/Chat');
    await stream.send(Buffer.from('one'));
    await stream.send(Buffer.from('two'));
    stream.end();
    const answers: string[] = [];
    for await (const batch of stream) answers.push(...batch.map(String));
    assert.deepEqual(answers, ['re: one', 're: two']);

    const failing = await channel.stream('/t.T/Chat');
    await failing.send(Buffer.from('fail'));
    await assert.rejects(
      async () => {
        for await (const batch of failing) assert.deepEqual(batch.map(String), ['re: fail']);
      },
      failsWith(statusCode.aborted, 'as you wish'),
    );
  });
});

test('a reader that stands still makes the server wait, and nobody else', async () => {
  let sent = 0;
  const flood: ServerHandler = async (call) => {
    const message = Buffer.alloc(64 * 1024);
    call.send(message);
    for (sent = 1; sent < 1000 && !call.stream.destroyed; sent++) {
      if (call.stream.writableNeedDrain) await Promise.race([once(call.stream, 'drain'), sleep(1000)]);
      call.send(message);
    }
  };
  await withServer({ '/t.T/Flood': flood, '/t.T/Echo': unary((message) => message) }, async (channel) => {
    const stream = await channel.stream('/t.T/Flood');
    stream.end();
    await sleep(300);
    assert.ok(sent < 300, `${sent} messages of 64 KB were sent to a reader that does not read`);
    assert.deepEqual(await channel.unary('/t.T/Echo', hello), hello);
    let received = 0;
    for await (const batch of stream) received += batch.length;
    assert.equal(received, 1000);
  });
});

test('calls go to the endpoints that are up, and come back to one that returns', async () => {
  const named = (name: string): Record<string, ServerHandler> => ({ '/t.T/Name': unary(() => Buffer.from(name)) });
  await using one = new TestServer(named('one'));
  const portOne = await one.listen();
  let two = new TestServer(named('two'));
  const portTwo = await two.listen();
  using channel = new Channel({ endpoints: [`127.0.0.1:${portOne}`, `127.0.0.1:${portTwo}`], reconnectBaseMs: 10, reconnectMaxMs: 50 });
  const ask = async (): Promise<string> => (await channel.unary('/t.T/Name', hello, { timeoutMs: 2000 })).toString();
  const names = async (): Promise<Set<string>> => new Set([await ask(), await ask(), await ask(), await ask()]);
  await ask();
  await sleep(50);
  assert.deepEqual([...(await names())].toSorted(), ['one', 'two']);
  await two[Symbol.asyncDispose]();
  assert.deepEqual([...(await names())], ['one']);
  two = new TestServer(named('two'));
  await two.listen({ port: portTwo, host: '127.0.0.1' });
  await sleep(200);
  assert.deepEqual([...(await names())].toSorted(), ['one', 'two']);
  await two[Symbol.asyncDispose]();
});

test('an error says whether the server can have seen the request', async () => {
  const handlers: Record<string, ServerHandler> = {
    '/t.T/Cut': async (call) => call.stream.session?.destroy(),
    '/t.T/Refuse': async (call) => call.stream.close(constants.NGHTTP2_REFUSED_STREAM),
  };
  await withServer(handlers, async (channel, server) => {
    const unprocessed = async (path: string): Promise<boolean> => {
      const error = await channel.unary(path, hello, { timeoutMs: 500 }).catch((reason: unknown) => reason);
      assert.ok(error instanceof GrpcError);
      assert.ok(error.code === statusCode.unavailable || error.code === statusCode.deadlineExceeded, error.message);
      return error.unprocessed;
    };
    assert.equal(await unprocessed('/t.T/Cut'), false);
    assert.equal(await unprocessed('/t.T/Refuse'), true);
    await server[Symbol.asyncDispose]();
    assert.equal(await unprocessed('/t.T/Cut'), true, 'nobody listens any more');
  });
});

test('a call to nobody fails at its deadline with the reason', async () => {
  using channel = new Channel({ endpoints: ['http://127.0.0.1:1'], reconnectBaseMs: 10 });
  await assert.rejects(
    channel.unary('/t.T/X', hello, { timeoutMs: 100 }),
    failsWith(statusCode.deadlineExceeded, /connect ECONNREFUSED 127\.0\.0\.1:1/),
  );
});

test('a peer that accepts and then says nothing is given up after an unanswered ping', async () => {
  const { createServer } = await import('node:net');
  const silent = createServer((socket) => socket.resume());
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const address = silent.address();
  assert.ok(typeof address === 'object' && address !== null);
  using channel = new Channel({
    endpoints: [`127.0.0.1:${address.port}`],
    suspectAfterMs: 50,
    minPingIntervalMs: 0,
    keepaliveTimeoutMs: 100,
  });
  await assert.rejects(
    channel.unary('/t.T/X', hello, { timeoutMs: 5000 }),
    failsWith(statusCode.unavailable, /did not answer a keepalive ping/),
  );
  silent.close();
});

test('unix sockets work, in the file system and in the abstract namespace', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'grpc-'));
  const paths = [join(folder, 'socket'), ...(process.platform === 'linux' ? [`@wheelhouse-test-${process.pid}`] : [])];
  for (const path of paths) {
    await using server = new TestServer({ '/t.T/Echo': unary((message) => message) });
    await server.listen({ path: path.replace(/^@/, '\0') });
    using channel = new Channel({ endpoints: [path.startsWith('@') ? `unix:///${path}` : `unix://${path}`] });
    assert.deepEqual(await channel.unary('/t.T/Echo', hello), hello);
  }
  await rm(folder, { recursive: true });
});
