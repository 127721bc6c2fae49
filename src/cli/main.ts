import { BoundedOutput } from '../base/logging/outputs.ts';
import type { CommandIo } from './server-command.ts';
import { storeCommands } from './store-commands.ts';

const [command, ...rest] = process.argv.slice(2);
const io = openIo();
if (command === 'dev') {
  const { devCommand } = await import('./dev-command.ts');
  process.exitCode = await devCommand(rest, io);
} else if (command === 'etcd') {
  const { etcdCommand } = await import('./etcd-command.ts');
  process.exitCode = await etcdCommand(rest, io);
} else if (command === 'worker-thread') {
  const { workerCommand } = await import('./worker-command.ts');
  process.exitCode = await workerCommand(io);
} else if (command === 'wheelhouse') {
  const { wheelhouseCommand } = await import('./wheelhouse-command.ts');
  process.exitCode = await wheelhouseCommand(rest, io);
} else if (command !== undefined && Object.hasOwn(storeCommands, command)) {
  process.exitCode = await (await storeCommands[command]!()).run(rest, io);
} else {
  const { serverCommand } = await import('./server-command.ts');
  process.exitCode = await serverCommand(process.argv.slice(2), io);
}
// Output that is not read must not keep a process that has nothing else to do.
setTimeout(() => process.exit(), 1000).unref();

/** Where the command writes to. A stream is opened when it is first written to: that takes Node a while, and a server writes to one only. */
function openIo(): CommandIo {
  let out: BoundedOutput | undefined;
  let err: BoundedOutput | undefined;
  const open = (stream: NodeJS.WriteStream): BoundedOutput => {
    // The reader of the output has gone: no reason to stop serving.
    stream.on('error', () => {});
    return new BoundedOutput(stream, (lines) => `[${lines} lines were not written: they were not read fast enough]\n`);
  };
  return {
    out: (text) => (out ??= open(process.stdout)).write(text),
    err: (text) => (err ??= open(process.stderr)).write(text),
    blockedMs: () => Math.max(out?.blockedMs ?? 0, err?.blockedMs ?? 0),
  };
}
