import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestServer, unary } from '../../../../test/support/grpc-server.ts';
import { frame } from '../../../base/grpc/framing.ts';
import { ProtoReader, ProtoWriter } from '../../../base/grpc/protobuf.ts';
import { CompactedError } from '../../storage.ts';
import { openEtcdStorage } from './etcd-storage.ts';

function response(revision: number, write: (writer: ProtoWriter) => void): Buffer {
  const writer = new ProtoWriter();
  writer.message(1, (header) => header.int(3, revision));
  write(writer);
  return Buffer.from(writer.finish());
}

function put(key: string, revision: number): Buffer {
  return response(revision, (writer) =>
    writer.message(11, (event) =>
      event.message(2, (kv) => kv.bytes(1, Buffer.from(key)).int(2, revision).int(3, revision).int(4, 1).bytes(5, Buffer.from('x'))),
    ),
  );
}

function startRevisionOf(message: Buffer): number {
  const reader = new ProtoReader(message);
  reader.next();
  const create = reader.message();
  for (let field = create.next(); field !== 0; field = create.next()) {
    if (field === 3) return create.int();
    create.skip();
  }
  return 0;
}

/** An etcd whose first watch ends with `last` right behind an event, and whose later ones go on. */
async function canceling(last: Buffer, starts: number[]): Promise<{ server: TestServer; endpoint: string }> {
  const server = new TestServer({
    '/etcdserverpb.KV/Range': unary(() => response(4, () => undefined)),
    '/etcdserverpb.Watch/Watch': async (call) => {
      for await (const message of call.messages) {
        starts.push(startRevisionOf(message));
        call.send(response(4, (writer) => writer.bool(3, true)));
        // In one chunk, as it is when the reader is a little late.
        if (starts.length === 1) call.stream.write(Buffer.concat([frame(put('/a', 5)), frame(last)]));
        else call.send(put('/b', 6));
      }
    },
  });
  return { server, endpoint: `http://127.0.0.1:${await server.listen()}` };
}

test('a watch that etcd cancels goes on after the last event before the end, which is delivered', async () => {
  const starts: number[] = [];
  const canceled = response(5, (writer) => writer.bool(4, true).string(6, 'etcdserver: no leader'));
  const { server, endpoint } = await canceling(canceled, starts);
  await using _ = server;
  await using storage = await openEtcdStorage({ endpoints: [endpoint], compactionIntervalMs: 0 });
  const stop = new AbortController();
  const seen: number[] = [];
  for await (const items of storage.watch('/', { revision: 4, signal: stop.signal })) {
    for (const item of items) if (item.type === 'put') seen.push(item.kv.modRevision);
    if (seen.includes(6)) stop.abort();
  }
  assert.deepEqual(seen, [5, 6]);
  assert.deepEqual(starts, [5, 6]);
});

test('a watch whose history is gone delivers what came before, and says so', async () => {
  const compacted = response(0, (writer) => writer.bool(4, true).int(5, 9));
  const { server, endpoint } = await canceling(compacted, []);
  await using _ = server;
  await using storage = await openEtcdStorage({ endpoints: [endpoint], compactionIntervalMs: 0 });
  const seen: number[] = [];
  const read = async (): Promise<void> => {
    for await (const items of storage.watch('/', { revision: 4, signal: new AbortController().signal })) {
      for (const item of items) if (item.type === 'put') seen.push(item.kv.modRevision);
    }
  };
  await assert.rejects(read(), (error) => error instanceof CompactedError && error.compactRevision === 9);
  assert.deepEqual(seen, [5]);
});
