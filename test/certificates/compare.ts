/**
 * `npm run test:certificates [-- --record] [-- --executable FILE]`: chains of client certificates, right and wrong, shown to ours and to
 * upstream by a Go program that sends whatever it is given. Both must take each for the same user, or for no user, as the owner of the
 * certificate and as a front proxy. `--record` writes down what upstream says, for `replay.test.ts`.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { EtcdProcess } from '../etcd/etcd-process.ts';
import { prepareDevFiles } from '../../src/cli/dev-files.ts';
import { ApiServerProcess } from '../servers/api-server-process.ts';
import { installOurs } from '../servers/our-package.ts';
import { findReference } from '../servers/reference-binaries.ts';
import type { ChainCase } from './chain-cases.ts';
import { makeChainCases } from './chain-cases.ts';
import type { Verdict, Verdicts } from './verdict.ts';
import { proxyHeaders, verdictOf } from './verdict.ts';

const { values } = parseArgs({ options: { executable: { type: 'string' }, record: { type: 'boolean', default: false } } });
const root = mkdtempSync(join(tmpdir(), 'wheelhouse-certificates-'));
await using owned = new AsyncDisposableStack();
owned.defer(() => rmSync(root, { recursive: true, force: true }));

const { roots, cases } = makeChainCases(Date.now());
const program = join(root, 'certificates');
execFileSync('go', ['build', '-o', program, '.'], {
  cwd: join(import.meta.dirname, 'go'),
  env: { ...process.env, CGO_ENABLED: '0' },
  stdio: 'inherit',
});

const pem = (bytes: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${(bytes.toString('base64').match(/.{1,64}/g) ?? []).join('\n')}\n-----END CERTIFICATE-----\n`;

/** the handshake failed, as it does in Go where a certificate cannot be read */
const refusal = /remote error: tls|connection reset|broken pipe|EOF/;

interface Answer {
  readonly status: number;
  readonly error?: string;
  readonly body?: { readonly message?: string; readonly status?: { readonly userInfo: object } };
}

async function ask(url: string, headers: Readonly<Record<string, string>>): Promise<Map<string, Verdict | null>> {
  const child = spawn(program, [url], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const verdict = async (one: ChainCase): Promise<Verdict | null> => {
    const key = one.chain[0]?.privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64');
    child.stdin.write(`${JSON.stringify({ chain: one.chain.map(({ bytes }) => bytes.toString('base64')), key, headers })}\n`);
    const { status, error, body } = JSON.parse((await lines.next()).value as string) as Answer;
    const user = body?.status?.userInfo;
    if (status === 201 && user !== undefined) return verdictOf(user, one, headers === proxyHeaders);
    if (status === 403) return { name: /User "(.*?)" cannot/.exec(body?.message ?? '')?.[1] ?? '', isForbidden: true };
    if (status !== 401 && !refusal.test(error ?? '')) throw new Error(`${one.name}: ${status} ${error}`);
    return null;
  };
  const verdicts = new Map<string, Verdict | null>();
  for (const one of cases) verdicts.set(one.name, await verdict(one));
  child.stdin.end();
  return verdicts;
}

/** A server with the roots as authorities of clients, and then one with them as authorities of front proxies: no server may have both. */
async function verdictsOf(name: string, executable: string, storage: { etcd: string } | 'embedded'): Promise<Map<string, Verdicts>> {
  const folder = join(root, name);
  const files = prepareDevFiles(folder, ['127.0.0.1']);
  const pool = join(folder, 'pool.crt');
  const trusted = roots.map(({ bytes }) => pem(bytes)).join('');
  const run = async (flags: readonly string[], headers: Readonly<Record<string, string>>): Promise<Map<string, Verdict | null>> => {
    await using server = await ApiServerProcess.start({ executable, folder, storage, files, flags });
    return await ask(server.url, headers);
  };
  writeFileSync(pool, readFileSync(files.authority, 'utf8') + trusted);
  const clients = await run([`--client-ca-file=${pool}`], {});
  writeFileSync(pool, trusted);
  const proxies = await run(
    [
      `--requestheader-client-ca-file=${pool}`,
      '--requestheader-username-headers=X-Remote-User',
      '--requestheader-group-headers=X-Remote-Group',
      '--requestheader-extra-headers-prefix=X-Remote-Extra-',
    ],
    proxyHeaders,
  );
  return new Map([...clients].map(([one, client]) => [one, { client, proxy: proxies.get(one) ?? null }]));
}

const etcd = owned.use(await EtcdProcess.start());
const theirs = await verdictsOf('reference', findReference('kube-apiserver'), { etcd: etcd.endpoint });
const refused = [...theirs.values()].flatMap(({ client, proxy }) => [client, proxy]).filter((one) => one === null).length;
console.log(`upstream: ${cases.length} chains, ${cases.length * 2} questions, ${refused} refused`);
if (values.record) {
  const file = join(import.meta.dirname, 'verdicts.json');
  writeFileSync(file, `{\n${[...theirs].map(([name, one]) => `  ${JSON.stringify(name)}: ${JSON.stringify(one)}`).join(',\n')}\n}\n`);
  console.log(`written: ${file}`);
}

const executable = values.executable ?? installOurs(join(root, 'package'));
const ours = await verdictsOf('ours', executable, 'embedded');
let differing = 0;
for (const [name, expected] of theirs) {
  const [left, right] = [JSON.stringify(expected), JSON.stringify(ours.get(name))];
  if (left === right) continue;
  differing++;
  console.log(`✖ ${name}\n  upstream ${left}\n  ours     ${right}`);
}
console.log(`${cases.length} chains, ${differing} differ`);
process.exitCode = differing === 0 ? 0 : 1;
