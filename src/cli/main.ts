import { enableCompileCache } from 'node:module';

// Compiled code is kept in the user's cache folder from one start to the next; where that is not writable, nothing is kept.
enableCompileCache();

const [command, ...rest] = process.argv.slice(2);
const io = { out: (text: string) => void process.stdout.write(text), err: (text: string) => void process.stderr.write(text) };
// The reader of the output has gone: no reason to stop serving.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
if (command === 'dev') {
  const { devCommand } = await import('./dev-command.ts');
  process.exitCode = await devCommand(rest, io);
} else if (command === 'wheelhouse') {
  const { wheelhouseCommand } = await import('./wheelhouse-command.ts');
  process.exitCode = await wheelhouseCommand(rest, io);
} else {
  const { serverCommand } = await import('./server-command.ts');
  process.exitCode = await serverCommand(process.argv.slice(2), io);
}
