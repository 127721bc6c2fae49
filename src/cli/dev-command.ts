import { join, relative, resolve } from 'node:path';
import { makeDirectorySync } from '../base/make-directory.ts';
import type { ControllerChoice } from '../controlplane/controller-names.ts';
import { controllerNames } from '../controlplane/controller-names.ts';
import { prepareDevFiles } from './dev-files.ts';
import type { DevFiles } from './dev-files.ts';
import { serverFlags } from './flags/index.ts';
import { FlagError, parseFlags } from './parse-flags.ts';
import type { CommandIo } from './server-command.ts';
import { serverCommand } from './server-command.ts';

const serviceRange = '10.96.0.0/16';

/** How the reader of the notices started this. */
export interface Invocation {
  /** the command that flags can be added to */
  readonly restart: string;
  /** where the guide to running pods is */
  readonly runningPods: string;
}

const inClone: Invocation = { restart: 'npm start --', runningPods: 'docs/guides/running-pods.md' };

/** kube-apiserver with everything it needs, on this machine only: certificates, an admin kubeconfig, the embedded store, RBAC, controllers. */
export async function devCommand(args: readonly string[], io: CommandIo, invocation = inClone): Promise<number> {
  let flags;
  try {
    flags = parseFlags(serverFlags, args).values;
  } catch (error) {
    if (!(error instanceof FlagError)) throw error;
    io.err(`Error: ${error.message} (${invocation.restart} --help)\n`);
    return 1;
  }
  if (flags.help || flags.version !== 'false') return serverCommand(args, io);

  const directory = resolve(flags['data-dir'] || 'wheelhouse-data');
  const bind = args.some((arg) => /^--bind[-_]address/.test(arg)) ? flags['bind-address'] : '127.0.0.1';
  const host = bind === '0.0.0.0' || bind === '::' ? '127.0.0.1' : bind;
  const server = `https://${host.includes(':') ? `[${host}]` : host}:${flags['secure-port']}`;
  let files: DevFiles;
  try {
    makeDirectorySync(directory);
    files = prepareDevFiles(directory, ['127.0.0.1', '::1', '10.96.0.1', host]);
  } catch (error) {
    io.err(`Error: cannot prepare ${directory}: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
  io.out(`data          ${directory}\n`);
  io.out(`certificates  ${files.made.length === 0 ? 'found' : `made ${files.made.length} files`} in ${join(directory, 'pki')}\n`);
  io.out(`starting      ${server}\n`);
  return serverCommand([...devArguments(files), ...withoutDataDirectory(args)], io, {
    quiet: true,
    ready: ({ flags: { 'embedded-controllers': controllers } }) => {
      files.writeKubeconfig(server);
      const kubeconfig = relative('.', files.kubeconfig);
      io.out(`ready         after ${(performance.now() / 1000).toFixed(2)} s\n`);
      io.out(`controllers   ${controllerNote(controllers, invocation)}\n\n`);
      io.out(`  export KUBECONFIG=${kubeconfig.startsWith('..') ? files.kubeconfig : `$PWD/${kubeconfig}`}\n  kubectl get namespaces\n\n`);
      io.out('Ctrl-C stops it.\n');
    },
    stopped: () => io.out(`stopped, data kept in ${directory}\n`),
    failed: (error) => io.err(`Error: ${startProblem(error, host, flags['secure-port'], invocation)}\n`),
  });
}

/** Which controllers run here; nothing here runs pods. */
function controllerNote(choice: ControllerChoice, { runningPods }: Invocation): string {
  const names = choice === true ? controllerNames : choice === false ? [] : choice;
  const running = names.length === 0 ? 'none' : names.map((name) => name.replace(/-controller$/, '')).join(', ');
  return `${running}; deployments and pods stay pending, ${runningPods} says how they run`;
}

/** Why the server did not start, and what to type instead. */
function startProblem(error: unknown, host: string, port: number, { restart }: Invocation): string {
  const message = error instanceof Error ? error.message : String(error);
  if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') return message;
  return `port ${port} of ${host} is in use by another process; stop that, or choose another port: ${restart} --secure-port=${port + 1}`;
}

/** Flags given by the user come later and win. */
function devArguments(files: DevFiles): string[] {
  return [
    '--bind-address=127.0.0.1',
    `--data-dir=${files.store}`,
    `--client-ca-file=${files.authority}`,
    `--tls-cert-file=${files.serving.certificate}`,
    `--tls-private-key-file=${files.serving.key}`,
    '--allow-privileged=true',
    '--authorization-mode=RBAC',
    '--service-account-issuer=https://kubernetes.default.svc.cluster.local',
    `--service-account-key-file=${files.tokenKeys.public}`,
    `--service-account-signing-key-file=${files.tokenKeys.private}`,
    `--service-cluster-ip-range=${serviceRange}`,
    '--embedded-controllers=true',
    `--cluster-signing-cert-file=${files.authority}`,
    `--cluster-signing-key-file=${files.authorityKey}`,
  ];
}

/** --data-dir names the folder of everything here; the server gets the store within it. */
function withoutDataDirectory(args: readonly string[]): string[] {
  const isFlag = (arg: string | undefined): boolean => arg !== undefined && /^--data[-_]dir$/.test(arg);
  return args.filter((arg, index) => !isFlag(arg) && !isFlag(args[index - 1]) && !/^--data[-_]dir=/.test(arg));
}
