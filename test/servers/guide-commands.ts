import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { referenceFolder } from './reference-binaries.ts';

const guides = join(import.meta.dirname, '../../docs/guides');

export interface GuideRun {
  /** a file of docs/guides */
  readonly page: string;
  /** of its own; made here, and where the commands run */
  readonly folder: string;
  /** what `npx wheelhouse` starts */
  readonly executable: string;
  /** where servers listen */
  readonly port: number;
  /** commands that the reader of the guide has typed before */
  readonly before?: string;
  /** other places that are free here, for those that the guide names */
  readonly places?: ReadonlyMap<string, string>;
  readonly environment?: NodeJS.ProcessEnv;
  /** what is left to see while the programs that the guide has started still run; they end afterwards */
  readonly atEnd?: () => Promise<void>;
}

const last = 'reached the end';

/** The commands of a guide, as they stand there, but that servers listen on ports that are free. Returns the number of blocks and what they said. */
export async function runGuide(run: GuideRun): Promise<{ readonly blocks: number; readonly said: string }> {
  const { page, folder, executable, port, before = '', places = new Map<string, string>(), environment = {}, atEnd } = run;
  const blocks = [...readFileSync(join(guides, page), 'utf8').matchAll(/^```sh\n(.*?)^```/gms)].map(([, commands = '']) => commands);
  // A program, as npx is: a signal to the job must reach the server.
  const programs = join(folder, 'programs');
  mkdirSync(programs, { recursive: true });
  const npx = `#!/bin/sh
shift
case "$1" in ''|-*) set -- "$@" --secure-port=${port} ;; esac
exec "${executable}" wheelhouse "$@"
`;
  writeFileSync(join(programs, 'npx'), npx, { mode: 0o755 });
  let script = ['set -eux', "trap 'kill $(jobs -p) 2> /dev/null || true; wait' EXIT", before, ...blocks, `echo ${last}`, 'read -r _'].join(
    '\n',
  );
  for (const [named, free] of places) script = script.replaceAll(named, free);
  const shell = spawn('bash', ['-c', script], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...environment, PATH: `${programs}:${referenceFolder()}:${process.env['PATH'] ?? ''}` },
  });
  const closed = once(shell, 'close');
  let said = '';
  const reached = new Promise<void>((resolve) => {
    for (const stream of [shell.stdout, shell.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text;
        if (said.includes(`\n${last}\n`)) resolve();
      });
  });
  try {
    const ended = await Promise.race([reached, closed]);
    if (ended !== undefined) throw new Error(`${page}: exit code ${String(ended[0])}\n${said}`);
    await atEnd?.();
  } finally {
    shell.stdin.end('\n');
    await closed;
  }
  return { blocks: blocks.length, said };
}
