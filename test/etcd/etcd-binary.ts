import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { kubernetesRelease } from '../../tools/kubernetes-release.ts';

const run = promisify(execFile);

/** What the etcd of a Kubernetes v1.37 control plane is built from. */
const moduleVersion = 'v3.7.0';
const packageOfServer = 'go.etcd.io/etcd/server/v3';

async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

async function onPath(name: string): Promise<string | undefined> {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const file = join(folder, name);
    if (folder !== '' && (await isExecutable(file))) return file;
  }
  return undefined;
}

function cacheFolder(): string {
  return process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
}

/** The server's main lives in its module's root, so a module of two lines that imports it is enough to build it. */
async function buildWithGo(target: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'etcd-build-'));
  try {
    await writeFile(join(folder, 'go.mod'), `module etcdbuild\n\ngo 1.26\n\nrequire ${packageOfServer} ${moduleVersion}\n`);
    await writeFile(
      join(folder, 'main.go'),
      `package main\n\nimport (\n\t"os"\n\n\t"${packageOfServer}/etcdmain"\n)\n\nfunc main() { etcdmain.Main(os.Args) }\n`,
    );
    const options = { cwd: folder, env: { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-mod=mod -buildvcs=false' }, maxBuffer: 1 << 26 };
    await run('go', ['mod', 'tidy'], options);
    await run('go', ['build', '-trimpath', '-o', join(folder, 'etcd'), '.'], options);
    await mkdir(join(target, '..'), { recursive: true });
    await rename(join(folder, 'etcd'), target).catch(async () => {
      await run('cp', [join(folder, 'etcd'), target]);
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Path of an etcd to test with: `$ETCD`, one built before, one on the path, one built now from the public Go module, or Debian's package.
 * Throws when none can be had; tests against etcd are never skipped silently.
 */
export async function findEtcd(log: (line: string) => void = console.error): Promise<string> {
  const given = process.env['ETCD'];
  if (given !== undefined && given !== '') {
    if (await isExecutable(given)) return given;
    throw new Error(`ETCD=${given} is not an executable file`);
  }
  const built = join(cacheFolder(), 'wheelhouse', `etcd-${moduleVersion}`);
  for (const file of [join(cacheFolder(), 'kubernetes-reference', kubernetesRelease.version, 'etcd'), built]) {
    if (await isExecutable(file)) return file;
  }
  const found = await onPath('etcd');
  if (found !== undefined) return found;
  const failures: string[] = [];
  if ((await onPath('go')) !== undefined) {
    log(`no etcd found: building ${packageOfServer}@${moduleVersion} ...`);
    try {
      await buildWithGo(built);
      return built;
    } catch (error) {
      failures.push(`go build: ${error instanceof Error ? error.message : String(error)}`);
    }
  } else {
    failures.push('go is not installed');
  }
  if (process.getuid?.() === 0 && (await onPath('apt-get')) !== undefined) {
    log('installing the package etcd-server ...');
    try {
      await run('apt-get', ['install', '-y', '--no-install-recommends', 'etcd-server'], {
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      });
      const installed = await onPath('etcd');
      if (installed !== undefined) return installed;
    } catch (error) {
      failures.push(`apt-get: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  throw new Error(`no etcd to test with; set ETCD=/path/to/etcd. Tried: ${failures.join('; ')}`);
}
