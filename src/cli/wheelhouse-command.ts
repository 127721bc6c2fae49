import { devCommand } from './dev-command.ts';
import type { CommandIo } from './server-command.ts';
import { storeCommands } from './store-commands.ts';
import { serverCommand } from './server-command.ts';
import { versionText, wheelhouseVersion } from './version.ts';

const help = `The Kubernetes API server in TypeScript, for your machine and your tests.

Usage:
  wheelhouse [flags]                 start a development server: certificates, kubeconfig, store and controllers included
  wheelhouse kube-apiserver [flags]  start the drop-in for kube-apiserver, which takes all of its flags (--help lists them)
  wheelhouse envtest [flags]         prepare a folder for KUBEBUILDER_ASSETS and print it, for tests with controller-runtime's envtest
  wheelhouse etcd [flags]            start an etcd of one member, for kube-apiserver and tests (--help lists its flags)

On what a server has kept (--help of each says more):
  wheelhouse backup FILE             write a backup, of a running server or of a data directory
  wheelhouse restore FILE            make a data directory of a backup
  wheelhouse verify FILE|DIR         read a backup or a data directory to its end
  wheelhouse compact DIR             give back the space of old history
  wheelhouse migrate                 move everything between a data directory and etcd

Flags of the development server (and all of kube-apiserver):
      --data-dir DIR                 folder of everything that is kept (default ./wheelhouse-data)
      --secure-port PORT             port of 127.0.0.1 (default 6443)
      --embedded-controllers NAMES   controllers to run, with commas between; true (default): all, false: none
  -h, --help                         print this
      --version                      print the versions of Kubernetes and Wheelhouse

In tests:
  import { startTestServer } from 'wheelhouse/testing';

More: https://github.com/wheelhouse/wheelhouse
`;

/** What `npx wheelhouse` does. */
export async function wheelhouseCommand(args: readonly string[], io: CommandIo): Promise<number> {
  const [command = '', ...rest] = args;
  if (command === 'kube-apiserver') return serverCommand(rest, io);
  if (command === 'etcd') return (await import('./etcd-command.ts')).etcdCommand(rest, io);
  if (command === 'envtest') return (await import('./envtest-command.ts')).envtestCommand(rest, io);
  if (Object.hasOwn(storeCommands, command)) return (await storeCommands[command]!()).run(rest, io);
  if (command !== 'dev' && command !== 'help' && command !== '' && !command.startsWith('-')) {
    io.err(
      `Error: unknown command ${JSON.stringify(command)}; there are ${['dev', 'kube-apiserver', 'envtest', 'etcd', ...Object.keys(storeCommands)].join(', ')}, and wheelhouse --help\n`,
    );
    return 1;
  }
  const flags = command === 'dev' ? rest : args;
  if (command === 'help' || flags.includes('--help') || flags.includes('-h')) {
    io.out(help);
    return 0;
  }
  if (flags.includes('--version')) {
    io.out(`${versionText('true')}\nWheelhouse v${wheelhouseVersion}\n`);
    return 0;
  }
  return devCommand(flags, io, packaged);
}

const packaged = {
  restart: 'npx wheelhouse',
  runningPods: 'https://github.com/wheelhouse/wheelhouse/blob/main/docs/guides/running-pods.md',
};
