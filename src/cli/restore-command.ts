import { storeFolder } from '../storage/drivers/embedded/maintenance.ts';
import { restoreBackup, usualBump } from '../storage/drivers/embedded/restore-backup.ts';
import { bool, int, string } from './flags/flag-kinds.ts';
import { storeCommand } from './store-command.ts';

export const restoreCommand = storeCommand({
  intro: 'Makes a data directory of a backup.',
  usage: 'restore FILE --data-dir DIR',
  names: 1,
  flags: {
    'data-dir': string('', 'folder of the store, made if missing'),
    replace: bool(false, 'the store may hold something, which is lost'),
    'bump-revision': int(usualBump, 'revisions that are skipped, so that clients which know some that came after the backup list anew'),
  },
  async run({ flags, names, io, progress, signal }) {
    if (flags['data-dir'] === '') throw new Error('restore needs --data-dir: the folder of the store');
    const directory = await storeFolder(flags['data-dir']);
    if (flags['bump-revision'] < 0) throw new Error('--bump-revision cannot be negative');
    const { keys, revision, createdAt, restoredAt } = await restoreBackup({
      file: names[0]!,
      directory,
      replace: flags.replace,
      bumpRevision: flags['bump-revision'],
      onProgress: (done, total) => progress.show('restoring', done, total),
      signal,
    });
    progress.end();
    io.out(`${directory}: ${keys} keys of ${createdAt}, revision ${revision}; the store goes on from revision ${restoredAt}\n`);
  },
});
