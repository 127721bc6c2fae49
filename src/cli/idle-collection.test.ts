import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

test('a process that has grown and is left alone becomes small again', async () => {
  const program = `
    import { collectWhenIdle } from ${JSON.stringify(join(import.meta.dirname, 'idle-collection.ts'))};
    using collecting = collectWhenIdle(5_000);
    await new Promise((resolve) => setTimeout(resolve, 3000));
    const size = () => process.memoryUsage.rss() / 2 ** 20;
    const before = size();
    let much = Array.from({ length: 1_500_000 }, (_, index) => ({ index, text: 'x' + index }));
    let buffers = Array.from({ length: 60_000 }, () => Buffer.allocUnsafeSlow(6_000).fill(1));
    const most = size();
    much = undefined;
    // What is free lies between what is not.
    buffers = buffers.filter((_, index) => index % 4 === 0);
    const deadline = Date.now() + 30_000;
    while (size() > before + (most - before) / 2 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 100));
    console.log(JSON.stringify({ before, most, after: size(), kept: buffers.length, gc: typeof globalThis.gc }));
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
  const { before, most, after, gc } = JSON.parse(stdout) as Record<string, number | string>;
  assert.ok(Number(after) <= Number(before) + (Number(most) - Number(before)) / 2, stdout);
  assert.equal(gc, 'undefined');
});
