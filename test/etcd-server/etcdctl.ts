import { spawn } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findReference } from '../servers/reference-binaries.ts';

/** Each with what it reads; words in capitals are put in. */
const commands: readonly (readonly [command: string, input?: string])[] = [
  ['put a 1'],
  ['put b 2 --prev-kv'],
  ['put a 3 --prev-kv'],
  ['get a'],
  ['get a -w fields'],
  ['get a --print-value-only'],
  ['get a --rev=2'],
  ['get --prefix "" --keys-only'],
  ['get --prefix "" --count-only -w fields'],
  ['get --from-key b'],
  ['get --prefix "" --order=DESCEND --sort-by=VALUE --limit=1'],
  ['get a --rev=99'],
  ['txn', 'value("a") = "3"\n\nput c 4\nget a\n\nput d 5\n\n'],
  ['txn', 'mod("a") > "100"\n\nput c 4\n\ndel c\nget c\n\n'],
  ['del b --prev-kv'],
  ['del nothing'],
  ['watch a --rev=2 --prev-kv', ''],
  ['lease grant 100 -w fields'],
  ['lease list'],
  ['lease timetolive 1'],
  ['lease revoke 1'],
  ['put with-lease x --lease=1'],
  ['compaction 3'],
  ['compaction 3'],
  ['get a --rev=2'],
  ['endpoint health'],
  ['endpoint status -w fields'],
  ['member list -w fields'],
  ['alarm list'],
  ['alarm disarm'],
  ['defrag'],
  ['snapshot save SNAPSHOT'],
];

export async function compareCommands(ours: string, theirs: string): Promise<{ compared: number; different: string[] }> {
  const etcdctl = findReference('etcdctl');
  const folder = await mkdtemp(join(tmpdir(), 'etcdctl-'));
  const different: string[] = [];
  try {
    for (const [command, input] of commands) {
      const [mine, its] = await Promise.all(
        [ours, theirs].map(async (endpoint, i) => {
          const snapshot = join(folder, `snapshot-${i}.db`);
          const shown = await run(etcdctl, endpoint, command.replace('SNAPSHOT', snapshot), input);
          return command.includes('SNAPSHOT') ? `${shown} ${(await stat(snapshot)).size % 512}` : shown;
        }),
      );
      if (mine !== its) different.push(`etcdctl ${command}\n--- ours\n${mine}\n--- theirs\n${its}`);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return { compared: commands.length, different };
}

/** What the command prints, without what differs between two servers that behave the same. */
async function run(etcdctl: string, endpoint: string, command: string, input = ''): Promise<string> {
  const args = (command.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ''));
  const child = spawn(etcdctl, [`--endpoints=${endpoint}`, ...args]);
  let text = '';
  const note = (chunk: Buffer): void => {
    text += chunk.toString();
    // It watches until it is stopped: after the eight lines of two events here.
    if (command.startsWith('watch') && text.split('\n').length > 8) child.kill();
  };
  child.stdout.on('data', note);
  child.stderr.on('data', note);
  child.stdin.end(input);
  const code = await new Promise((resolve) => child.once('close', resolve));
  return `${text}exit ${String(code)}`
    .replaceAll(/^\{"level".*\n/gm, '')
    .replaceAll(endpoint, 'ENDPOINT')
    .replaceAll(/snapshot-\d\.db/g, 'snapshot.db')
    .replaceAll(/http:\/\/[\d.]+:\d+/g, 'URL')
    .replaceAll(/took[ =]+[\d.]+(?:ms|µs|s)/g, 'took TIME')
    .replaceAll(
      /"(ClusterID|MemberID|ID|Leader|RaftIndex|RaftAppliedIndex|DBSize|DBSizeInUse|DBSizeQuota|MemberId|ClusterId)" : \d+/g,
      '"$1" : N',
    )
    .replaceAll(/\b[\da-f]{16}\b/g, 'ID');
}
