import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { makeDirectory, makeDirectorySync } from './make-directory.ts';

const folder = mkdtempSync(join(tmpdir(), 'make-directory-'));
after(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'file');
writeFileSync(file, '');
const impossible = [file, join(file, 'below'), ...(process.platform === 'linux' ? ['/proc/x', '/proc/x/y'] : [])];

for (const [name, make] of [
  ['makeDirectory', makeDirectory],
  ['makeDirectorySync', async (path: string, mode?: number) => makeDirectorySync(path, mode)],
] as const) {
  test(`${name}() makes all that is missing, and takes what is there`, async () => {
    const path = join(folder, name, 'a/b');
    await make(path);
    await make(path);
    assert.ok(statSync(path).isDirectory());
    await make(join(path, 'open'), 0o755);
    assert.equal(statSync(join(path, 'open')).mode & 0o777, 0o755);
  });

  test(`${name}() fails where no folder can be made, and does not try for ever`, { timeout: 10_000 }, async () => {
    for (const path of impossible) await assert.rejects(make(path), Error, path);
  });
}
