import { compactDirectory } from '../storage/drivers/embedded/maintenance.ts';
import { showBytes, storeCommand } from './store-command.ts';

export const compactCommand = storeCommand({
  intro: 'Gives back the space of all history of a data directory that no server has open. A server does so by itself, later and in part.',
  usage: 'compact DIR',
  names: 1,
  flags: {},
  async run({ names, io, signal }) {
    const path = names[0]!;
    const { keys, revision, before, bytes } = await compactDirectory(path, signal);
    io.out(`${path}: ${keys} keys at revision ${revision}, ${showBytes(before)} before, ${showBytes(bytes)} now\n`);
  },
});
