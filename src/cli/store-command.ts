import type { Flags, FlagValues } from './flags/flag.ts';
import { flagGroup, shorthand } from './flags/flag.ts';
import { bool } from './flags/flag-kinds.ts';
import { renderHelp } from './help.ts';
import { parseFlags } from './parse-flags.ts';
import type { CommandIo } from './server-command.ts';

/** What a command is given: its flags, what else was on the line, and the end that Ctrl-C puts to it. */
export interface StoreCommandInput<F extends Flags> {
  readonly flags: FlagValues<F>;
  readonly names: readonly string[];
  readonly io: CommandIo;
  readonly progress: ProgressBar;
  readonly signal: AbortSignal;
}

export interface StoreCommand {
  readonly intro: string;
  readonly usage: string;
  /** Resolves with the exit code. */
  run(args: readonly string[], io: CommandIo): Promise<number>;
}

export interface StoreCommandOptions<F extends Flags> {
  readonly intro: string;
  /** `backup FILE [flags]` */
  readonly usage: string;
  /** how many names, that are no flags, it takes */
  readonly names: number;
  readonly flags: F;
  /** what there is to say when it is interrupted; unless given: that nothing was changed */
  readonly interrupted?: (line: string) => string;
  run(input: StoreCommandInput<F>): Promise<void>;
}

/** As shells do it: 128 and the number of the signal. */
const interruptedCodes = { SIGINT: 130, SIGTERM: 143 } as const;

const help = { help: shorthand(bool(false, 'this text'), 'h') };

/** A command on a store: whatever is wrong is one line, and 1; an interruption leaves nothing half done, a second one does not wait for that. */
export function storeCommand<const F extends Flags>({
  intro,
  usage,
  names,
  flags,
  interrupted,
  run,
}: StoreCommandOptions<F>): StoreCommand {
  return {
    intro,
    usage,
    async run(args, io) {
      const aborting = new AbortController();
      let code = 1;
      const interrupt = (signal: keyof typeof interruptedCodes): void => {
        code = interruptedCodes[signal];
        aborting.abort(new Error('interrupted'));
      };
      const progress = new ProgressBar(io);
      try {
        const parsed = parseFlags({ ...flags, ...help }, args);
        if (parsed.values['help'] === true) {
          io.out(renderHelp(intro, `kube-apiserver ${usage}`, [flagGroup('Its', { ...flags, ...help })], process.stdout.columns));
          return 0;
        }
        if (parsed.positional.length !== names) throw new Error(`usage: ${usage}`);
        process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
        await run({ flags: parsed.values as FlagValues<F>, names: parsed.positional, io, progress, signal: aborting.signal });
        return 0;
      } catch (error) {
        progress.end();
        const line = ['kube-apiserver', usage.split(' ')[0], ...args].map(shellWord).join(' ');
        io.err(aborting.signal.aborted ? `Interrupted: ${interrupted?.(line) ?? 'nothing was changed'}\n` : `Error: ${oneLine(error)}\n`);
        return code;
      } finally {
        process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
      }
    },
  };
}

function shellWord(word = ''): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function oneLine(error: unknown): string {
  const { code, message, path } = error as NodeJS.ErrnoException;
  const reason = code === undefined ? undefined : systemReasons[code];
  if (reason !== undefined) return path === undefined ? reason : `${path}: ${reason}`;
  return (error instanceof Error ? message : String(error)).split('\n')[0]!;
}

const systemReasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or directory',
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  EISDIR: 'is a directory',
  ENOTDIR: 'not a directory',
  ENOSPC: 'no space left on the device; nothing was changed',
  EDQUOT: 'the quota of the disk is used up; nothing was changed',
  EFBIG: 'the file may not become that large; nothing was changed',
  EROFS: 'the file system is read-only',
};

const width = 30;
const betweenLinesMs = 5000;

/** One line that fills up on a terminal; elsewhere a line now and then. */
export class ProgressBar {
  readonly #io: CommandIo;
  readonly #isTerminal = process.stderr.isTTY === true;
  #stage = '';
  #shown = -1;
  #since = performance.now();

  constructor(io: CommandIo) {
    this.#io = io;
  }

  readonly show = (stage: string, done: number, total: number): void => {
    if (stage !== this.#stage) {
      this.end();
      this.#stage = stage;
      this.#since = performance.now();
    }
    const share = total === 0 ? 1 : Math.min(1, done / total);
    const seconds = (performance.now() - this.#since) / 1000;
    const step = this.#isTerminal ? Math.floor(share * 1000) : Math.floor((seconds * 1000) / betweenLinesMs);
    if (step === this.#shown) return;
    this.#shown = step;
    const percent = `${Math.floor(share * 100)}%`.padStart(4);
    if (!this.#isTerminal) {
      if (step > 0) this.#io.err(`${stage.padEnd(10)}${percent}  ${done} of ${total}\n`);
      return;
    }
    const filled = Math.round(share * width);
    const left = share > 0.01 && share < 1 ? `  ${Math.ceil((seconds / share) * (1 - share))} s left` : '';
    this.#io.err(`\r${stage.padEnd(10)}${percent} [${'#'.repeat(filled)}${' '.repeat(width - filled)}] ${done} of ${total}${left}\x1b[K`);
  };

  end(): void {
    if (this.#isTerminal && this.#shown >= 0) this.#io.err('\n');
    this.#shown = -1;
  }
}

export function showBytes(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  let unit = 0;
  let amount = bytes;
  while (amount >= 1024 && unit < units.length - 1) {
    amount /= 1024;
    unit++;
  }
  return `${unit === 0 ? amount : amount.toFixed(1)} ${units[unit]}`;
}
