/** A line of a log, in whatever format it was. */
export interface LogLine {
  readonly severity: 'info' | 'warning' | 'error';
  /** JSON says it; text does not */
  readonly verbosity: number | undefined;
  readonly message: string;
  readonly fields: ReadonlyMap<string, string>;
}

const header = /^([IWEF])(\d{4}) (\d\d:\d\d:\d\d\.\d{6}) ([ \d]{7}) ([\w.?-]+:\d+)\] (.*)$/s;
const severities = { I: 'info', W: 'warning', E: 'error', F: 'error' } as const;

/** Throws for a line that is not in the format; lines before the first one with a header are not looked at. */
export function parseTextLog(text: string): LogLine[] {
  const starts = [...text.matchAll(/^[IWEF]\d{4} \d\d:/gm)].map(({ index }) => index);
  return starts.map((start, at) => parseTextLine(text.slice(start, starts[at + 1]).replace(/\n$/, '')));
}

function parseTextLine(line: string): LogLine {
  const [, severity = 'I', , , , , rest = ''] = header.exec(line) ?? [];
  if (rest === '') throw new Error(`not a line of a log: ${line}`);
  const about = { severity: severities[severity as keyof typeof severities], verbosity: undefined };
  // Lines that are not structured have no quotes around the message.
  if (!rest.startsWith('"')) return { ...about, message: rest, fields: new Map() };
  const scanner = new Scanner(rest);
  const message = scanner.quoted();
  const fields = new Map<string, string>();
  while (scanner.more) fields.set(scanner.key(), scanner.value());
  return { ...about, message, fields };
}

class Scanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get more(): boolean {
    return this.#at < this.#text.length;
  }

  quoted(): string {
    const [whole] = /^"(?:[^"\\]|\\.)*"/s.exec(this.#text.slice(this.#at)) ?? this.#fail();
    this.#at += whole.length;
    return whole.slice(1, -1).replaceAll(/\\(.)/g, (_, one: string) => (one === 'n' ? '\n' : one === 't' ? '\t' : one));
  }

  key(): string {
    const [whole, key = ''] = /^ ([^=\s]+)=/.exec(this.#text.slice(this.#at)) ?? this.#fail();
    this.#at += whole.length;
    return key;
  }

  value(): string {
    const rest = this.#text.slice(this.#at);
    if (rest.startsWith('"')) return this.quoted();
    // Several lines, each behind a tab.
    const [whole = '', lines] = /^<\n((?:\t.*\n)*) >/.exec(rest) ?? /^[^\s]+/.exec(rest) ?? this.#fail();
    this.#at += whole.length;
    return lines === undefined ? whole : lines.replaceAll(/^\t/gm, '');
  }

  #fail(): never {
    throw new Error(`cannot read on at ${this.#at} of: ${this.#text.slice(0, 500)}`);
  }
}

/** Throws for a line that is no JSON, or lacks what every line has. */
export function parseJsonLog(text: string): LogLine[] {
  const lines = text.split('\n').filter((line) => line.startsWith('{'));
  return lines.map((line) => {
    const { ts, caller, msg, v, logger, ...rest } = JSON.parse(line) as Record<string, unknown>;
    if (typeof ts !== 'number' || typeof msg !== 'string' || !/^(?:[\w.@-]+\/)?[\w.-]+:\d+$/.test(String(caller))) {
      throw new Error(`not a line of a log: ${line}`);
    }
    const fields = new Map(Object.entries(rest).map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)]));
    if (logger !== undefined) fields.set('logger', String(logger));
    return { severity: v === undefined ? 'error' : 'info', verbosity: v as number | undefined, message: msg, fields };
  });
}
