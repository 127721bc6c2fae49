import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  constants,
  mkdirSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { until } from '../../test/support/eventually.ts';
import { ManualClock, systemClock } from './clock.ts';
import { WatchedFile } from './watched-text.ts';

const root = mkdtempSync(join(tmpdir(), 'wheelhouse-watched-'));
after(() => rmSync(root, { recursive: true, force: true }));

class Followed implements Disposable {
  readonly folder = mkdtempSync(join(root, 'f-'));
  readonly texts: string[] = [];
  readonly errors: string[] = [];
  refused = 0;
  readonly clock = new ManualClock(0);
  readonly #watched: WatchedFile;

  constructor({ prepare, refuses }: { prepare: (folder: string) => void; refuses?: string }, clock = systemClock) {
    prepare(this.folder);
    this.#watched = new WatchedFile({
      file: join(this.folder, 'file'),
      text: 'first',
      clock,
      onChange: (text) => {
        if (text === refuses) {
          this.refused++;
          throw new Error(`refused: ${text}`);
        }
        this.texts.push(text);
      },
      onError: ({ message }) => void this.errors.push(message),
    });
  }

  async has(text: string): Promise<void> {
    await until(`it has ${text}`, async () => this.texts.at(-1) === text);
  }

  [Symbol.dispose](): void {
    this.#watched[Symbol.dispose]();
  }
}

const plain = (folder: string): void => writeFileSync(join(folder, 'file'), 'first');

