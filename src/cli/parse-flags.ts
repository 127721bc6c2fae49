// Upstream: github.com/spf13/pflag#flag.go
import { goQuote } from '../machinery/go-format.ts';
import type { Flag, Flags, FlagValues } from './flags/flag.ts';

/** The command line is wrong; the message is pflag's. */
export class FlagError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'FlagError';
  }
}

export interface ParsedFlags<F extends Flags> {
  readonly values: FlagValues<F>;
  /** names that were given on the command line */
  readonly changed: ReadonlySet<string>;
  /** what is left: no flag, no value of one */
  readonly positional: readonly string[];
  /** to be shown to the user */
  readonly notices: readonly string[];
}

/** Reads a command line as pflag does; `_` in names is taken for `-`. */
export function parseFlags<F extends Flags>(flags: F, args: readonly string[]): ParsedFlags<F> {
  const parsing = new Parsing(flags);
  parsing.read(args);
  return {
    values: parsing.values() as FlagValues<F>,
    changed: new Set(parsing.given.keys()),
    positional: parsing.positional,
    notices: parsing.notices,
  };
}

class Parsing {
  readonly given = new Map<string, unknown>();
  readonly positional: string[] = [];
  readonly notices: string[] = [];
  readonly #flags: Flags;
  #rest: string[] = [];

  constructor(flags: Flags) {
    this.#flags = flags;
  }

  values(): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(this.#flags).map(([name, flag]) => [name, this.given.has(name) ? this.given.get(name) : flag.fallback]),
    );
  }

  read(args: readonly string[]): void {
    this.#rest = [...args];
    for (let arg = this.#rest.shift(); arg !== undefined; arg = this.#rest.shift()) {
      if (arg === '--') {
        this.positional.push(...this.#rest);
        return;
      }
      if (arg.startsWith('--')) this.#long(arg);
      else if (arg.startsWith('-') && arg.length > 1) this.#short(arg.slice(1));
      else this.positional.push(arg);
    }
  }

  #long(arg: string): void {
    if (arg[2] === '-' || arg[2] === '=') throw new FlagError(`bad flag syntax: ${arg}`);
    const equals = arg.indexOf('=');
    const typed = arg.slice(2, equals < 0 ? undefined : equals);
    const name = typed.replaceAll('_', '-');
    const flag = Object.hasOwn(this.#flags, name) ? this.#flags[name] : undefined;
    if (flag === undefined) throw new FlagError(`unknown flag: --${typed}`);
    const value = equals >= 0 ? arg.slice(equals + 1) : (flag.kind.bare ?? this.#rest.shift());
    if (value === undefined) throw new FlagError(`flag needs an argument: ${arg}`);
    this.#set(name, flag, value);
  }

  /** `-v=4`, `-v4`, `-v 4`, and several letters behind one dash. */
  #short(letters: string): void {
    for (let rest = letters; rest !== '';) {
      const letter = rest[0] as string;
      const found = Object.entries(this.#flags).find(([, { shorthand }]) => shorthand === letter);
      if (found === undefined) throw new FlagError(`unknown shorthand flag: '${letter}' in -${rest}`);
      const [name, flag] = found;
      if (rest.length > 2 && rest[1] === '=') return this.#set(name, flag, rest.slice(2));
      if (flag.kind.bare !== undefined) {
        this.#set(name, flag, flag.kind.bare);
        rest = rest.slice(1);
        continue;
      }
      const value = rest.length > 1 ? rest.slice(1) : this.#rest.shift();
      if (value === undefined) throw new FlagError(`flag needs an argument: '${letter}' in -${rest}`);
      return this.#set(name, flag, value);
    }
  }

  #set(name: string, flag: Flag, text: string): void {
    try {
      this.given.set(name, flag.kind.parse(text, this.given.get(name)));
    } catch (error) {
      const shown = flag.shorthand === undefined ? `--${name}` : `-${flag.shorthand}, --${name}`;
      const reason = error instanceof Error ? error.message : String(error);
      throw new FlagError(`invalid argument ${goQuote(text)} for "${shown}" flag: ${reason}`, { cause: error });
    }
    if (flag.deprecated !== undefined) this.notices.push(`Flag --${name} has been deprecated, ${flag.deprecated}`);
  }
}
