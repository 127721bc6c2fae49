import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PortBitmap, formatPortRange, parsePortRange, reservedPorts } from './port-bitmap.ts';

const range = { first: 30000, size: 2768 };

test('a bitmap is written as one big number in big-endian bytes', () => {
  const ports = new PortBitmap(range);
  assert.equal(ports.toData(), '');
  ports.set(30000, true);
  ports.set(30009, true);
  assert.deepEqual([...Buffer.from(ports.toData(), 'base64')], [0b10, 0b1]);
});

test('what is written is read again', () => {
  const ports = new PortBitmap(range);
  for (const port of [30000, 31093, 32767]) ports.set(port, true);
  const again = new PortBitmap(range, ports.toData());
  assert.deepEqual([...again.taken()], [30000, 31093, 32767]);
  again.set(31093, false);
  assert.equal(again.has(31093), false);
});

test('ranges are written with both ends', () => {
  assert.equal(formatPortRange(range), '30000-32767');
  assert.deepEqual(parsePortRange('30000-32767'), range);
  assert.equal(parsePortRange('30000'), undefined);
});

for (const [size, reserved] of [
  [16, 0],
  [17, 16],
  [2768, 86],
  [10000, 128],
] as const) {
  test(`of ${size} ports ${reserved} are left to those who ask for one`, () => assert.equal(reservedPorts(size), reserved));
}
