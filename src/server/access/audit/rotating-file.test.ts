import assert from 'node:assert/strict';
import { mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { ManualClock } from '../../../base/clock.ts';
import { RotatingFile } from './rotating-file.ts';
import type { RotatingFileOptions } from './rotating-file.ts';

const start = Date.UTC(2026, 10, 16, 5, 0, 0, 123);

async function inFolder(
  options: Partial<RotatingFileOptions>,
  body: (file: RotatingFile, clock: ManualClock, folder: string) => Promise<void>,
) {
  const folder = await mkdtemp(join(tmpdir(), 'audit-'));
  try {
    const clock = new ManualClock(start);
    const all = {
      path: join(folder, 'deep/audit.log'),
      maxSize: 10,
      maxBackups: 0,
      maxAge: 0,
      compress: false,
      onUntidy: assert.ifError,
      ...options,
    };
    await body(await RotatingFile.open(all, clock), clock, join(folder, 'deep'));
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe('a rotating file', () => {
  test('is made with its folder, for its owner only', () =>
    inFolder({}, async (file, _clock, folder) => {
      await file.write('a\n');
      await file.close();
      assert.equal((await stat(join(folder, 'audit.log'))).mode & 0o777, 0o600);
      assert.equal((await stat(folder)).mode & 0o777, 0o700);
    }));

  test('is put aside under the time when it is full', () =>
    inFolder({}, async (file, clock, folder) => {
      await Promise.all([file.write('12345\n'), file.write('abc\n')]);
      await file.write('6\n');
      clock.advance(1000);
      await file.write('7890123\n');
      await file.write('x\n');
      await file.close();
      assert.deepEqual(
        (await readdir(folder)).toSorted(),
        ['audit-2026-11-16T05-00-00.123.log', 'audit-2026-11-16T05-00-01.123.log', 'audit.log'].toSorted(),
      );
      assert.equal(await readFile(join(folder, 'audit-2026-11-16T05-00-00.123.log'), 'utf8'), '12345\nabc\n');
      assert.equal(await readFile(join(folder, 'audit-2026-11-16T05-00-01.123.log'), 'utf8'), '6\n7890123\n');
      assert.equal(await readFile(join(folder, 'audit.log'), 'utf8'), 'x\n');
    }));

  test('keeps as many as it is told, compressed', () =>
    inFolder({ maxBackups: 2, compress: true }, async (file, clock, folder) => {
      for (const line of ['a', 'b', 'c', 'd']) {
        await file.write(`${line.repeat(9)}\n`);
        clock.advance(1000);
      }
      await file.close();
      assert.deepEqual((await readdir(folder)).toSorted(), [
        'audit-2026-11-16T05-00-02.123.log.gz',
        'audit-2026-11-16T05-00-03.123.log.gz',
        'audit.log',
      ]);
      assert.equal(gunzipSync(await readFile(join(folder, 'audit-2026-11-16T05-00-03.123.log.gz'))).toString(), 'ccccccccc\n');
    }));

  test('keeps them for as long as it is told', () =>
    inFolder({ maxAge: 5000 }, async (file, clock, folder) => {
      for (const wait of [1000, 6000, 0]) {
        await file.write('123456789\n');
        clock.advance(wait);
      }
      await file.close();
      assert.deepEqual((await readdir(folder)).toSorted(), ['audit-2026-11-16T05-00-07.123.log', 'audit.log']);
    }));

  test('refuses a line that is longer than a file may be, and goes on', () =>
    inFolder({}, async (file) => {
      await assert.rejects(file.write('0123456789\n'), { message: 'write length 11 exceeds maximum file size 10' });
      await file.write('a\n');
      await file.close();
    }));

  test('grows for ever when it has no size', () =>
    inFolder({ maxSize: 0 }, async (file, _clock, folder) => {
      await file.write('0123456789'.repeat(100));
      await file.write('0123456789'.repeat(100));
      await file.close();
      assert.deepEqual(await readdir(folder), ['audit.log']);
    }));
});
