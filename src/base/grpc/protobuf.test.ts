import assert from 'node:assert/strict';
import { test } from 'node:test';
import protobuf from 'protobufjs';
import { ProtoReader, ProtoWriter } from './protobuf.ts';
import { percentDecode } from './status.ts';
import { FrameReader, frame } from './framing.ts';

const Sample = protobuf
  .parse(`
  syntax = "proto3";
  message Sample { int64 number = 1; bytes data = 2; string text = 3; Sample child = 4; bool flag = 5; int64 far = 200; }
`)
  .root.lookupType('Sample');

test('ProtoWriter writes what protobufjs reads, with lengths of every varint size', () => {
  for (const size of [0, 1, 127, 128, 16_383, 16_384, 2_100_000]) {
    const data = Buffer.alloc(size, 7);
    const bytes = new ProtoWriter(16)
      .int(1, 2 ** 40 + 5)
      .message(4, (child) =>
        child
          .bytes(2, data)
          .string(3, 'ünï')
          .message(4, (grandchild) => grandchild.int(1, -1)),
      )
      .bool(5, true)
      .bigInt(200, 2n ** 62n + 1n)
      .finish();
    const read = Sample.toObject(Sample.decode(bytes), { longs: String });
    assert.equal(read['number'], String(2 ** 40 + 5));
    assert.equal(read['child'].data?.length ?? 0, size);
    assert.equal(read['child'].text, 'ünï');
    assert.equal(read['child'].child.number, '-1');
    assert.equal(read['flag'], true);
    assert.equal(read['far'], String(2n ** 62n + 1n));
  }
});

test('ProtoReader reads what protobufjs writes, and skips what it does not know', () => {
  const bytes = Buffer.from(
    Sample.encode({ number: -5, data: Buffer.from([1, 2]), text: 'x', child: { number: 300 }, flag: true, far: 9 }).finish(),
  );
  const reader = new ProtoReader(bytes);
  const found: unknown[] = [];
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) found.push(reader.int());
    else if (field === 4) {
      const child = reader.message();
      assert.equal(child.next(), 1);
      found.push(child.int());
      assert.equal(child.next(), 0);
    } else if (field === 200) found.push(reader.bigInt());
    else reader.skip();
  }
  assert.deepEqual(found, [-5, 300, 9n]);
});

test('ProtoReader refuses bytes that end too early', () => {
  for (const bytes of [[0x0a, 0x05, 1], [0x08], [0x08, 0x80], [0x0a, 0xff]]) {
    const reader = new ProtoReader(Buffer.from(bytes));
    assert.throws(() => {
      reader.next();
      reader.skip();
    }, /unexpected EOF/);
  }
});

test('FrameReader gives the same messages however the bytes are cut', () => {
  const messages = [0, 1, 4, 5, 100, 1000].map((size) => Buffer.alloc(size, size & 0xff));
  const bytes = Buffer.concat(messages.map(frame));
  for (let step = 1; step < 50; step++) {
    const reader = new FrameReader(10_000);
    const found: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += step) found.push(...reader.push(bytes.subarray(at, at + step)));
    assert.deepEqual(found, messages, `in pieces of ${step}`);
    assert.ok(reader.idle);
  }
});

test('percentDecode() undoes escapes and leaves the rest alone', () => {
  assert.equal(percentDecode('no escapes'), 'no escapes');
  assert.equal(percentDecode('100%25 %C3%BC'), '100% ü');
  assert.equal(percentDecode('50% off %zz'), '50% off %zz');
});
