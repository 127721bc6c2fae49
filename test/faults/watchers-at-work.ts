// The clients of watchers.ts: raw HTTP/2, many watches on each connection, and nothing kept of what they get but its length.
import { readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { flags, frame, frameTypes, headerBlock, preface, settings, statusOf } from '../support/http2-frames.ts';

const [port = '', pki = ''] = process.argv.slice(2);
const administrator = { cert: readFileSync(join(pki, 'admin.crt')), key: readFileSync(join(pki, 'admin.key')) };
const path = '/api/v1/configmaps?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
// They stand for clients on other machines: what they do with what they get is not to keep the server waiting.
setPriority(10);
const perConnection = 50;
const largestWindow = 0x7fffffff;
const mark = Buffer.from('k8s.io/initial-events-end');

let bytes = 0;
let synced = 0;
let failed = 0;
let finish: () => void = () => {};

/** One of `count` watches more is through, or will never be. */
function settle(count: number): void {
  if (synced + failed === count) finish();
}

async function open(watches: number, all: number): Promise<void> {
  const socket = connect({ host: '127.0.0.1', port: Number(port), ALPNProtocols: ['h2'], rejectUnauthorized: false, ...administrator });
  await new Promise<void>((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject));
  const waiting = new Set<number>();
  const tails = new Map<number, Buffer>();
  const write = (parts: Buffer[]): unknown => socket.write(Buffer.concat(parts));
  const room = Buffer.alloc(4);
  room.writeUInt32BE(largestWindow - 65_535);
  write([preface, settings([[4, largestWindow]]), frame(frameTypes.windowUpdate, 0, 0, room)]);
  const block = headerBlock([
    [':method', 'GET'],
    [':scheme', 'https'],
    [':authority', 'localhost'],
    [':path', path],
    ['accept', 'application/json'],
  ]);
  const take = (type: number, flag: number, stream: number, payload: Buffer): void => {
    if (type === frameTypes.settings && flag === 0) write([frame(frameTypes.settings, flags.ack, 0)]);
    else if (type === frameTypes.ping && flag === 0) write([frame(frameTypes.ping, flags.ack, 0, payload)]);
    else if (!waiting.has(stream)) return;
    else if (type === frameTypes.data) {
      bytes += payload.length;
      const tail = tails.get(stream);
      const text = tail === undefined ? payload : Buffer.concat([tail, payload.subarray(0, mark.length)]);
      if (payload.includes(mark) || text.includes(mark)) {
        waiting.delete(stream);
        tails.delete(stream);
        synced++;
        settle(all);
      } else tails.set(stream, Buffer.from(payload.subarray(-mark.length)));
    } else if (type === frameTypes.reset || (type === frameTypes.headers && statusOf(payload) !== 200)) {
      waiting.delete(stream);
      failed++;
      settle(all);
    }
  };
  let pending: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    const input = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    let at = 0;
    while (input.length - at >= 9) {
      const length = input.readUIntBE(at, 3);
      if (input.length - at < 9 + length) break;
      take(input[at + 3] as number, input[at + 4] as number, input.readUInt32BE(at + 5), input.subarray(at + 9, at + 9 + length));
      at += 9 + length;
    }
    pending = input.subarray(at);
  });
  socket.on('error', () => {});
  socket.once('close', () => {
    failed += waiting.size;
    waiting.clear();
    settle(all);
  });
  const requests: Buffer[] = [];
  for (let index = 0; index < watches; index++) {
    const stream = 1 + 2 * index;
    waiting.add(stream);
    requests.push(frame(frameTypes.headers, flags.endHeaders | flags.endStream, stream, block));
  }
  write(requests);
}

async function start(watches: number): Promise<object> {
  const through = new Promise<void>((resolve) => (finish = resolve));
  const begun = performance.now();
  for (let left = watches; left > 0; left -= perConnection)
    void open(Math.min(left, perConnection), watches).catch((error: unknown) => {
      console.log(`a connection failed: ${String(error)}`);
      failed += Math.min(left, perConnection);
      settle(watches);
    });
  await through;
  return { synced, failed, megabytes: Math.round(bytes / 1e6), seconds: (performance.now() - begun) / 1000 };
}

process.on('message', ({ argument }: { argument: number }) => {
  void start(argument).then((report) => process.send?.(report));
});
