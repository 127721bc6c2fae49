import { join } from 'node:path';
import { EtcdProcess, freePort } from '../etcd/etcd-process.ts';
import { runGuide } from '../servers/guide-commands.ts';
import { findReference } from '../servers/reference-binaries.ts';
import { executable } from './command.ts';

export async function guide(root: string): Promise<string> {
  findReference('kubectl');
  await using etcd = await EtcdProcess.start();
  const environment = { ETCD: etcd.endpoint };
  const { blocks } = await runGuide({
    page: 'backup-and-move.md',
    folder: join(root, 'guide'),
    executable,
    port: await freePort(),
    environment,
  });
  return `${blocks} blocks of commands`;
}
