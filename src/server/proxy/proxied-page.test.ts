import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { BodySink, Response, StreamBody } from '../http/response.ts';
import { proxiedPage } from './proxied-page.ts';

const place = { prefix: '/proxy', host: 'behind:80', requestHost: 'here' };

function page(bytes: Buffer, headers: Record<string, string>): Response {
  const body: StreamBody = async (sink) => {
    for (let at = 0; at < bytes.length; at += 16_384) if (!sink.write(bytes.subarray(at, at + 16_384))) await sink.drained();
  };
  return { status: 200, headers: { 'content-type': 'text/html', ...headers }, body };
}

/** Takes what is written at its own pace: never more than one part before `take` has seen it. */
function slowSink(take: (part: Buffer) => void): BodySink {
  return {
    write(part) {
      take(part);
      return false;
    },
    drained: () => new Promise((resolve) => setImmediate(resolve)),
    pending: 0,
    closed: false,
    onClose() {},
  };
}

async function read({ body }: Response): Promise<Buffer> {
  const parts: Buffer[] = [];
  await (body as StreamBody)(slowSink((part) => parts.push(part)));
  return Buffer.concat(parts);
}

test('links of a page lead through the proxy, its other bytes stay whatever they are', async () => {
  const bytes = Buffer.concat([Buffer.from('<a href="/ä">'), Buffer.from([0xff, 0xfe]), Buffer.from('é</a>')]);
  const expected = Buffer.concat([Buffer.from('<a href="/proxy/ä">'), Buffer.from([0xff, 0xfe]), Buffer.from('é</a>')]);
  assert.deepEqual(await read(proxiedPage(page(bytes, {}), place)), expected);
  assert.deepEqual(gunzipSync(await read(proxiedPage(page(gzipSync(bytes), { 'content-encoding': 'gzip' }), place))), expected);
});

test('a page that is small only while it is compressed is never held whole', async () => {
  const size = 128 * 1024 * 1024;
  const bomb = gzipSync(Buffer.alloc(size, ' '));
  const before = process.memoryUsage().rss;
  let most = 0;
  const { body } = proxiedPage(page(bomb, { 'content-encoding': 'gzip' }), place);
  await (body as StreamBody)(slowSink(() => (most = Math.max(most, process.memoryUsage().rss - before))));
  assert.ok(most < size / 2, `grew by ${most}`);
});

test('a page that is not what its encoding says breaks off', async () => {
  await assert.rejects(read(proxiedPage(page(Buffer.from('no gzip'), { 'content-encoding': 'gzip' }), place)), /incorrect header check/);
});
