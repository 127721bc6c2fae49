import type { IncomingMessage } from 'node:http';
import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../base/clock.ts';
import { StreamingClient } from '../base/https/streaming-client.ts';
import { loadKubeconfig } from '../server/webhook/kubeconfig.ts';
import { BackupReader, backupBytes } from '../storage/drivers/embedded/backup.ts';
import { writeWhole } from '../storage/drivers/embedded/files.ts';
import { snapshotOfDirectory } from '../storage/drivers/embedded/maintenance.ts';
import { verifyBackup } from '../storage/drivers/embedded/restore-backup.ts';
import { storagePrefix } from './flags/storage-prefix.ts';
import { string } from './flags/flag-kinds.ts';
import type { StoreCommandInput } from './store-command.ts';
import { showBytes, storeCommand } from './store-command.ts';

const flags = {
  'data-dir': string('', 'folder of a store that no server has open'),
  'etcd-prefix': string('/registry', 'start of every key in that store'),
  kubeconfig: string(
    '',
    'of an administrator of a running server, which has --wheelhouse-api=backup; $KUBECONFIG or ~/.kube/config if neither is given',
  ),
  server: string('', 'address of that server, when it is not the one of the kubeconfig'),
};

export const backupCommand = storeCommand({
  intro: 'Writes everything that a store holds to one file: of a running server, or of a data directory.',
  usage: 'backup FILE [--kubeconfig FILE | --data-dir DIR]',
  names: 1,
  flags,
  async run(input) {
    const { names, io, progress, signal, flags: given } = input;
    const file = names[0]!;
    if (given['data-dir'] !== '' && (given.kubeconfig !== '' || given.server !== '')) {
      throw new Error('--data-dir is for a store that no server has open; give it, or --kubeconfig');
    }
    await requireBackup(file);
    await writeWhole(file, given['data-dir'] === '' ? download(input) : ofDirectory(input), async (unfinished) => {
      // Its name is not for others to see.
      const named = (error: unknown): never => {
        throw error instanceof Error ? new Error(error.message.replaceAll(unfinished, file), { cause: error }) : error;
      };
      await verifyBackup(unfinished, { onProgress: (done, total) => progress.show('checking', done, total), signal }).catch(named);
    });
    progress.end();
    const { keys, revision } = await verifyHead(file);
    io.out(`${file}: ${keys} keys at revision ${revision}, ${showBytes((await stat(file)).size)}\n`);
  },
});

/** A backup may take the place of an older one, and of nothing else. */
async function requireBackup(file: string): Promise<void> {
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (found === undefined) return;
  const isBackup = found.isFile() && (await verifyHead(file).then(Boolean, () => false));
  if (!isBackup) throw new Error(`${file} is there already, and is not a backup`);
}

async function verifyHead(file: string): Promise<BackupReader['head']> {
  await using backup = await BackupReader.open(file);
  return backup.head;
}

async function* ofDirectory({
  flags: given,
  io,
  progress,
  signal,
}: StoreCommandInput<typeof flags>): AsyncGenerator<Buffer, void, undefined> {
  const state = await snapshotOfDirectory(given['data-dir'], signal);
  for (const key of state.damaged) io.err(`Warning: the value of ${key} is damaged and is kept without it\n`);
  const about = { prefix: storagePrefix(given['etcd-prefix']), createdAt: new Date().toISOString() };
  let written = 0;
  for await (const piece of backupBytes(state, about)) {
    signal.throwIfAborted();
    written += piece.length;
    progress.show('writing', written, written);
    yield piece;
  }
}

async function* download({ flags: given, signal }: StoreCommandInput<typeof flags>): AsyncGenerator<Buffer, void, undefined> {
  const kubeconfig = given.kubeconfig || process.env['KUBECONFIG'] || join(homedir(), '.kube', 'config');
  const remote = loadKubeconfig(kubeconfig);
  const url = given.server === '' ? remote.url : new URL(given.server);
  using client = new StreamingClient(systemClock);
  const peer = {
    scheme: url.protocol === 'http:' ? 'http' : 'https',
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || 443,
    authorities: remote.authorities,
    insecure: remote.insecure ?? false,
    ...(remote.serverName !== undefined && { serverName: remote.serverName }),
    client: remote.client,
  } as const;
  const target = `${url.pathname.replace(/\/$/, '')}/wheelhouse/v1/backup`;
  const answer = await client.exchange(peer, { method: 'GET', target, headers: await remote.headers(), signal });
  if ('socket' in answer && 'head' in answer) throw new Error(`${url.origin} speaks another protocol`);
  const response = answer as IncomingMessage;
  if (response.statusCode !== 200) throw new Error(await refusal(url, response));
  for await (const piece of response) yield piece as Buffer;
}

async function refusal(url: URL, response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of response) if (text.length < 4096) text += String(piece);
  if (response.statusCode === 404) return `${url.origin} gives no backups: it needs --wheelhouse-api=backup`;
  let message = text.trim();
  try {
    message = (JSON.parse(text) as { message?: string }).message ?? message;
  } catch {
    // No Status: the text is all there is to say.
  }
  return `${url.origin} gives no backup: ${message} (${response.statusCode})`;
}
