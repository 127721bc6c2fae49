import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync } from 'node:fs';
import { access, chmod, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { makeDirectory } from '../base/make-directory.ts';
import { kubernetesVersion } from '../server/object/kubernetes-version.ts';
import { bool, string } from './flags/flag-kinds.ts';
import { embeddedControllers } from './flags/embedded-controllers-flag.ts';
import { flagGroup, shorthand } from './flags/flag.ts';
import type { FlagValues } from './flags/flag.ts';
import { renderHelp } from './help.ts';
import { parseFlags } from './parse-flags.ts';
import type { CommandIo } from './server-command.ts';

const group = flagGroup('Envtest', {
  dir: string('', "Folder to prepare, made if it does not exist. Left out: one in the user's cache folder"),
  etcd: string('', 'An etcd to put there instead of the one that comes with Wheelhouse'),
  'embedded-controllers': embeddedControllers(
    'Controllers that API servers started from the folder run, so that namespaces go away and owners take their objects with them. ' +
      'WHEELHOUSE_EMBEDDED_CONTROLLERS in the environment of the tests says otherwise',
  ),
  print: shorthand(string('path', 'path prints the folder, env a line that a shell can evaluate'), 'p'),
  help: shorthand(bool(false, 'Print this and stop'), 'h'),
});

const intro = `Prepares a folder for KUBEBUILDER_ASSETS, where controller-runtime's envtest finds kube-apiserver, etcd and kubectl, and prints it.
Nothing is downloaded.`;

/** What the programs in the folder start with: a folder with others in their place is left alone. */
const mark = '# Made by wheelhouse envtest.';

/** Runs `wheelhouse envtest` with these arguments. */
export async function envtestCommand(args: readonly string[], io: CommandIo): Promise<number> {
  try {
    const { values: flags, positional } = parseFlags(group.flags, args);
    if (flags.help) {
      io.out(renderHelp(intro, 'wheelhouse envtest [flags]', [group], process.stdout.columns));
      return 0;
    }
    if (positional.length > 0) throw new Error(`wheelhouse envtest takes flags only, not ${JSON.stringify(positional[0])}`);
    if (flags.print !== 'path' && flags.print !== 'env') throw new Error(`--print: ${flags.print} is neither path nor env`);
    if (process.platform === 'win32') throw new Error('envtest needs a shell for its programs, which Windows does not have');
    const folder = await prepare(flags, io);
    io.out(flags.print === 'path' ? `${folder}\n` : `export KUBEBUILDER_ASSETS=${quoted(folder)}\n`);
    return 0;
  } catch (error) {
    io.err(`Error: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}

async function prepare(flags: FlagValues<typeof group.flags>, io: CommandIo): Promise<string> {
  const bin = programFolder();
  const controllers = String(flags['embedded-controllers']);
  const etcd = flags.etcd === '' ? join(bin, 'etcd') : resolve(flags.etcd);
  if (!isExecutable(etcd)) throw new Error(`there is no program ${etcd}`);
  const folder = flags.dir === '' ? defaultFolder([bin, controllers, etcd].join('\n')) : resolve(flags.dir);
  await makeDirectory(folder).catch((error: Error) => {
    throw new Error(`the folder ${folder} cannot be made: ${error.message}`, { cause: error });
  });
  const choice = `\${WHEELHOUSE_EMBEDDED_CONTROLLERS:-${controllers}}`;
  await put(folder, 'kube-apiserver', `exec ${quoted(join(bin, 'kube-apiserver'))} "--embedded-controllers=${choice}" "$@"`);
  await put(folder, 'etcd', `exec ${quoted(etcd)} "$@"`);
  await linkKubectl(folder, io);
  return folder;
}

async function linkKubectl(folder: string, io: CommandIo): Promise<void> {
  const link = join(folder, 'kubectl');
  const kubectl = (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((one) => join(one, 'kubectl'))
    .find(isExecutable);
  if (kubectl !== undefined && resolve(kubectl) !== link) {
    await rm(link, { force: true });
    await symlink(kubectl, link);
  } else if (kubectl === undefined && !existsSync(link)) {
    io.err('kubectl is not in PATH and therefore not in the folder; envtest needs it only for KubeCtl() of its control plane\n');
  }
}

async function put(folder: string, name: string, command: string): Promise<void> {
  const file = join(folder, name);
  const before = await readFile(file, 'latin1').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (before !== undefined && !before.includes(mark)) throw new Error(`${file} is another program; choose another folder with --dir`);
  const text = `#!/bin/sh\n${mark}\n${command}\n`;
  if (before === text) return;
  // Tests may be starting the one that is there.
  await writeFile(`${file}.${process.pid}`, text);
  await chmod(`${file}.${process.pid}`, 0o755);
  await rename(`${file}.${process.pid}`, file);
  await access(file, constants.X_OK);
}

/** bin/ of the package: beside dist/, or above src/cli. */
function programFolder(): string {
  const entry = process.argv[1] ?? '';
  for (let folder = dirname(entry); folder !== dirname(folder); folder = dirname(folder)) {
    if (isExecutable(join(folder, 'bin', 'kube-apiserver')) && existsSync(join(folder, 'bin', 'etcd'))) return join(folder, 'bin');
  }
  throw new Error(`the programs of Wheelhouse are not found from ${entry}`);
}

function defaultFolder(contents: string): string {
  const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  const { major, minor, patch } = kubernetesVersion;
  const hash = createHash('sha256').update(contents).digest('hex').slice(0, 8);
  return join(cache, 'wheelhouse', 'envtest', `${major}.${minor}.${patch}-${hash}`);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
