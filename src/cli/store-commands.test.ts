import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { snapshotOfDirectory } from '../storage/drivers/embedded/maintenance.ts';
import { openEmbeddedStorage } from '../storage/drivers/embedded/open.ts';
import { startTestServer } from '../testing/index.ts';
import { storeCommands } from './store-commands.ts';

const root = await mkdtemp(join(tmpdir(), 'wheelhouse-store-'));
after(() => rm(root, { recursive: true }));

interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function run(name: string, ...args: string[]): Promise<Outcome> {
  const said = { out: '', err: '' };
  const io = { out: (text: string) => void (said.out += text), err: (text: string) => void (said.err += text) };
  const code = await (await storeCommands[name]!()).run(args, io);
  return { code, ...said };
}

/** In a process of its own, which gets the signal as soon as the command runs; signals to this one are for the test runner. */
function interrupted(signal: NodeJS.Signals, name: string, ...args: string[]): Outcome {
  const program = `
    const { storeCommands } = await import(${JSON.stringify(new URL('store-commands.ts', import.meta.url))});
    const command = await storeCommands[${JSON.stringify(name)}]();
    const io = { out: (text) => process.stdout.write(text), err: (text) => process.stderr.write(text) };
    const running = command.run(${JSON.stringify(args)}, io);
    process.emit('${signal}', '${signal}');
    process.exitCode = await running;`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  return { code: status ?? -1, out: stdout, err: stderr };
}

async function fails(expected: RegExp, name: string, ...args: string[]): Promise<void> {
  const { code, out, err } = await run(name, ...args);
  assert.deepEqual({ code, out, lines: err.split('\n').length }, { code: 1, out: '', lines: 2 }, err);
  assert.match(err, expected);
}

async function filled(keys: number, size = 1000): Promise<string> {
  const directory = await mkdtemp(join(root, 's-'));
  await using storage = await openEmbeddedStorage({ directory });
  const value = Buffer.from('x'.repeat(size));
  const put = (i: number) => storage.transact([{ type: 'put', key: `/registry/configmaps/default/m-${i}`, value }]);
  await Promise.all(Array.from({ length: keys }, (_, i) => put(i)));
  return directory;
}

test('a directory goes into a backup and comes out of it', async () => {
  const directory = await filled(500);
  const [file, restored] = [join(root, 'a.backup'), join(root, 'a-restored')];
  assert.deepEqual(await run('backup', file, '--data-dir', directory), {
    code: 0,
    out: `${file}: 500 keys at revision 501, ${((await stat(file)).size / 1024).toFixed(1)} KiB\n`,
    err: '',
  });
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.match((await run('verify', file)).out, /: sound, 500 keys at revision 501, of 2\d{3}-/);
  const { code, out } = await run('restore', file, `--data-dir=${restored}`);
  assert.equal(code, 0);
  assert.match(out, /: 500 keys of .*, revision 501; the store goes on from revision 1000000501\n$/);
  assert.match((await run('verify', restored)).out, /: sound, 500 keys at revision 1000000501, /);
  assert.match((await run('compact', restored)).out, /: 500 keys at revision 1000000501, /);
  await fails(/^Error: data directory \S+ is not empty; choose another one, or say --replace/, 'restore', file, '--data-dir', restored);
  assert.equal((await run('restore', file, '--data-dir', restored, '--replace', '--bump-revision=0')).code, 0);
});

test('a running server gives its backup to its administrators alone', async () => {
  await using server = await startTestServer({ wheelhouse: { backup: true } });
  const [kubeconfig, tenants, file] = [join(root, 'admin.kubeconfig'), join(root, 'tenant.kubeconfig'), join(root, 'online.backup')];
  await writeFile(kubeconfig, server.kubeconfig);
  const tenant = server.issueClientCertificate('tenant');
  const [admins, own] = [
    [server.admin.certificate, tenant.certificate],
    [server.admin.key, tenant.key],
  ].map((pair) => pair.map((text) => Buffer.from(text!).toString('base64')));
  await writeFile(tenants, server.kubeconfig.replace(admins![0]!, admins![1]!).replace(own![0]!, own![1]!));
  const { code, out, err } = await run('backup', file, '--kubeconfig', kubeconfig);
  assert.deepEqual({ code, err }, { code: 0, err: '' });
  assert.match(out, /online\.backup: \d+ keys at revision \d+, /);
  const forbidden = /^Error: https:\S+ gives no backup: forbidden: User "tenant" cannot get path "\/wheelhouse\/v1\/backup" \(403\)\n$/;
  await fails(forbidden, 'backup', join(root, 'none'), '--kubeconfig', tenants);
  await fails(
    /^Error: .*ECONNREFUSED|connection refused/,
    'backup',
    join(root, 'none'),
    '--kubeconfig',
    kubeconfig,
    '--server=https://127.0.0.1:1',
  );
  await using other = await startTestServer();
  await writeFile(kubeconfig, other.kubeconfig);
  await fails(/gives no backups: it needs --wheelhouse-api=backup\n$/, 'backup', join(root, 'none'), '--kubeconfig', kubeconfig);
  assert.deepEqual(
    (await readdir(root)).filter((name) => name.startsWith('none') || name.endsWith('.tmp')),
    [],
  );
});

