import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

const run = promisify(execFile);
const main = join(import.meta.dirname, 'main.ts');

async function envtest(args: readonly string[], environment: Record<string, string> = {}): Promise<{ stdout: string; stderr: string }> {
  return run(process.execPath, [main, 'wheelhouse', 'envtest', ...args], { env: { ...process.env, ...environment } });
}

async function refusal(args: readonly string[]): Promise<string> {
  const error = await envtest(args).then(
    () => undefined,
    (caught: unknown) => caught as { stderr: string },
  );
  assert.ok(error, 'it is refused');
  return error.stderr;
}

test('a folder with the programs that envtest looks for is made and printed, again and again', async () => {
  const home = await mkdtemp(join(tmpdir(), 'envtest-'));
  const environment = { XDG_CACHE_HOME: home, PATH: '/nonexistent' };
  const first = await envtest([], environment);
  const folder = first.stdout.trim();
  assert.ok(folder.startsWith(join(home, 'wheelhouse', 'envtest', '1.37.1-')));
  assert.match(first.stderr, /^kubectl is not in PATH/);
  assert.match(await readFile(join(folder, 'kube-apiserver'), 'utf8'), /WHEELHOUSE_EMBEDDED_CONTROLLERS:-false/);
  const { stdout } = await run(join(folder, 'etcd'), ['--help']);
  assert.match(stdout, /^ +--unsafe-no-fsync/m);
  assert.equal((await envtest([], environment)).stdout, first.stdout);
  const other = await envtest(['--embedded-controllers', '--print=env'], environment);
  assert.match(other.stdout, /^export KUBEBUILDER_ASSETS='.*'\n$/);
  assert.ok(!other.stdout.includes(folder), 'other controllers, another folder');
  await rm(home, { recursive: true });
});

test('what cannot be prepared is refused in one line', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'envtest-'));
  assert.match(await refusal(['--dir', main]), /^Error: the folder .*main\.ts cannot be made: it is a file\n$/);
  assert.match(await refusal(['--etcd', '/nonexistent/etcd']), /^Error: there is no program \/nonexistent\/etcd\n$/);
  assert.match(await refusal(['--print=json']), /^Error: --print: json is neither path nor env\n$/);
  assert.match(await refusal(['--embedded-controllers=nope']), /there is no controller nope/);
  await writeFile(join(folder, 'kube-apiserver'), 'another program');
  assert.match(await refusal(['--dir', folder]), /kube-apiserver is another program; choose another folder with --dir\n$/);
  await rm(folder, { recursive: true });
});

test('an etcd that cannot start says why in one line', async () => {
  const etcd = async (...args: string[]): Promise<string> => {
    const error = await run(process.execPath, [main, 'etcd', ...args]).then(
      () => undefined,
      (caught: unknown) => caught as { stderr: string },
    );
    assert.ok(error, 'it is refused');
    return error.stderr;
  };
  assert.equal(await etcd('--enable-v2'), 'Error: unknown flag: --enable-v2\n');
  assert.equal(
    await etcd('--listen-client-urls=127.0.0.1'),
    'Error: --listen-client-urls: "127.0.0.1" is not a URL as http://127.0.0.1:2379\n',
  );
  assert.equal(await etcd('--listen-client-urls=https://127.0.0.1:0'), 'Error: an https URL needs --cert-file and --key-file\n');
  assert.match(await etcd('--initial-cluster=a=http://a:1,b=http://b:1'), /names 2 members; this etcd is always alone/);
});