describe('WatchedFile', () => {
  test('follows a file that is written and one that is put in its place', async () => {
    using followed = new Followed({ prepare: plain });
    const file = join(followed.folder, 'file');
    writeFileSync(file, 'written');
    await followed.has('written');
    writeFileSync(`${file}.new`, 'renamed');
    renameSync(`${file}.new`, file);
    await followed.has('renamed');
    assert.deepEqual(followed.errors, []);
  });

  test('uses what was put in place while every thread for files is taken', async () => {
    using followed = new Followed({ prepare: plain });
    const fifo = join(root, 'fifo');
    execFileSync('mkfifo', [fifo]);
    const waiting = Array.from({ length: 64 }, () => open(fifo));
    const file = join(followed.folder, 'file');
    writeFileSync(`${file}.new`, 'renamed');
    renameSync(`${file}.new`, file);
    try {
      await followed.has('renamed');
    } finally {
      // A writer at the other end lets them all go.
      const writer = openSync(fifo, constants.O_RDWR);
      for (const handle of await Promise.all(waiting)) await handle.close();
      closeSync(writer);
    }
  });

  test('follows links that are swapped, as mounted volumes do it', async () => {
    const put = (folder: string, version: string): void => {
      mkdirSync(join(folder, version));
      writeFileSync(join(folder, version, 'file'), version);
      symlinkSync(version, join(folder, '..data_tmp'));
      renameSync(join(folder, '..data_tmp'), join(folder, '..data'));
    };
    using followed = new Followed({
      prepare: (folder) => {
        put(folder, 'first');
        symlinkSync('..data/file', join(folder, 'file'));
      },
    });
    for (const version of ['..2', '..3', '..4']) {
      put(followed.folder, version);
      await followed.has(version);
    }
  });

  test('says nothing of a file that is found unfinished and is right soon after', async () => {
    const clock = new ManualClock(0);
    using followed = new Followed({ prepare: plain, refuses: 'half' }, clock);
    const file = join(followed.folder, 'file');
    const put = (text: string): void => {
      writeFileSync(`${file}.new`, text);
      renameSync(`${file}.new`, file);
    };
    put('half');
    await until('it was refused', async () => followed.refused > 0);
    writeFileSync(file, 'whole');
    const passes = async (): Promise<boolean> => {
      clock.advance(10);
      return followed.texts.length > 0;
    };
    await until('it has the whole', passes);
    assert.deepEqual([followed.texts, followed.errors], [['whole'], []]);
    put('half');
    const reported = async (): Promise<boolean> => {
      clock.advance(10);
      return followed.errors.length > 0;
    };
    await until('what stays wrong is reported', reported);
    assert.deepEqual([followed.texts, followed.errors], [['whole'], ['refused: half']]);
  });

  test('says once what is wrong with a file, and goes on with it when it is right again', async () => {
    using followed = new Followed({ prepare: plain, refuses: 'half' });
    const file = join(followed.folder, 'file');
    writeFileSync(file, 'half');
    await until('it is refused', async () => followed.errors.length > 0);
    for (let index = 0; index < 3; index++) {
      writeFileSync(join(followed.folder, 'beside'), String(index));
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    assert.deepEqual(followed.errors, ['refused: half']);
    writeFileSync(file, 'whole');
    await followed.has('whole');
  });

  test('says once that a file is gone, and follows the one that comes in its place', async () => {
    using followed = new Followed({ prepare: plain });
    const file = join(followed.folder, 'file');
    rmSync(file);
    await until('it is missed', async () => followed.errors.length > 0);
    writeFileSync(join(followed.folder, 'beside'), '');
    writeFileSync(file, 'again');
    await followed.has('again');
    assert.equal(followed.errors.length, 1);
    assert.match(followed.errors[0] ?? '', /ENOENT/);
    truncateSync(file);
    await followed.has('');
  });

  test('follows a folder that was put in place of the one it watched', async () => {
    const clock = new ManualClock(0);
    using followed = new Followed({ prepare: plain }, clock);
    const { folder } = followed;
    const advancing = setInterval(() => clock.advance(20_000), 5);
    try {
      renameSync(folder, `${folder}-old`);
      mkdirSync(folder);
      writeFileSync(join(folder, 'file'), 'moved');
      await followed.has('moved');
    } finally {
      clearInterval(advancing);
    }
    // From here on the folder tells: the clock moves by no more than a file needs to settle.
    writeFileSync(join(folder, 'file'), 'told');
    await until('it is read', async () => {
      clock.advance(5);
      return followed.texts.at(-1) === 'told';
    });
  });

  test('follows a link to a file of another folder, also when that one is replaced', async () => {
    const elsewhere = mkdtempSync(join(root, 'elsewhere-'));
    const target = join(elsewhere, 'target');
    writeFileSync(target, 'first');
    using followed = new Followed({ prepare: (folder) => symlinkSync(target, join(folder, 'file')) });
    writeFileSync(`${target}.new`, 'second');
    renameSync(`${target}.new`, target);
    await followed.has('second');
    const other = join(mkdtempSync(join(root, 'other-')), 'target');
    writeFileSync(other, 'third');
    symlinkSync(other, join(followed.folder, 'link'));
    renameSync(join(followed.folder, 'link'), join(followed.folder, 'file'));
    await followed.has('third');
    // The folder of the new target is watched once the new text is in use, a moment later.
    await until('it has the fourth', async () => {
      writeFileSync(`${other}.new`, 'fourth');
      renameSync(`${other}.new`, other);
      return followed.texts.at(-1) === 'fourth';
    });
    assert.deepEqual(followed.errors, []);
  });

  test('ends with the last of a thousand replacements', async () => {
    using followed = new Followed({ prepare: plain });
    const file = join(followed.folder, 'file');
    for (let index = 1; index <= 1000; index++) {
      writeFileSync(`${file}.new`, String(index));
      renameSync(`${file}.new`, file);
      if (index % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await followed.has('1000');
    assert.deepEqual(followed.errors, []);
    assert.ok(followed.texts.every((text, index) => index === 0 || Number(text) > Number(followed.texts[index - 1])));
  });

  for (const [what, put, message] of [
    ['a directory', (file: string) => mkdirSync(file), /is a directory/],
    ['a FIFO', (file: string) => execFileSync('mkfifo', [file]), /not a regular file/],
    ['a device without end', (file: string) => symlinkSync('/dev/zero', file), /not a regular file/],
    ['a link to itself', (file: string) => symlinkSync('file', file), /ELOOP/],
    ['a link to nothing', (file: string) => symlinkSync('nothing', file), /ENOENT/],
  ] as const) {
    test(`keeps what it has when ${what} takes the place of the file, and goes on with the next file`, async () => {
      using followed = new Followed({ prepare: plain });
      const file = join(followed.folder, 'file');
      put(`${file}.new`);
      // No directory takes the place of a file.
      if (what === 'a directory') rmSync(file);
      renameSync(`${file}.new`, file);
      await until('it is missed', async () => followed.errors.some((error) => message.test(error)));
      assert.deepEqual(followed.texts, []);
      rmSync(file, { recursive: true });
      writeFileSync(`${file}.new`, 'again');
      renameSync(`${file}.new`, file);
      await followed.has('again');
    });
  }
});