test('what cannot be done is one line, and nothing is lost', async () => {
  const directory = await filled(50);
  const other = join(root, 'not-a-backup');
  await writeFile(other, 'precious');
  const missing = join(root, 'missing');
  await fails(/^Error: \S+not-a-backup is there already, and is not a backup\n$/, 'backup', other, '--data-dir', directory);
  await fails(/^Error: \S+missing is not a data directory of Wheelhouse\n$/, 'backup', join(root, 'b'), '--data-dir', missing);
  await fails(/^Error: \S+missing is not a data directory of Wheelhouse\n$/, 'compact', missing);
  await fails(/^Error: \S+missing: no such file or directory\n$/, 'verify', missing);
  await fails(/^Error: \S+missing: no such file or directory\n$/, 'restore', missing, '--data-dir', join(root, 'c'));
  await fails(/^Error: \S+not-a-backup is not a backup: .* at byte 0\n$/, 'restore', other, '--data-dir', join(root, 'c'));
  await fails(/^Error: \S+ is not a backup/, 'restore', directory, '--data-dir', join(root, 'c'));
  await fails(/^Error: restore needs --data-dir/, 'restore', other);
  await fails(/^Error: usage: backup FILE/, 'backup');
  await fails(/^Error: unknown flag: --bogus\n$/, 'compact', directory, '--bogus');
  await fails(/^Error: migrate needs --from and --to/, 'migrate');
  await fails(/^Error: one of --from and --to must be a folder/, 'migrate', '--from', directory, '--to', missing);
  await fails(/^Error: \S+missing is not a data directory/, 'migrate', '--from', missing, '--to', 'http://127.0.0.1:1');
  {
    await using _open = await openEmbeddedStorage({ directory });
    const inUse = new RegExp(`^Error: data directory ${directory} is in use by process ${process.pid}; stop that process`);
    await fails(inUse, 'backup', join(root, 'b'), '--data-dir', directory);
    await fails(inUse, 'verify', directory);
    await fails(inUse, 'compact', directory);
    await fails(inUse, 'migrate', '--from', directory, '--to', 'http://127.0.0.1:1');
  }
  assert.equal(await readFile(other, 'utf8'), 'precious');
  assert.match((await run('verify', directory)).out, /: sound, 50 keys/);
  assert.match((await run('backup', '--help')).out, /Usage:\n {2}kube-apiserver backup FILE/);
});

test('a command that is interrupted ends at once, with the code of the signal, and leaves everything as it was', async () => {
  const directory = await filled(2000);
  const [file, target] = [join(root, 'interrupted.backup'), join(root, 'interrupted')];
  assert.equal((await run('backup', file, '--data-dir', directory)).code, 0);
  const state = async (): Promise<unknown> => {
    const { keyspace } = await snapshotOfDirectory(directory);
    return { entries: [...keyspace.entries()], backup: await readFile(file) };
  };
  const before = await state();
  for (const [signal, code, name, ...args] of [
    ['SIGTERM', 143, 'backup', file, '--data-dir', directory],
    ['SIGTERM', 143, 'restore', file, '--data-dir', target],
    ['SIGTERM', 143, 'verify', file],
    ['SIGTERM', 143, 'verify', directory],
    ['SIGINT', 130, 'compact', directory],
  ] as const) {
    const expected = { code, out: '', err: 'Interrupted: nothing was changed\n' };
    assert.deepEqual(interrupted(signal, name, ...args), expected, `${signal} to ${name} ${args[0]}`);
    assert.ok(isDeepStrictEqual(await state(), before), name);
  }
  assert.equal((await run('restore', file, '--data-dir', target)).code, 0, 'what was begun is not in the way');
  const url = 'http://127.0.0.1:1';
  const moved = interrupted('SIGTERM', 'migrate', '--from', directory, '--to', url);
  const again = `Interrupted: to go on from there, run it again: kube-apiserver migrate --from ${directory} --to ${url}\n`;
  assert.deepEqual(moved, { code: 143, out: '', err: again });
});

test('a file that cannot grow leaves nothing behind, and what was there stays', { skip: process.platform === 'win32' }, async () => {
  const directory = await filled(400, 10_000);
  const file = join(root, 'small.backup');
  assert.equal((await run('backup', file, '--data-dir', await filled(3))).code, 0);
  const main = join(import.meta.dirname, 'main.ts');
  // Blocks of 512 bytes, or of 1024.
  const limited = (...args: string[]): Outcome => {
    const shell = spawnSync('sh', ['-c', 'ulimit -f 1000; exec "$@"', 'sh', process.execPath, main, ...args], { encoding: 'utf8' });
    return { code: shell.status ?? -1, out: shell.stdout, err: shell.stderr };
  };
  const expected = { code: 1, out: '', err: 'Error: the file may not become that large; nothing was changed\n' };
  assert.deepEqual(limited('backup', file, '--data-dir', directory), expected);
  assert.match((await run('verify', file)).out, /: sound, 3 keys/);
  assert.deepEqual(limited('compact', directory), expected);
  assert.match((await run('verify', directory)).out, /: sound, 400 keys/);
  assert.deepEqual(
    (await readdir(root)).filter((name) => name.endsWith('.tmp')),
    [],
  );
});
