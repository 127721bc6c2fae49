import { stat } from 'node:fs/promises';
import { verifyDirectory } from '../storage/drivers/embedded/maintenance.ts';
import { verifyBackup } from '../storage/drivers/embedded/restore-backup.ts';
import { showBytes, storeCommand } from './store-command.ts';

export const verifyCommand = storeCommand({
  intro: 'Reads a backup, or a data directory that no server has open, to its end, and says what is wrong with it.',
  usage: 'verify FILE|DIR',
  names: 1,
  flags: {},
  async run({ names, io, progress, signal }) {
    const path = names[0]!;
    if ((await stat(path)).isDirectory()) {
      const { keys, revision, bytes, damaged } = await verifyDirectory(path, signal);
      if (damaged.length > 0) throw new Error(`${path} holds ${damaged.length} damaged values, that of ${damaged[0]} among them`);
      io.out(`${path}: sound, ${keys} keys at revision ${revision}, ${showBytes(bytes)}\n`);
      return;
    }
    const { keys, revision, createdAt } = await verifyBackup(path, {
      onProgress: (done, total) => progress.show('checking', done, total),
      signal,
    });
    progress.end();
    io.out(`${path}: sound, ${keys} keys at revision ${revision}, of ${createdAt}\n`);
  },
});
