import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { compressed } from './gzip.ts';
import type { Request } from './request.ts';
import type { BodySink, Response, StreamBody } from './response.ts';

const request = { header: () => 'gzip' } as Partial<Request> as Request;

function sink(written: Buffer[]): BodySink {
  return { write: (chunk) => written.push(chunk as Buffer) < 0, drained: turn, pending: 0, closed: false, onClose: () => {} };
}

async function streamed(body: StreamBody, written: Buffer[]): Promise<void> {
  const response: Response = await compressed(request, { status: 200, headers: {}, body });
  await (response.body as StreamBody)(sink(written));
}

test('a stream that waits for its reader again and again leaves no listeners behind', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error): void => void warnings.push(warning);
  process.on('warning', note);
  const sent = randomBytes(1 << 16);
  let waits = 0;
  const written: Buffer[] = [];
  await streamed(async (inner) => {
    for (let i = 0; i < 30; i++) {
      if (inner.write(sent)) continue;
      waits++;
      await inner.drained();
    }
  }, written);
  await turn();
  process.off('warning', note);
  assert.ok(waits > 20, `it waited ${waits} times`);
  assert.deepEqual(warnings, []);
  assert.equal(gunzipSync(Buffer.concat(written)).length, 30 * sent.length);
});

test('a stream that fails rejects with its reason, and with nothing else', async () => {
  const strays: unknown[] = [];
  const note = (reason: unknown): void => void strays.push(reason);
  process.on('unhandledRejection', note);
  const failing = streamed(async (inner) => {
    inner.write(Buffer.alloc(10));
    await turn();
    throw new Error('no more');
  }, []);
  await assert.rejects(failing, /^Error: no more$/);
  await turn();
  process.off('unhandledRejection', note);
  assert.deepEqual(strays, []);
});
