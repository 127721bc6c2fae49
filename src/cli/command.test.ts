import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:https';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { eventually } from '../../test/support/eventually.ts';

const main = join(import.meta.dirname, 'main.ts');
const folder = mkdtempSync(join(tmpdir(), 'command-'));
after(() => rmSync(folder, { recursive: true, force: true }));

function run(...args: string[]): { status: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], { encoding: 'utf8', cwd: folder });
  return { status, out: stdout, err: stderr };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

async function fetchText(port: number, path: string): Promise<{ status: number; text: string }> {
  const agent = new Agent({ rejectUnauthorized: false });
  try {
    return await new Promise((resolve, reject) => {
      get({ host: '127.0.0.1', port, path, agent }, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part: string) => (text += part));
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
      }).on('error', reject);
    });
  } finally {
    agent.destroy();
  }
}

async function untilHealthy(port: number, log: () => string): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const answer = await fetchText(port, '/healthz').catch((error: unknown) => error);
    if (!(answer instanceof Error) && (answer as { status: number }).status === 200) return;
    if (attempt > 200) throw new Error(`the server did not become healthy: ${String(answer)}\n${log()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The flags of controller-runtime's envtest, with the embedded store in place of etcd. */
function envtestFlags(port: number): string[] {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  writeFileSync(join(folder, 'sa-signer.key'), privateKey.export({ type: 'pkcs1', format: 'pem' }));
  writeFileSync(join(folder, 'sa-signer.crt'), publicKey.export({ type: 'spki', format: 'pem' }));
  return [
    '--allow-privileged=true',
    '--authorization-mode=RBAC',
    '--bind-address=127.0.0.1',
    `--cert-dir=${folder}`,
    '--disable-admission-plugins=ServiceAccount',
    `--data-dir=${join(folder, 'store')}`,
    `--secure-port=${port}`,
    `--service-account-issuer=https://127.0.0.1:${port}/`,
    `--service-account-key-file=${join(folder, 'sa-signer.crt')}`,
    `--service-account-signing-key-file=${join(folder, 'sa-signer.key')}`,
    '--service-cluster-ip-range=10.0.0.0/24',
  ];
}

test('--help and --version print to standard output and end well', () => {
  const help = run('--help');
  assert.equal(help.status, 0);
  assert.match(help.out, /\nSecure serving flags:\n\n {6}--bind-address ip /);
  assert.doesNotMatch(help.out, /^\s*--insecure-port/m);
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as { version: string };
  assert.deepEqual(run('--version'), { status: 0, out: 'Kubernetes v1.37.1\n', err: '' });
  assert.match(run('--version=raw').out, new RegExp(`GitVersion:"v1.37.1", .*Wheelhouse:"${version}"`));
});

test('wheelhouse has a short help, tells versions, and names its commands when it does not know one', () => {
  const help = run('wheelhouse', '--help');
  assert.equal(help.status, 0);
  assert.match(help.out, /^The Kubernetes API server .*\n\nUsage:\n {2}wheelhouse \[flags\]/);
  assert.ok(help.out.split('\n').length < 32);
  assert.match(run('wheelhouse', '--version').out, /^Kubernetes v1\.37\.1\nWheelhouse v\d+\.\d+\.\d+\n$/);
  assert.match(run('wheelhouse', 'kube-apiserver', '--help').out, /\nSecure serving flags:\n/);
  const err =
    'Error: unknown command "strat"; there are dev, kube-apiserver, envtest, etcd, backup, restore, verify, compact, migrate, and wheelhouse --help\n';
  assert.deepEqual(run('wheelhouse', 'strat'), { status: 1, out: '', err });
  assert.deepEqual(run('wheelhouse', '--bogus'), { status: 1, out: '', err: 'Error: unknown flag: --bogus (npx wheelhouse --help)\n' });
});

test('wrong flags end with the message of upstream', () => {
  assert.deepEqual(run('--bogus'), { status: 1, out: '', err: 'Error: unknown flag: --bogus\n' });
  assert.deepEqual(run('--profiling', 'foo'), {
    status: 1,
    out: '',
    err: 'Error: "kube-apiserver" does not take any arguments, got ["foo"]\n',
  });
});

test('an unknown feature gate stops the start', () => {
  const { status, err } = run('--feature-gates=Bogus=true');
  assert.equal(status, 1);
  assert.match(err, /"command failed" err="unrecognized feature gate: Bogus"\n$/);
});

test('all that is wrong with the options is told at once, in the order of upstream', () => {
  const { status, err } = run(
    '--secure-port=0',
    '--authorization-mode=Foo,RBAC,RBAC',
    '--authorization-policy-file=x',
    '--enable-admission-plugins=Foo',
  );
  assert.equal(status, 1);
  const expected =
    '[--secure-port 0 must be between 1 and 65535, inclusive. It cannot be turned off with 0, service-account-issuer is a required flag, either `--service-account-key-file` or `--service-account-signing-endpoint` must be set, authorization-mode "Foo" is not a valid mode, cannot specify --authorization-policy-file without mode ABAC, authorization-mode ["Foo" "RBAC" "RBAC"] has mode specified more than once, enable-admission-plugins plugin "Foo" is unknown, --service-account-signing-key-file and --service-account-issuer are required flags]';
  assert.ok(err.includes(`"command failed" err=${JSON.stringify(expected)}`), err);
});

test("the server starts with envtest's flags, is healthy for anybody, keeps its certificate and stops on SIGTERM", async () => {
  const port = await freePort();
  const flags = envtestFlags(port);
  let firstCertificate: string | undefined;
  const told = join(folder, 'told');
  writeFileSync(join(folder, 'systemd-notify'), `#!/bin/sh\necho "$@" >>'${told}'\n`, { mode: 0o755 });
  const env = { ...process.env, NOTIFY_SOCKET: '/run/none', PATH: `${folder}:${process.env['PATH']}` };
  for (const round of ['first', 'second']) {
    const server = spawn(process.execPath, [main, ...flags], { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] });
    let log = '';
    server.stderr.setEncoding('utf8').on('data', (part: string) => (log += part));
    const ended = once(server, 'exit');
    try {
      await untilHealthy(port, () => log);
      assert.equal((await fetchText(port, '/api/v1/namespaces')).status, 403, `${round} start`);
      const certificate = readFileSync(join(folder, 'apiserver.crt'), 'utf8');
      firstCertificate ??= certificate;
      assert.equal(certificate, firstCertificate);
    } finally {
      server.kill('SIGTERM');
    }
    assert.deepEqual(await ended, [0, null], log);
    assert.match(log, /Serving securely on 127\.0\.0\.1:/);
    const expected = [`--pid=${server.pid} READY=1`, `--pid=${server.pid} STOPPING=1`];
    await eventually('systemd is told', async () => {
      const lines = existsSync(told) ? readFileSync(told, 'utf8').split('\n') : [];
      return expected.every((line) => lines.includes(line)) ? true : undefined;
    });
  }
});
